import type { Release } from '../../api/release.ts';
import { changeRelease } from '../cluster/changeRelease.ts';
import { withSession } from '../cluster/session.ts';
import { printChanged, refuseWide } from './changed.ts';
import type { Command, Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release suspend NAME`: nothing of it is applied any more. */
export const releaseSuspend: Command = async (invocation) => {
  await setSuspend(invocation, true);
  return 0;
};

/** `release resume NAME`: it is applied again. */
export const releaseResume: Command = async (invocation) => {
  await setSuspend(invocation, false);
  return 0;
};

async function setSuspend(invocation: Invocation, suspend: boolean): Promise<void> {
  const { flags, io, name = '' } = invocation;
  refuseWide(invocation);
  await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const isSo = (release.spec.suspend ?? false) === suspend;
    const changed = isSo
      ? release
      : await changeRelease(session, release, { suspend: suspend ? true : null });
    await printChanged(invocation, changed, (suspend ? suspendedLines : resumedLines)(changed, isSo));
  });
}

function suspendedLines({ metadata }: Release, already: boolean): string[] {
  const { name, namespace = '' } = metadata;
  return [
    `Release ${name} in ${namespace} is suspended${already ? ' already' : ''}: what is applied stays as it is, and drift too.`,
    `Go on with: kubectl convoy release resume ${name} -n ${namespace}`,
  ];
}

function resumedLines({ metadata, spec }: Release, already: boolean): string[] {
  const { name, namespace = '' } = metadata;
  const by = spec.pin === undefined ? 'what its source holds now' : 'the render that it is pinned to';
  const text = already ? `is not suspended: ${by} is kept applied` : `goes on: ${by} is applied`;
  return [
    `Release ${name} in ${namespace} ${text}.`,
    `Follow it with: kubectl convoy release status ${name} -n ${namespace} --watch`,
  ];
}
