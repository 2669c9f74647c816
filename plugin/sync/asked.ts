import { readinessOf } from '../views/readiness.ts';
import type { Asked } from './requestSync.ts';

/** What was asked for, and what is to be known of a Release that does not take it up at once. */
export function askedText({ request, joined, release }: Asked): string {
  const { name, namespace = '' } = release.metadata;
  const kind = request.force ? 'forced sync' : 'sync';
  const what = joined
    ? `a ${kind} of ${name} in ${namespace} is asked for already: request ${request.id}`
    : `${kind} of ${name} in ${namespace} asked for: request ${request.id}`;
  const notes = [
    ...request.supersedes
      .slice(0, joined ? 0 : 1)
      .map((id) => `It replaces request ${id}, which was weaker.`),
    ...(release.spec.suspend === true
      ? [
          'The Release is suspended: nothing is applied for this request.',
          `Go on with: kubectl convoy release resume ${name} -n ${namespace}`,
        ]
      : []),
  ];
  return [what, ...notes].map((line) => `${line}\n`).join('');
}

/** The data of `-o json`. */
export function askedData({ request, joined, release }: Asked): Record<string, unknown> {
  const { name, namespace } = release.metadata;
  const { status, reason, message, since } = readinessOf(release);
  return { namespace, name, ...request, joined, ready: { status, reason, message, since } };
}
