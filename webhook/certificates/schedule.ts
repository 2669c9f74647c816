import { type Material, servesFor, validityOf } from './material.ts';

/** Certificates count from a little before they are made, as clocks of machines differ (ms). */
export const BACKDATE_MS = 300_000;
/** An authority lives so many lifetimes of a serving certificate. */
export const AUTHORITY_LIFETIMES = 3;
/** Of a serving certificate's lifetime, the part after which it is renewed. */
const RENEWED_AFTER = 2 / 3;
/** Of the same, the part that a new authority is trusted for before it issues: every API server must know it by then. */
const OVERLAP = 1 / 4;
/** How long at most until it is looked again whether the API server knows of an authority (ms). */
const ASK_AGAIN_MS = 60_000;

/** `create`: all anew; `issue`: a serving certificate; `announce`: a next authority; `promote`: it takes over. */
export type Step = 'create' | 'issue' | 'announce' | 'promote';

export interface Due {
  step: Step;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** What the schedule goes by. */
export interface Circumstances {
  /** DNS names and IP addresses that are served. */
  names: readonly string[];
  /** Of a serving certificate. */
  lifetimeMs: number;
  /** Whether the API server trusts the next authority. */
  isAnnounced: boolean;
}

/**
 * Says what becomes of the certificates next, and when. A new authority is first announced, so that it is in every
 * bundle, and issues only after the overlap; the one before stays in the bundle for as long again.
 * @param material undefined where there is none, or none that can be used
 */
export function nextStep(material: Material | undefined, at: Circumstances, nowMs: number): Due {
  if (material === undefined) return { step: 'create', atMs: nowMs };
  const authority = authorityDue(material, at, nowMs);
  const serving = { step: 'issue' as const, atMs: renewalOf(material, at) };
  if (authority.atMs <= nowMs) return authority;
  return serving.atMs < authority.atMs ? serving : authority;
}

function authorityDue({ authority, next }: Material, at: Circumstances, nowMs: number): Due {
  const { lifetimeMs, isAnnounced } = at;
  if (next === undefined) return { step: 'announce', atMs: madeAt(authority.cert) + lifetimeMs };
  // An authority that has ended is good for nothing: there is no overlap to wait for.
  const dueMs = Math.min(madeAt(next.cert) + lifetimeMs * OVERLAP, validityOf(authority.cert).toMs);
  const againMs = nowMs + Math.min(ASK_AGAIN_MS, lifetimeMs * OVERLAP);
  return { step: 'promote', atMs: isAnnounced ? dueMs : Math.max(dueMs, againMs) };
}

/** A certificate that does not serve the names, or comes from another authority, is due at once. */
function renewalOf(material: Material, { names, lifetimeMs }: Circumstances): number {
  if (!servesFor(material, names)) return 0;
  return madeAt(material.serving.cert) + lifetimeMs * RENEWED_AFTER;
}

function madeAt(pem: string): number {
  return validityOf(pem).fromMs + BACKDATE_MS;
}
