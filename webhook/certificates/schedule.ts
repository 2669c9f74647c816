import { type Material, servesFor, validityOf } from './material.ts';

/** Certificates count from a little before they are made, as clocks of machines differ (ms). */
export const BACKDATE_MS = 300_000;
/** An authority lives so many lifetimes of a serving certificate. */
export const AUTHORITY_LIFETIMES = 3;
/** Of a serving certificate's lifetime, the part after which it is renewed. */
const RENEWED_AFTER = 2 / 3;
/** Of the same, the part that a new authority is trusted for before it issues: every API server must know it by then. */
const OVERLAP = 1 / 4;

/** `create`: all anew; `issue`: a serving certificate; `announce`: a next authority; `promote`: it takes over. */
export type Step = 'create' | 'issue' | 'announce' | 'promote';

export interface Due {
  step: Step;
  /** Milliseconds since 1970. */
  atMs: number;
}

/**
 * Says what becomes of the certificates next, and when. A new authority is first announced, so that it is in every
 * bundle, and issues only after the overlap; the one before stays in the bundle for as long again.
 * @param material undefined where there is none, or none that can be used
 * @param lifetimeMs of a serving certificate
 */
export function nextStep(
  material: Material | undefined,
  names: readonly string[],
  lifetimeMs: number,
  nowMs: number,
): Due {
  if (material === undefined) return { step: 'create', atMs: nowMs };
  const dues = [
    { step: 'create' as const, atMs: validityOf(material.authority.cert).toMs },
    authorityDue(material, lifetimeMs),
    { step: 'issue' as const, atMs: renewalOf(material, names, lifetimeMs) },
  ];
  return (
    dues.find(({ atMs }) => atMs <= nowMs) ??
    dues.reduce((first, due) => (due.atMs < first.atMs ? due : first))
  );
}

function authorityDue({ authority, next }: Material, lifetimeMs: number): Due {
  if (next === undefined) return { step: 'announce', atMs: madeAt(authority.cert) + lifetimeMs };
  return { step: 'promote', atMs: madeAt(next.cert) + lifetimeMs * OVERLAP };
}

/** A certificate that serves other names, or comes from another authority, is due at once. */
function renewalOf(material: Material, names: readonly string[], lifetimeMs: number): number {
  if (!servesFor(material, names)) return 0;
  return madeAt(material.serving.cert) + lifetimeMs * RENEWED_AFTER;
}

function madeAt(pem: string): number {
  return validityOf(pem).fromMs + BACKDATE_MS;
}
