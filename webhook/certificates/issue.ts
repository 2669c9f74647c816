import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { KeyPair } from './material.ts';
import { BACKDATE_MS } from './schedule.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Makes an authority that counts from now (and a little before) for so long. */
export async function createAuthority(now: Date, lifetimeMs: number): Promise<KeyPair> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now, lifetimeMs),
    // Two authorities of one name could not be told apart while both are trusted.
    name: [{ CN: [`convoy-webhook-ca-${now.getTime()}`] }],
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return await pairOf(certificate, keys.privateKey);
}

/** Issues a serving certificate for these DNS names and IP addresses. */
export async function issueServing(
  authority: KeyPair,
  names: readonly string[],
  now: Date,
  lifetimeMs: number,
): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(now, lifetimeMs),
    subject: [{ CN: ['convoy-webhook'] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  return await pairOf(certificate, keys.privateKey);
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  return await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, false, [
    'sign',
  ]);
}

function validity(now: Date, lifetimeMs: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATE_MS),
    notAfter: new Date(now.getTime() + lifetimeMs),
  };
}

async function pairOf(certificate: x509.X509Certificate, key: webcrypto.CryptoKey): Promise<KeyPair> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(der, 'PRIVATE KEY')}\n`,
  };
}
