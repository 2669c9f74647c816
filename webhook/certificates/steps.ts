import { createAuthority, issueServing } from './issue.ts';
import { type KeyPair, type Material, namesOf } from './material.ts';
import { AUTHORITY_LIFETIMES, type Circumstances, type Step } from './schedule.ts';

/** @returns the certificates after a step */
export async function takeStep(
  step: Step,
  material: Material | undefined,
  { names, lifetimeMs }: Pick<Circumstances, 'names' | 'lifetimeMs'>,
  now: Date,
): Promise<Material> {
  const issue = (authority: KeyPair, also: readonly string[] = []): Promise<KeyPair> =>
    issueServing(authority, [...new Set([...names, ...also])], now, lifetimeMs);
  const newAuthority = (): Promise<KeyPair> => createAuthority(now, lifetimeMs * AUTHORITY_LIFETIMES);
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
    // Replicas that are told other names, as in an update, would else take turns for ever.
    serving: step === 'issue' ? await issue(authority, namesOf(serving.cert)) : serving,
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}
