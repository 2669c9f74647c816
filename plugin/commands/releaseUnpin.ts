import { changeRelease } from '../cluster/changeRelease.ts';
import { withSession } from '../cluster/session.ts';
import { printChanged, refuseWide } from './changed.ts';
import type { Command } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release unpin NAME`: what the source says is applied again. */
export const releaseUnpin: Command = async (invocation) => {
  const { flags, io, name = '' } = invocation;
  refuseWide(invocation);
  await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const { namespace = '' } = release.metadata;
    if (release.spec.pin === undefined) {
      await printChanged(invocation, release, [`Release ${name} in ${namespace} is not pinned.`]);
      return;
    }
    await printChanged(invocation, await changeRelease(session, release, { pin: null }), [
      `Release ${name} in ${namespace} is not pinned any more: what its source holds is applied as a new render.`,
      `Follow it with: kubectl convoy release status ${name} -n ${namespace} --watch`,
    ]);
  });
  return 0;
};
