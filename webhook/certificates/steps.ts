import { createAuthority, issueServing } from './issue.ts';
import type { KeyPair, Material } from './material.ts';
import { AUTHORITY_LIFETIMES, type Step } from './schedule.ts';

interface Circumstances {
  /** DNS names and IP addresses that are served. */
  names: readonly string[];
  /** Of a serving certificate. */
  lifetimeMs: number;
  now: Date;
}

/** @returns the certificates after a step */
export async function takeStep(
  step: Step,
  material: Material | undefined,
  at: Circumstances,
): Promise<Material> {
  const issue = (authority: KeyPair): Promise<KeyPair> =>
    issueServing(authority, at.names, at.now, at.lifetimeMs);
  const newAuthority = (): Promise<KeyPair> => createAuthority(at.now, at.lifetimeMs * AUTHORITY_LIFETIMES);
  if (material === undefined || step === 'create') {
    const authority = await newAuthority();
    return { authority, serving: await issue(authority) };
  }
  const { authority, next, previous, serving } = material;
  if (step === 'announce') return { ...material, next: await newAuthority() };
  if (step === 'promote' && next !== undefined)
    return { authority: next, serving: await issue(next), previous: authority.cert };
  return {
    authority,
    serving: step === 'issue' ? await issue(authority) : serving,
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}
