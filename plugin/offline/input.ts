import { ALLOW_EMPTY } from '../../api/annotations.ts';
import { unsupportedFields } from '../../api/available.ts';
import { API_VERSION } from '../../api/group.ts';
import { describe, keyOf } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { validate } from '../../api/validate.ts';
import type { TextFile } from '../../engine/render/files.ts';
import { toObjects } from '../../engine/render/objects.ts';
import { parseYaml } from '../../engine/render/yaml.ts';
import { CliProblem } from '../cli/problem.ts';

/** What is to be planned: plain manifests, or those that a Release holds, with what its spec says of them. */
export interface PlanInput {
  texts: readonly TextFile[];
  /** Undefined for plain manifests. */
  release: Release | undefined;
  allowEmpty: boolean;
}

/** A Release is told from manifests by this alone, so that only a file that may be one is read twice. */
const MAY_BE_RELEASE = /core\.convoy\.kumodo\.io/;

/**
 * Takes a Release that stands alone for the thing to plan; next to other objects it is one of them.
 * @throws CliProblem for a Release that is not valid, or whose source is not at hand offline; RenderError for files that cannot be read
 */
export async function planInput(texts: readonly TextFile[]): Promise<PlanInput> {
  const release = await releaseIn(texts);
  if (release === undefined) return { texts, release, allowEmpty: false };
  const { inline } = release.spec.source;
  if (inline === undefined) throw sourceElsewhere(release);
  return {
    texts: [{ path: 'spec.source.inline', text: inline }],
    release,
    allowEmpty: release.metadata.annotations?.[ALLOW_EMPTY] === 'true',
  };
}

/**
 * The Release that stands alone in what was read; undefined for anything else.
 * @throws CliProblem for one that is not valid; RenderError for a file that cannot be read
 */
export async function releaseIn(texts: readonly TextFile[]): Promise<Release | undefined> {
  const release = soleRelease(texts);
  if (release !== undefined) await checkRelease(release);
  return release;
}

function soleRelease(texts: readonly TextFile[]): Release | undefined {
  const [only] = texts;
  if (only === undefined || texts.length > 1 || !MAY_BE_RELEASE.test(only.text)) return undefined;
  const objects = toObjects(parseYaml(only.text, only.path), only.path);
  const [source] = objects;
  if (source === undefined || objects.length > 1) return undefined;
  const { object } = source;
  return object.apiVersion === API_VERSION && object.kind === 'Release' ? (object as Release) : undefined;
}

async function checkRelease(release: Release): Promise<void> {
  const problems = await validate(release);
  const why = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (why.length === 0) why.push(...unsupportedFields(release.spec));
  if (why.length === 0) return;
  throw new CliProblem(`${describe(keyOf(release))} is not valid`, {
    why,
    hints: ['correct these fields; docs/api.md describes each of them'],
  });
}

function sourceElsewhere(release: Release): CliProblem {
  const source = Object.keys(release.spec.source)[0] ?? '';
  return new CliProblem(`${describe(keyOf(release))} cannot be planned offline`, {
    why: [`its source is ${source}, whose content is not in this file`],
    hints: [
      'plan the manifests themselves: kubectl convoy waves plan -f FILES',
      `or the Release on the cluster: kubectl convoy waves plan ${release.metadata.name}`,
    ],
  });
}
