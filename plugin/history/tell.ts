import { keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { sameJson } from '../../engine/mutations/sameJson.ts';
import { compareKeys } from '../../engine/render/canonical.ts';
import { isMap } from '../../engine/render/objects.ts';
import { Discovery } from '../../kube/discovery.ts';
import type { Session } from '../cluster/session.ts';
import type { Pair } from '../diff/mask.ts';
import { type Secrecy, secrecyOf } from '../diff/secrecy.ts';
import { secretsOfStored } from '../render/restoreRelease.ts';

/** What may be told of the stored renders of a Release. */
export interface Telling {
  secrecy: Secrecy;
  notes: string[];
}

/** @throws the errors of KubeClient */
export async function tellingOf(session: Session, release: Release): Promise<Telling> {
  const known = await secretsOfStored(session, new Discovery(session.transport), release);
  return { secrecy: secrecyOf(known), notes: known.notes ?? [] };
}

/** The objects of a stored render. @param text its canonical JSON */
export function objectsOf(text: string): KubeObject[] {
  return JSON.parse(text) as KubeObject[];
}

/** An object without what may not be told; of one of which nothing may be told, what it is. */
export function toldObject(object: KubeObject, secrecy: Secrecy): KubeObject {
  const { after } = secrecy.mask(keyString(keyOf(object)), { before: undefined, after: object }, object);
  if (isMap(after)) return after as KubeObject;
  const { name, namespace } = object.metadata;
  const metadata = {
    name: secrecy.say(name),
    ...(namespace === undefined ? {} : { namespace: secrecy.say(namespace) }),
  };
  return { apiVersion: object.apiVersion, kind: object.kind, metadata, hidden: after };
}

/** An object of one render or both. Nothing in it is secret. */
export interface RenderedDiff extends Pair {
  key: ObjectKey;
  action: 'added' | 'removed' | 'changed' | 'unchanged';
}

/** Two renders against each other, in order of key. */
export function diffOfRenders(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  secrecy: Secrecy,
): RenderedDiff[] {
  const was = new Map(before.map((object) => [keyString(keyOf(object)), object]));
  const is = new Map(after.map((object) => [keyString(keyOf(object)), object]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((id) => compared({ before: was.get(id), after: is.get(id) }, secrecy))
    .filter((diff) => diff !== undefined)
    .sort((a, b) => compareKeys(a.key, b.key));
}

function compared(
  pair: { before: KubeObject | undefined; after: KubeObject | undefined },
  secrecy: Secrecy,
): RenderedDiff | undefined {
  const { before, after } = pair;
  const one = after ?? before;
  if (one === undefined) return undefined;
  const { group, kind, namespace, name } = keyOf(one);
  const key = { group, kind, namespace: secrecy.say(namespace), name: secrecy.say(name) };
  return { key, action: actionOf(before, after), ...secrecy.mask(keyString(keyOf(one)), pair, one) };
}

function actionOf(before: KubeObject | undefined, after: KubeObject | undefined): RenderedDiff['action'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return sameJson(before, after) ? 'unchanged' : 'changed';
}
