import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SYNC_WAVE } from '../../api/annotations.ts';
import { groupOf, keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { syncWaveAnnotations } from '../../engine/mutations/syncWave.ts';

/** The files of the example, as the ConfigMap of the Release's source holds them. */
export const SHOP_FOLDER = 'manifests/examples/shop';
export const SHOP_RELEASE = 'manifests/examples/shop-release.yaml';

/** The waves of the example's Release, by number. */
export const WAVE_NAMES = ['platform', 'database', 'migration', 'services', 'frontend'];

/** An object that the files of the example declare, and the wave that its Release puts it in. */
export interface ShopObject {
  object: KubeObject;
  wave: number;
}

/** What the example consists of, by its waves. */
export async function readShop(root: string): Promise<ShopObject[]> {
  const { spec } = parse(await readFile(join(root, SHOP_RELEASE), 'utf8')) as Release;
  const objects = await readObjects(root);
  return objects
    .map((object) => ({
      object,
      wave: Number(syncWaveAnnotations(object, spec.mutations ?? [])[SYNC_WAVE] ?? 0),
    }))
    .sort((a, b) => a.wave - b.wave);
}

async function readObjects(root: string): Promise<KubeObject[]> {
  const folder = join(root, SHOP_FOLDER);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject));
}

/** A kind that the example has objects of: what has to be watched. */
export interface Kind {
  group: string;
  kind: string;
  keys: ReadonlySet<string>;
  isWatched: boolean;
}

/** The kinds of objects. */
export function byKind(objects: readonly KubeObject[]): Kind[] {
  const kinds = Map.groupBy(objects, ({ apiVersion, kind }) => `${kind}.${groupOf(apiVersion)}`);
  return Array.from(kinds.values(), (members) => {
    const [{ apiVersion, kind }] = members as [KubeObject];
    const keys = new Set(members.map((member) => keyString(keyOf(member))));
    return { group: groupOf(apiVersion), kind, keys, isWatched: false };
  });
}

/** `frontend` or `shop/frontend`: the kind stands beside it. */
export function nameOf({ namespace, name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
