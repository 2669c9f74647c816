import { randomUUID } from 'node:crypto';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { type Asked, requestSync } from '../sync/requestSync.ts';
import { readinessOf } from '../views/readiness.ts';
import type { Command, Invocation } from './command.ts';

/** `release sync NAME`: asks for a sync, and with --wait follows it to its end. */
export const releaseSync: Command = async (invocation) => {
  const { flags, name = '', io } = invocation;
  refuseContradictions(invocation);
  if (flags.wait) {
    const { followSync } = await import('./followSync.ts');
    return await followSync(invocation);
  }
  const wish = { id: randomUUID(), force: flags.force };
  const asked = await withSession(flags, io.env, (session) => requestSync(session, name, wish));
  const { output } = flags;
  if (output === 'json' || output === 'yaml') io.stdout.write(await dataText(askedData(asked), output));
  else io.stdout.write(askedText(asked));
  return 0;
};

function refuseContradictions({ flags }: Invocation): void {
  if (flags.timeoutMs !== undefined && !flags.wait)
    throw usageProblem('--timeout needs --wait', 'add --wait');
  if (flags.output === 'name' || flags.output === 'wide')
    throw usageProblem(`--output ${flags.output}`, 'it takes table, json, yaml');
}

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
      ? ['The Release is suspended: the request is taken when spec.suspend is taken out.']
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
