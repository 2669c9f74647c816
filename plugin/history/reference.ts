import type { Release } from '../../api/release.ts';
import { CliProblem, usageProblem } from '../cli/problem.ts';

/** A render as people name it: by its number in the history, or by the beginning of its digest. */
export type Reference = { number: number } | { digest: string };

/** A render that was named. */
export interface Named {
  /** `sha256:<hex>`, whole. */
  renderRef: string;
  /** In the history; undefined where it was named by its digest. */
  number: number | undefined;
}

const DIGEST = /^sha256:[0-9a-f]{6,64}$/;
const WHOLE_DIGEST = 'sha256:'.length + 64;
/** More digits are no number of a history. */
const NUMBER = /^[1-9]\d{0,8}$/;

/** @param where what it stands behind, for messages. @throws CliProblem with exit code 2 */
export function parseReference(text: string, where: string): Reference {
  if (NUMBER.test(text)) return { number: Number(text) };
  if (DIGEST.test(text)) return { digest: text };
  throw usageProblem(
    `${where} ${JSON.stringify(text)}`,
    'it takes a number of the history, or a digest such as sha256:9f2b5c0de1a4',
  );
}

/**
 * The render that is meant.
 * @param held digests that the render store holds, as far as they are known
 * @throws CliProblem where the Release knows none, or several begin so
 */
export function resolveReference(
  reference: Reference,
  release: Release,
  held: readonly string[] = [],
): Named {
  if ('number' in reference) return byNumber(reference.number, release);
  const { digest } = reference;
  if (digest.length === WHOLE_DIGEST) return { renderRef: digest, number: undefined };
  const found = knownRenders(release, held).filter((ref) => ref.startsWith(digest));
  const [renderRef] = found;
  if (renderRef !== undefined && found.length === 1) return { renderRef, number: undefined };
  const { name, namespace = '' } = release.metadata;
  throw new CliProblem(
    found.length === 0
      ? `no render of ${name} in ${namespace} is known whose digest begins with ${digest}`
      : `${found.length} renders of ${name} in ${namespace} begin with ${digest}`,
    { why: found, hints: [historyHint(release)] },
  );
}

function byNumber(number: number, release: Release): Named {
  const { history = [], pin } = release.status ?? {};
  const entry = history.find((one) => one.number === number);
  if (entry !== undefined) return { renderRef: entry.renderRef, number };
  if (pin?.history === number) return { renderRef: pin.renderRef, number };
  const { name, namespace = '' } = release.metadata;
  const numbers = history.map((one) => one.number).join(', ');
  throw new CliProblem(`the history of ${name} in ${namespace} has no number ${number}`, {
    why: [numbers === '' ? 'no render of it was applied completely' : `it has ${numbers}`],
    hints: [historyHint(release)],
  });
}

/** Digests that the status names, then those that are held besides. */
function knownRenders({ status = {} }: Release, held: readonly string[]): string[] {
  const { history = [], lastHealthy, lastSuccessful, lastAttempted, rollout, pin } = status;
  const named = [...history, lastHealthy, lastSuccessful, lastAttempted, rollout, pin];
  return [...new Set([...named.flatMap((one) => one?.renderRef ?? []), ...held])];
}

/** The command that lists what can be named. */
export function historyHint({ metadata }: Release): string {
  return `see what there is: kubectl convoy release history ${metadata.name} -n ${metadata.namespace ?? ''}`;
}
