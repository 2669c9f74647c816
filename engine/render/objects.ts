import { type KubeObject } from '../../api/object.ts';
import { Problems } from './errors.ts';
import { RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { isRawNumber } from './number.ts';
import { quote } from './syntax.ts';
import type { YamlDocument } from './yaml.ts';

/** An object, and where in the source it stands (`web.yaml:12`, `web.yaml:1 items[3]`). */
export interface SourceObject {
  object: KubeObject;
  where: string;
}

const GROUP_VERSION = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const KIND = /^[A-Za-z][A-Za-z0-9]*$/;
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** What may be a segment of the API's paths; the exact rule is each kind's own. */
const NAME = /^(?!\.{1,2}$)[^/%\s\u0000-\u001f]{1,253}$/;
/** Lists of lists have no use: some levels of them are an attack. */
const MAX_LIST_DEPTH = 5;

/**
 * Turns the documents of one file into objects: lists are unfolded, and what cannot be applied is refused.
 * @param warnings gets a line for what is left out
 * @throws RenderError with a problem for each document that is no Kubernetes object
 */
export function toObjects(
  documents: readonly YamlDocument[],
  file: string,
  limits: Pick<RenderLimits, 'objects'> = RENDER_LIMITS,
  warnings: string[] = [],
): SourceObject[] {
  const problems = new Problems();
  const objects: SourceObject[] = [];
  for (const { value, line } of documents) {
    if (isKustomization(value, file)) {
      warnings.push(
        `${file}:${line}: left out: it tells kustomize what to do, and plain files are read here`,
      );
      continue;
    }
    for (const candidate of unfold(value, `${file}:${line}`, problems, 0)) {
      if (isKubeObject(candidate, problems)) objects.push(candidate);
      if (objects.length > limits.objects) {
        problems.add(tooMany(file, limits.objects));
        problems.throwIfAny();
      }
    }
  }
  problems.throwIfAny();
  return objects;
}

const KUSTOMIZATION_FILE = /(?:^|\/)kustomization\.ya?ml$/i;
const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io/';

/** Such a file often lies among the manifests that it lists; its apiVersion may be left out. */
function isKustomization(value: unknown, file: string): boolean {
  if (!isMap(value)) return false;
  const { apiVersion } = value;
  if (typeof apiVersion === 'string') return apiVersion.startsWith(KUSTOMIZE_GROUP);
  return KUSTOMIZATION_FILE.test(file);
}

/** The problem of a source with more objects than are allowed. */
export function tooMany(where: string, limit: number): { where: string; what: string; remedy: string } {
  return { where, what: `there are more than ${limit} objects`, remedy: 'split them into several Releases' };
}

interface Candidate {
  object: unknown;
  where: string;
}

function* unfold(value: unknown, where: string, problems: Problems, depth: number): Generator<Candidate> {
  if (!isMap(value) || !isList(value)) {
    yield { object: value, where };
    return;
  }
  if (depth >= MAX_LIST_DEPTH) {
    problems.add({
      where,
      what: 'lists stand in lists',
      remedy: 'write the objects as documents of their own',
    });
    return;
  }
  const kind = value.kind.slice(0, -'List'.length);
  for (const [index, item] of value.items.entries()) {
    yield* unfold(typedItem(item, value.apiVersion, kind), `${where} items[${index}]`, problems, depth + 1);
  }
}

interface ObjectList extends Record<string, unknown> {
  kind: string;
  items: unknown[];
}

/** `v1` List, and each `…List` with items. A list has no name, which tells it from an object of such a kind. */
function isList(value: Record<string, unknown>): value is ObjectList {
  const { kind, items, metadata } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return false;
  return !isMap(metadata) || metadata['name'] === undefined;
}

/** Items of a typed list (ConfigMapList) may leave out what the list says of them all. */
function typedItem(item: unknown, apiVersion: unknown, kind: string): unknown {
  if (kind === '' || !isMap(item) || item['apiVersion'] !== undefined || item['kind'] !== undefined)
    return item;
  return { apiVersion, kind, ...item };
}

function isKubeObject(candidate: Candidate, problems: Problems): candidate is SourceObject {
  const found = objectFindings(candidate.object);
  for (const [what, remedy] of found) problems.add({ where: candidate.where, what, remedy });
  return found.length === 0;
}

type Finding = readonly [what: string, remedy: string];

/** @returns why a value cannot be applied as a Kubernetes object; nothing where it can: it is a KubeObject then */
export function objectFindings(value: unknown): Finding[] {
  return [...checkObject(value)];
}

function* checkObject(value: unknown): Generator<Finding> {
  if (!isMap(value)) {
    yield ['this document is no Kubernetes object', 'write a map with apiVersion, kind and metadata.name'];
    return;
  }
  const { apiVersion, kind, metadata } = value;
  yield* checkText('apiVersion', apiVersion, GROUP_VERSION);
  yield* checkText('kind', kind, KIND);
  if (metadata === undefined || metadata === null) {
    yield ['metadata.name is missing', 'give it a name'];
  } else if (isMap(metadata)) {
    yield* checkMetadata(metadata);
  } else {
    yield ['metadata is no map', 'write name, namespace, labels and annotations below it'];
  }
}

function* checkMetadata(metadata: Record<string, unknown>): Generator<Finding> {
  const { generateName, name, namespace } = metadata;
  if (generateName !== undefined) {
    yield [
      'metadata.generateName makes another object at each apply',
      name === undefined ? 'give it a metadata.name instead' : 'remove generateName',
    ];
  } else {
    yield* checkText('metadata.name', name, NAME);
  }
  if (namespace !== undefined && namespace !== null && namespace !== '') {
    yield* checkText('metadata.namespace', namespace, NAMESPACE);
  }
  yield* checkTexts('metadata.labels', metadata['labels']);
  yield* checkTexts('metadata.annotations', metadata['annotations']);
}

function* checkText(field: string, value: unknown, pattern: RegExp): Generator<Finding> {
  if (value === undefined || value === null || value === '') {
    yield [`${field} is missing`, 'add it'];
  } else if (typeof value !== 'string') {
    yield [`${field} is ${typeName(value)}, not text`, 'put it in quotes'];
  } else if (!pattern.test(value)) {
    yield [`${field} ${quote(value)} is not valid`, 'correct it'];
  }
}

/** Labels and annotations: the API server would refuse a number or boolean, but without naming the line. */
function* checkTexts(field: string, value: unknown): Generator<Finding> {
  if (value === undefined || value === null) return;
  if (!isMap(value)) {
    yield [`${field} is no map`, 'write it as key: "value"'];
    return;
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') {
      yield [`${field} ${quote(key)} is ${typeName(text)}, not text`, 'put it in quotes'];
    }
  }
}

/** True for a JSON object; a number whose text is kept is none. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isMap(value) ? 'a map' : typeof value === 'boolean' ? 'a boolean' : 'a number';
}
