import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bundleOf,
  fromData,
  namesOf,
  type Material,
  servesFor,
  toData,
  validityOf,
} from '../../../../webhook/certificates/material.ts';
import { nextStep } from '../../../../webhook/certificates/schedule.ts';
import { takeStep } from '../../../../webhook/certificates/steps.ts';

const NAMES = ['convoy-webhook.convoy-system.svc', '127.0.0.1'];
const DAY = 86_400_000;
const LIFETIME = 90 * DAY;
const AT = { names: NAMES, lifetimeMs: LIFETIME, isAnnounced: true };
const START = Date.parse('2026-01-01T00:00:00Z');

async function made(nowMs = START): Promise<Material> {
  return await takeStep('create', undefined, AT, new Date(nowMs));
}

/** Whether an API server that trusts this bundle accepts the serving certificate then. */
function isTrusted(bundle: string, { serving }: Material, nowMs: number): boolean {
  const certificate = new X509Certificate(serving.cert);
  return bundle
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((pem) => pem.trim() !== '')
    .map((pem) => new X509Certificate(pem))
    .some(
      (issuer) =>
        certificate.checkIssued(issuer) &&
        certificate.verify(issuer.publicKey) &&
        [validityOf(serving.cert), validityOf(issuer.toString())].every(
          ({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs,
        ),
    );
}

describe('the certificates', () => {
  it('are for the names that are served, and for no others', async () => {
    const material = await made();
    expect(servesFor(material, NAMES)).toBe(true);
    expect(servesFor(material, [...NAMES, 'other.svc'])).toBe(false);
    expect(servesFor(material, ['127.0.0.2'])).toBe(false);
    expect(isTrusted(bundleOf(material), material, START)).toBe(true);
  });

  it('come back from the Secret as they went in', async () => {
    const material = await takeStep('announce', await made(), AT, new Date(START));
    const data = Object.entries(toData(material)).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    expect(fromData(Object.fromEntries(data))).toEqual(material);
  });

  it.each<[string, (data: Record<string, string>) => Record<string, string>]>([
    ['is empty', () => ({})],
    ['holds no certificate', (data) => ({ ...data, 'ca.crt': Buffer.from('x').toString('base64') })],
    ['holds the key of another', (data) => ({ ...data, 'ca.key': data['tls.key'] ?? '' })],
    ['holds no key', ({ 'ca.key': _key, ...data }) => (expect(_key).toBeDefined(), data)],
  ])('are made anew where the Secret %s', async (_, edit) => {
    const data = Object.fromEntries(
      Object.entries(toData(await made())).map(([key, value]) => [key, value ?? '']),
    );
    expect(fromData(edit(data))).toBeUndefined();
    expect(nextStep(undefined, AT, START).step).toBe('create');
  });

  it('are issued at once where the serving one is not usable', async () => {
    const data = Object.fromEntries(
      Object.entries(toData(await made())).map(([key, value]) => [key, value ?? '']),
    );
    const broken = fromData({ ...data, 'tls.key': data['ca.key'] ?? '' });
    expect(nextStep(broken, AT, START)).toMatchObject({ step: 'issue' });
    expect(nextStep(await made(), { ...AT, names: ['other.svc'] }, START)).toMatchObject({ step: 'issue' });
  });

  it('go on with a new authority at once where the old one has ended', async () => {
    const nowMs = START + 4 * LIFETIME;
    expect(nextStep(await made(), AT, nowMs)).toMatchObject({ step: 'announce' });
    const announced = await takeStep('announce', await made(), AT, new Date(nowMs));
    expect(nextStep(announced, AT, nowMs)).toMatchObject({ step: 'promote' });
  });

  it('come from no authority that the API server has not been told of', async () => {
    const nowMs = START + LIFETIME;
    const announced = await takeStep('announce', await made(), AT, new Date(nowMs));
    const later = nowMs + LIFETIME / 2;
    const renewed = await takeStep('issue', announced, AT, new Date(later));
    expect(nextStep(renewed, AT, later)).toMatchObject({ step: 'promote' });
    const unknown = { ...AT, isAnnounced: false };
    expect(nextStep(renewed, unknown, later)).toEqual({ step: 'promote', atMs: later + 60_000 });
    expect(nextStep(announced, unknown, later).step).toBe('issue');
  });

  it('serve what both replicas are told, where the two differ, and come to rest', async () => {
    const other = { ...AT, names: ['other.svc', '127.0.0.1'] };
    const both = await takeStep('issue', await made(), other, new Date(START));
    expect(namesOf(both.serving.cert).sort()).toEqual([...new Set([...NAMES, ...other.names])].sort());
    for (const told of [AT, other]) expect(nextStep(both, told, START).atMs).toBeGreaterThan(START);
  });
});

describe('over years', () => {
  it('every serving certificate is trusted by whoever has the bundle of now, or of any moment within the overlap before', async () => {
    let material = await made();
    let nowMs = START;
    const bundles: { atMs: number; bundle: string }[] = [{ atMs: nowMs, bundle: bundleOf(material) }];
    const steps: string[] = [];
    while (nowMs < START + 4 * 365 * DAY) {
      const due = nextStep(material, AT, nowMs);
      nowMs = Math.max(nowMs, due.atMs);
      // Just before the step, what is served still counts.
      expect(isTrusted(bundleOf(material), material, nowMs)).toBe(true);
      material = await takeStep(due.step, material, AT, new Date(nowMs));
      steps.push(due.step);
      bundles.push({ atMs: nowMs, bundle: bundleOf(material) });
      // Whoever still has the bundle that was in place a day ago trusts it as well.
      const known = bundles.filter(({ atMs }) => atMs <= nowMs - DAY).at(-1);
      if (known !== undefined) expect(isTrusted(known.bundle, material, nowMs)).toBe(true);
    }
    expect(new Set(steps)).toEqual(new Set(['issue', 'announce', 'promote']));
  });

  it('whoever wakes up late finds what to do, and then has something that counts', async () => {
    const first = await made();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3_000 }), async (days) => {
        const nowMs = START + days * DAY;
        let material = first;
        for (let count = 0; count < 5; count += 1) {
          const due = nextStep(material, AT, nowMs);
          if (due.atMs > nowMs) break;
          material = await takeStep(due.step, material, AT, new Date(nowMs));
        }
        expect(nextStep(material, AT, nowMs).atMs).toBeGreaterThan(nowMs);
        expect(isTrusted(bundleOf(material), material, nowMs)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
