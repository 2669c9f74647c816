import { keyOf, keyString, describe, type KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import { mutate } from '../mutations/mutate.ts';
import { readAnnotations } from '../plan/annotations.ts';
import { sortObjects } from './canonical.ts';
import { problem, Problems } from './errors.ts';
import { selectFiles, type SourceFile, type TextFile } from './files.ts';
import { RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { type NamespaceOptions, placeInNamespaces } from './namespace.ts';
import { normalise } from './normalise.ts';
import { type SourceObject, tooMany, toObjects } from './objects.ts';
import { substitute, type Variables } from './variables.ts';
import { parseYaml } from './yaml.ts';

/** `spec.content` of a Release, as far as a plain YAML render goes. */
export interface RenderContent {
  path?: string;
  type?: string;
}

export interface RenderOptions extends NamespaceOptions {
  /** An empty render is meant (`convoy.kumodo.io/allow-empty`). */
  allowEmpty?: boolean;
  limits?: Partial<RenderLimits>;
  /** `spec.mutations` of a Release. */
  mutations?: readonly Mutation[];
  /** Replace what the texts refer to; undefined: nothing is replaced. */
  variables?: Variables | undefined;
}

export interface Rendered {
  /** In the order of a render: group, kind, namespace, name. Each key once. */
  objects: KubeObject[];
  /** What was changed or is doubtful, and no reason to refuse the render. */
  warnings: string[];
  /** Objects (of those above) of kinds that nobody knows yet, where they are kept. */
  unknown: KubeObject[];
}

/**
 * Turns the files of a source into the objects to apply, or refuses them: all or nothing.
 * Pure, so that a worker thread can run it; `toJson` and `parseJson` carry the objects over without losing a digit.
 * @throws RenderError with every problem found (up to 20), each with file and line or object, and what to do
 */
export function render(
  files: readonly SourceFile[],
  content: RenderContent,
  options: RenderOptions,
): Rendered {
  const { path = '.', type = 'yaml' } = content;
  if (type !== 'yaml') {
    throw problem('content.type', `${JSON.stringify(type)} is not a type of plain files`, 'use "yaml"');
  }
  return renderTexts(selectFiles(files, path), options);
}

/**
 * The part of render after the files are chosen, for text that comes from elsewhere (one inline source, a program).
 * @throws RenderError as render does
 */
export function renderTexts(texts: readonly TextFile[], options: RenderOptions): Rendered {
  const limits = { ...RENDER_LIMITS, ...options.limits };
  const problems = new Problems();
  const warnings: string[] = [];
  const { variables } = options;
  const final = variables === undefined ? texts : texts.map((text) => substitute(text, variables, problems));
  problems.throwIfAny();
  const read = readObjects(final, limits, problems, warnings);
  const sources = mutated(read, { ...options, limits }, problems, warnings);
  const unknown = prepare(sources, options, problems, warnings);
  if (sources.every(isHook) && options.allowEmpty !== true) throw emptyRender(sources);
  return { objects: sortObjects(sources.map(({ object }) => object)), warnings, unknown };
}

/** The mutations run on objects that have their namespaces, and may undo any of what was prepared. */
function mutated(
  sources: SourceObject[],
  { mutations = [], ...options }: RenderOptions & { limits: RenderLimits },
  problems: Problems,
  warnings: string[],
): SourceObject[] {
  if (mutations.length === 0) return sources;
  // A mutation may be what corrects an apiVersion, so unknown kinds are refused after them.
  prepare(sources, { ...options, unknownKinds: 'keep' }, problems, warnings);
  return mutate(sources, mutations, problems, warnings, options.limits);
}

/**
 * Makes objects such as can be applied. Changes them.
 * @returns those of unknown kinds that were kept
 * @throws RenderError with every problem found so far
 */
function prepare(
  sources: readonly SourceObject[],
  options: NamespaceOptions,
  problems: Problems,
  warnings: string[],
): KubeObject[] {
  for (const source of sources) normalise(source, problems);
  const unknown = placeInNamespaces(sources, options, problems, warnings);
  refuseDuplicates(sources, problems);
  problems.throwIfAny();
  return unknown;
}

function readObjects(
  texts: readonly TextFile[],
  limits: RenderLimits,
  problems: Problems,
  warnings: string[],
): SourceObject[] {
  let characters = 0;
  const sources: SourceObject[] = [];
  for (const { path, text } of texts) {
    characters += text.length;
    if (characters > limits.text) {
      throw problem(
        path,
        `the source is over the limit of ${limits.text} characters`,
        'split it into several Releases',
      );
    }
    try {
      for (const source of toObjects(parseYaml(text, path, limits), path, limits, warnings))
        sources.push(source);
    } catch (error) {
      problems.absorb(error);
    }
    if (sources.length > limits.objects) {
      problems.add(tooMany(path, limits.objects));
      problems.throwIfAny();
    }
  }
  return sources;
}

/** The same object in two API versions is the same object. */
function refuseDuplicates(sources: readonly SourceObject[], problems: Problems): void {
  const first = new Map<string, string>();
  for (const { object, where } of sources) {
    const key = keyOf(object);
    const id = keyString(key);
    const other = first.get(id);
    if (other === undefined) {
      first.set(id, where);
      continue;
    }
    problems.add({
      where,
      what: `${describe(key)} stands in this render twice, the first time at ${other}`,
      remedy: 'remove one of the two, or give it another name',
    });
  }
}

/** It is run, not applied. */
function isHook({ object }: SourceObject): boolean {
  return object.kind === 'Job' && readAnnotations(object).hook !== undefined;
}

function emptyRender(hooks: readonly SourceObject[]): Error {
  const what = hooks.length === 0 ? 'no object' : 'nothing but hooks';
  return problem(
    'the source',
    `there is ${what} in it, and an empty render would remove everything`,
    'correct the source or its path, or set the annotation convoy.kumodo.io/allow-empty: "true" on the Release',
  );
}
