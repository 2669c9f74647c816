import { isIP } from 'node:net';
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** What the webhook's Secret holds. */
export interface Material {
  /** Issues the serving certificate. */
  authority: KeyPair;
  /** Trusted already, and issues as soon as everybody knows it. */
  next?: KeyPair;
  /** Certificate of the authority before, which another replica may still serve under. */
  previous?: string;
  serving: KeyPair;
}

/** Keys of the Secret; those of a Secret of type kubernetes.io/tls where there are such. */
const KEYS = {
  cert: 'tls.crt',
  key: 'tls.key',
  authorityCert: 'ca.crt',
  authorityKey: 'ca.key',
  nextCert: 'next-ca.crt',
  nextKey: 'next-ca.key',
  previousCert: 'previous-ca.crt',
} as const;

/** The Secret's data. What is absent is null, so that a merge patch takes it out. */
export function toData({ authority, next, previous, serving }: Material): Record<string, string | null> {
  return {
    [KEYS.cert]: encoded(serving.cert),
    [KEYS.key]: encoded(serving.key),
    [KEYS.authorityCert]: encoded(authority.cert),
    [KEYS.authorityKey]: encoded(authority.key),
    [KEYS.nextCert]: encoded(next?.cert),
    [KEYS.nextKey]: encoded(next?.key),
    [KEYS.previousCert]: encoded(previous),
  };
}

/** @returns undefined where the data holds no usable authority: then all is made anew */
export function fromData(data: Readonly<Record<string, string>>): Material | undefined {
  const read = reader(data);
  const authority = pair(read(KEYS.authorityCert), read(KEYS.authorityKey));
  if (authority === undefined) return undefined;
  const next = pair(read(KEYS.nextCert), read(KEYS.nextKey));
  const previous = read(KEYS.previousCert);
  return {
    authority,
    // One that does not match or is missing is issued anew.
    serving: servingOf(data) ?? { cert: '', key: '' },
    ...(next === undefined ? {} : { next }),
    ...(parsed(previous) === undefined ? {} : { previous }),
  };
}

/** @returns the serving certificate alone, by the keys of a Secret of type kubernetes.io/tls; undefined where it cannot be used */
export function servingOf(data: Readonly<Record<string, string>>): KeyPair | undefined {
  const read = reader(data);
  return pair(read(KEYS.cert), read(KEYS.key));
}

/** PEM of every authority that a serving certificate may come from: what the API server has to trust. */
export function bundleOf({ authority, next, previous = '' }: Material): string {
  return [authority.cert, next?.cert ?? '', previous]
    .filter((pem) => pem !== '')
    .map((pem) => `${pem.trim()}\n`)
    .join('');
}

/** @returns the DNS names and IP addresses that a certificate is for; none for what is no certificate */
export function namesOf(pem: string): string[] {
  const entries = parsed(pem)?.subjectAltName?.split(', ') ?? [];
  return entries.map((entry) => entry.slice(entry.indexOf(':') + 1));
}

/** Whether the serving certificate comes from the authority and is for these names. */
export function servesFor({ authority, serving }: Material, names: readonly string[]): boolean {
  const [issuer, own] = [parsed(authority.cert), parsed(serving.cert)];
  if (issuer === undefined || own === undefined || !own.verify(issuer.publicKey)) return false;
  return names.every((name) => (isIP(name) === 0 ? own.checkHost(name) : own.checkIP(name)) !== undefined);
}

/** When a certificate begins and ends to count, in milliseconds since 1970; NaN for what is none. */
export function validityOf(pem: string): { fromMs: number; toMs: number } {
  const certificate = parsed(pem);
  return {
    fromMs: certificate?.validFromDate.getTime() ?? NaN,
    toMs: certificate?.validToDate.getTime() ?? NaN,
  };
}

function reader(data: Readonly<Record<string, string>>): (key: string) => string {
  return (key) => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}

function pair(cert: string, key: string): KeyPair | undefined {
  const certificate = parsed(cert);
  try {
    return certificate?.checkPrivateKey(createPrivateKey(key)) === true ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Somebody may have edited the Secret: what is no certificate counts as absent. */
function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function encoded(pem: string | undefined): string | null {
  return pem === undefined ? null : Buffer.from(pem).toString('base64');
}
