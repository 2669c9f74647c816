import { createHash } from 'node:crypto';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import { canonicalJson } from './canonical.ts';
import { renderRefOf } from './digest.ts';
import { RenderError } from './errors.ts';
import type { SourceFile, TextFile } from './files.ts';
import { render, type RenderContent, type Rendered, type RenderOptions, renderTexts } from './render.ts';
import type { Scope } from './types.ts';

/** What is rendered: the files of a source with what the Release says of them, or manifests that stand for them. */
export type RenderSource = { files: SourceFile[]; content: RenderContent } | { texts: readonly TextFile[] };

/** One render as plain data, so that it can be handed to a worker thread. */
export interface RenderJob {
  source: RenderSource;
  targetNamespace: string;
  mutations: readonly Mutation[];
  allowEmpty: boolean;
  /** Replace what the files refer to; undefined: nothing is replaced. */
  variables: ReadonlyMap<string, string> | undefined;
  /** Names of those that no message may tell. */
  secret: ReadonlySet<string>;
  /** `group/kind` of each type that the cluster serves, with its scope. */
  scopes: Map<string, Scope>;
  labels: OwnerLabels;
}

/** Written on each object; `defaults` only where the render has none of that name. */
export interface OwnerLabels {
  always: Record<string, string>;
  defaults: Record<string, string>;
}

/** What is sent of an object. */
export interface Body {
  /** JSON, exact in its numbers. */
  text: string;
  /** Names the text. */
  digest: string;
}

export interface RenderResult {
  renderRef: string;
  /** In the order of a render. */
  bodies: Body[];
  /** Canonical JSON of the objects, without the labels: what the digest is of. */
  canonical: string;
  warnings: string[];
  /** Objects of kinds that neither the cluster nor the render knows. */
  unknown: { key: ObjectKey; apiVersion: string }[];
}

/** A refused render is a result too: errors lose their class between threads. */
export type RenderOutcome = RenderResult | { refused: string };

/** Files in, JSON texts out: the digest is of the render itself, the labels come after it. */
export function runRender(job: RenderJob): RenderOutcome {
  const outcome = renderOnce(job);
  return 'refused' in outcome && job.secret.size > 0 ? { refused: refusalWithoutSecrets(job) } : outcome;
}

/** What is wrong with a render may quote its text: so it is told of one with other letters in place of the secret ones. */
function refusalWithoutSecrets(job: RenderJob): string {
  const outcome = renderOnce(withoutSecrets(job));
  if ('refused' in outcome) return outcome.refused;
  const names = [...job.secret].sort().join(', ');
  return `the source cannot be rendered with the values that Secrets give to ${names}, which are not shown: mind their quotes and line ends`;
}

/** The same render with other letters in place of the secret ones: what differs in it comes from Secrets. */
export function withoutSecrets(job: RenderJob): RenderJob {
  const masked = [...(job.variables ?? [])].map(
    ([name, value]) => [name, job.secret.has(name) ? otherLetters(value) : value] as const,
  );
  return { ...job, variables: new Map(masked), secret: new Set() };
}

function otherLetters(value: string): string {
  return value.replaceAll(/[^\n]/g, (letter) => (letter === 'x' ? 'y' : 'x'));
}

function renderOnce(job: RenderJob): RenderOutcome {
  try {
    const { objects, warnings, unknown } = renderSource(job.source, {
      targetNamespace: job.targetNamespace,
      mutations: job.mutations,
      allowEmpty: job.allowEmpty,
      variables: job.variables,
      unknownKinds: 'assume',
      scopeOf: (group, kind) => job.scopes.get(`${group}/${kind}`),
    });
    const renderRef = renderRefOf(objects);
    const canonical = canonicalJson(objects);
    return {
      renderRef,
      canonical,
      bodies: bodiesOf(objects, job.labels),
      warnings,
      unknown: unknown.map((object) => ({ key: keyOf(object), apiVersion: object.apiVersion })),
    };
  } catch (error) {
    if (error instanceof RenderError) return { refused: error.message };
    throw error;
  }
}

function renderSource(source: RenderSource, options: RenderOptions): Rendered {
  return 'texts' in source
    ? renderTexts(source.texts, options)
    : render(source.files, source.content, options);
}

/** What is sent of the objects: they get the labels of their Release. */
export function bodiesOf(objects: readonly KubeObject[], { always, defaults }: OwnerLabels): Body[] {
  for (const { metadata } of objects) metadata.labels = { ...defaults, ...metadata.labels, ...always };
  return objects.map((object) => bodyOf(canonicalJson(object)));
}

function bodyOf(text: string): Body {
  return { text, digest: createHash('sha256').update(text).digest('base64') };
}
