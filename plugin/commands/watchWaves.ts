import type { Release } from '../../api/release.ts';
import { Bell } from '../cli/bell.ts';
import { interruptible } from '../cli/interruptible.ts';
import { Live } from '../cli/live.ts';
import { type Followed, followReleases, type FollowScope } from '../cluster/follow.ts';
import { type Session, withSession } from '../cluster/session.ts';
import { ChangeLines } from '../views/changeLines.ts';
import { waveLines } from '../views/waveLines.ts';
import { wavesPage } from '../views/wavesPage.ts';
import type { Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** How often the time that is left is drawn again. */
const COUNTDOWN_MS = 1000;

/** `waves status --watch`: the table in place on a terminal, elsewhere a line for each change. Ends when interrupted, or with the one Release that was named. */
export async function watchWaves(invocation: Invocation): Promise<number> {
  const { flags, name, io } = invocation;
  return await interruptible(io, (signal) =>
    withSession(flags, io.env, async (session) => {
      if (name !== undefined) await getRelease(session, name);
      const bell = new Bell();
      const options = { changed: () => bell.ring(), signal };
      return await followReleases(session, scopeOf(session, invocation), options, (followed) =>
        show(followed, { ...invocation, bell, signal }),
      );
    }),
  );
}

function scopeOf({ namespace }: Session, { flags, name }: Invocation): FollowScope {
  return { namespace: flags.allNamespaces ? undefined : namespace, name };
}

interface Showing extends Invocation {
  bell: Bell;
  signal: AbortSignal;
}

async function show(followed: Followed, showing: Showing): Promise<number> {
  const { io, bell, signal, name } = showing;
  const live = new Live(io);
  const lines = new ChangeLines();
  try {
    for (;;) {
      const releases = followed.releases();
      if (live.isLive) live.draw(frame(releases, followed, showing));
      else
        io.stdout.write(
          lines.changed(
            waveLines(releases, (release) => followed.inventoryOf(release), io.now()),
            io.now(),
          ),
        );
      if (name !== undefined && releases.length === 0) return 0;
      await bell.heard(signal, live.isLive ? COUNTDOWN_MS : undefined);
    }
  } finally {
    live.end();
  }
}

function frame(
  releases: readonly Release[],
  followed: Followed,
  { flags, io, paint, name }: Showing,
): string[] {
  if (releases.length === 0) return [name === undefined ? 'No Releases found.' : `Release ${name} is gone.`];
  return wavesPage(releases, (release) => followed.inventoryOf(release), {
    ...{ now: io.now(), width: io.stdout.columns ?? Infinity, paint },
    ...{ headers: flags.headers, wide: flags.output === 'wide' },
  });
}
