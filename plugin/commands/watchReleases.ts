import type { Release } from '../../api/release.ts';
import { Bell } from '../cli/bell.ts';
import { interruptible } from '../cli/interruptible.ts';
import { Live } from '../cli/live.ts';
import { type Followed, followReleases } from '../cluster/follow.ts';
import { withSession } from '../cluster/session.ts';
import { ChangeLines, type Told } from '../views/changeLines.ts';
import type { Page } from '../views/page.ts';
import type { Invocation } from './command.ts';
import { getRelease } from './getRelease.ts';

/** What a view that stays shows. */
export interface WatchView {
  /** On a terminal, in place. */
  frame(releases: readonly Release[], followed: Followed, page: Page): string[];
  /** Elsewhere: a line for each change of what it tells. */
  lines(releases: readonly Release[], followed: Followed, now: Date): Told;
}

/** How often the time that is left is drawn again. */
const COUNTDOWN_MS = 1000;

/**
 * `--watch`: shows the Release that is named, or all of the namespace, or of all namespaces, until it is interrupted or the
 * one that was named is gone. Gives the exit code.
 */
export async function watchReleases(invocation: Invocation, view: WatchView): Promise<number> {
  const { flags, name, io } = invocation;
  return await interruptible(io, (signal) =>
    withSession(flags, io.env, async (session) => {
      if (name !== undefined) await getRelease(session, name);
      const bell = new Bell();
      const scope = { namespace: flags.allNamespaces ? undefined : session.namespace, name };
      return await followReleases(session, scope, { changed: () => bell.ring(), signal }, (followed) =>
        show(followed, view, { ...invocation, bell, signal }),
      );
    }),
  );
}

interface Showing extends Invocation {
  bell: Bell;
  signal: AbortSignal;
}

async function show(followed: Followed, view: WatchView, showing: Showing): Promise<number> {
  const { io, paint, bell, signal, name } = showing;
  const live = new Live(io);
  const lines = new ChangeLines();
  try {
    for (;;) {
      const releases = followed.releases();
      const now = io.now();
      const page = { now, width: io.stdout.columns ?? Infinity, paint };
      if (!live.isLive) io.stdout.write(lines.changed(view.lines(releases, followed, now), now));
      else if (releases.length > 0) live.draw(view.frame(releases, followed, page));
      else live.draw([name === undefined ? 'No Releases found.' : `Release ${name} is gone.`]);
      if (name !== undefined && releases.length === 0) return 0;
      await bell.heard(signal, live.isLive ? COUNTDOWN_MS : undefined);
    }
  } finally {
    live.end();
  }
}
