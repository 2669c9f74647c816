import 'reflect-metadata';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export interface PemPair {
  cert: string;
  key: string;
}

/** A certificate authority whose two files lie in a folder, so that other processes can issue from it too. */
export class CertificateAuthority {
  readonly pem: string;
  readonly #certificate: x509.X509Certificate;
  readonly #key: webcrypto.CryptoKey;

  private constructor(certificate: x509.X509Certificate, key: webcrypto.CryptoKey) {
    this.pem = certificate.toString('pem');
    this.#certificate = certificate;
    this.#key = key;
  }

  /** Makes an authority and writes `ca.crt` and `ca.key` into `folder`. */
  static async create(folder: string): Promise<CertificateAuthority> {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      ...validity(),
      name: [{ CN: ['convoy-test-ca'] }],
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'ca.crt'), certificate.toString('pem'));
    await writeFile(join(folder, 'ca.key'), await privatePem(keys.privateKey), { mode: 0o600 });
    return new CertificateAuthority(certificate, keys.privateKey);
  }

  /** Opens the authority that `create` wrote into `folder`. */
  static async open(folder: string): Promise<CertificateAuthority> {
    const certificate = new x509.X509Certificate(await readFile(join(folder, 'ca.crt'), 'utf8'));
    const der = x509.PemConverter.decodeFirst(await readFile(join(folder, 'ca.key'), 'utf8'));
    const key = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
    return new CertificateAuthority(certificate, key);
  }

  /** A client certificate: to Kubernetes the common name is the user and each organisation a group. */
  issueClient(user: string, groups: readonly string[]): Promise<PemPair> {
    return this.#issue(
      [{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))],
      x509.ExtendedKeyUsage.clientAuth,
      [],
    );
  }

  /** A serving certificate for these DNS names and IP addresses. */
  issueServer(dns: readonly string[], ips: readonly string[]): Promise<PemPair> {
    const names = [
      ...dns.map((value) => ({ type: 'dns' as const, value })),
      ...ips.map((value) => ({ type: 'ip' as const, value })),
    ];
    const extension = new x509.SubjectAlternativeNameExtension(names);
    return this.#issue([{ CN: ['kube-apiserver'] }], x509.ExtendedKeyUsage.serverAuth, [extension]);
  }

  async #issue(
    subject: x509.JsonName,
    usage: x509.ExtendedKeyUsage,
    extensions: x509.Extension[],
  ): Promise<PemPair> {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(),
      subject,
      issuer: this.#certificate.subjectName,
      publicKey: keys.publicKey,
      signingKey: this.#key,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        ...extensions,
      ],
    });
    return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
  }
}

/** Keys that the API server signs service account tokens with: `private` to sign, `public` to verify, both PEM. */
export function serviceAccountKeys(): { private: string; public: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { private: privateKey, public: publicKey };
}

/** Valid from yesterday, as clocks of virtual machines may be set back, and for a year. */
function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 365 * DAY_MS) };
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
