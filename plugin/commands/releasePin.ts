import type { Pin, Release } from '../../api/release.ts';
import { CliProblem, usageProblem } from '../cli/problem.ts';
import { changeRelease } from '../cluster/changeRelease.ts';
import { type Session, withSession } from '../cluster/session.ts';
import { controllerStore } from '../history/controllerStore.ts';
import { type Named, parseReference, type Reference, resolveReference } from '../history/reference.ts';
import { StoredRenders } from '../history/storedRenders.ts';
import { shortDigest } from '../views/sourceText.ts';
import { printChanged, refuseWide } from './changed.ts';
import type { Command } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release pin NAME --to RENDER --reason TEXT`: keeps the Release at a stored render. */
export const releasePin: Command = async (invocation) => {
  const { flags, io, name = '' } = invocation;
  const { to, reason = '' } = flags;
  refuseWide(invocation);
  if (to === undefined)
    throw usageProblem('release pin needs --to', `see what there is: kubectl convoy release history ${name}`);
  if (reason.trim() === '')
    throw usageProblem('release pin needs --reason', 'say why, for those who come later: --reason TEXT');
  const reference = parseReference(to, '--to');
  await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const named = await findHeld(session, release, reference);
    const pin = pinOf(named, reason);
    const isSo = JSON.stringify(pin) === JSON.stringify(sorted(release.spec.pin));
    const changed = isSo
      ? release
      : await changeRelease(session, release, { pin: { history: null, renderRef: null, ...pin } });
    await printChanged(invocation, changed, pinnedLines(changed, named, isSo));
  });
  return 0;
};

/**
 * The render that is meant, which the store holds as far as whoever asks can find out: those who may not read Secrets may pin
 * all the same, and the status tells what comes of it.
 */
async function findHeld(session: Session, release: Release, reference: Reference): Promise<Named> {
  const store = await StoredRenders.of(session, release).catch((error: unknown) => {
    if (error instanceof CliProblem) return undefined;
    throw error;
  });
  const held = store?.held ?? [];
  const named = resolveReference(reference, release, held);
  if (store === undefined || held.includes(named.renderRef)) return named;
  const kept = held.length > 0 ? 'secrets' : await controllerStore(session);
  if (kept === 'secrets' || kept === 'none') throw await store.absent(named);
  return named;
}

function pinOf({ renderRef, number }: Named, reason: string): Pin {
  return number === undefined ? { renderRef, reason } : { history: number, reason };
}

/** Fields in the order of pinOf. */
function sorted({ renderRef, history, reason }: Pin = {}): Pin {
  return {
    ...(renderRef === undefined ? {} : { renderRef }),
    ...(history === undefined ? {} : { history }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function pinnedLines({ metadata, spec }: Release, { renderRef, number }: Named, already: boolean): string[] {
  const { name, namespace = '' } = metadata;
  const which = `render ${shortDigest(renderRef)}${number === undefined ? '' : ` (history ${number})`}`;
  return [
    `Release ${name} in ${namespace} is pinned to ${which}${already ? ' already' : ''}: it stays there, whatever its source says.`,
    ...(spec.suspend === true
      ? [`It is suspended: that is applied after kubectl convoy release resume ${name} -n ${namespace}`]
      : [`Follow it with: kubectl convoy release status ${name} -n ${namespace} --watch`]),
    `Take the pin out with: kubectl convoy release unpin ${name} -n ${namespace}`,
  ];
}
