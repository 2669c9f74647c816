import { randomUUID } from 'node:crypto';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { askedData, askedText } from '../sync/asked.ts';
import { requestSync } from '../sync/requestSync.ts';
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
