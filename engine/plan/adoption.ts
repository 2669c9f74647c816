import { ADOPTION_POLICY, type AdoptionPolicy } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';

export interface AdoptionFacts {
  adoptionPolicy: AdoptionPolicy;
  live: KubeObject;
  /** Applied by this Release, or about to be when it was interrupted. */
  isOurs: boolean;
  /** `name in namespace` of the other Release whose inventory lists it. */
  owner: string | undefined;
}

/**
 * Why a live object may not be applied by a Release (apply.md, ownership), as what is said behind its name.
 * @returns undefined where it may
 */
export function adoptionObstacle({ adoptionPolicy, live, isOurs, owner }: AdoptionFacts): string | undefined {
  if (owner !== undefined && !mayTake(adoptionPolicy, live, isOurs)) {
    return `belongs to the Release ${owner} – take it out of one of the two Releases, give it another name, or annotate it ${ADOPTION_POLICY}: Always here to take it over`;
  }
  if (adoptionPolicy !== 'Never' || isOurs) return undefined;
  return `exists already, and is annotated ${ADOPTION_POLICY}: Never – delete it, give the one here another name, or take the annotation off to take it over`;
}

/** Of two Releases that both say Always, the one that has lost an object does not take it back. */
function mayTake(policy: AdoptionPolicy, live: KubeObject, isOurs: boolean): boolean {
  if (policy !== 'Always') return false;
  return !isOurs || live.metadata.annotations?.[ADOPTION_POLICY] !== 'Always';
}
