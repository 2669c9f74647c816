import { randomUUID } from 'node:crypto';
import { formatDuration } from '../../api/duration.ts';
import type { Release } from '../../api/release.ts';
import { LONGEST_TIMER_MS } from '../../kube/clock.ts';
import { Bell } from '../cli/bell.ts';
import { interruptible } from '../cli/interruptible.ts';
import { Live } from '../cli/live.ts';
import { dataText } from '../cli/printObjects.ts';
import { CliProblem } from '../cli/problem.ts';
import { type Followed, followReleases } from '../cluster/follow.ts';
import { withSession } from '../cluster/session.ts';
import { type Asked, requestSync } from '../sync/requestSync.ts';
import { SyncFollower, type SyncState } from '../sync/syncFollower.ts';
import { ChangeLines } from '../views/changeLines.ts';
import { remedyFor } from '../views/remedies.ts';
import { readinessOf } from '../views/readiness.ts';
import { doneText, syncLines, syncPage, type SyncView, waitsFor } from '../views/syncPage.ts';
import type { Invocation } from './command.ts';
import { askedData, askedText } from '../sync/asked.ts';

const DEFAULT_TIMEOUT_MS = 600_000;
/** How often the time that has passed is drawn again. */
const CLOCK_MS = 1000;

/**
 * `release sync NAME --wait`: asks for a sync and follows it. The exit code is 0 when it is applied and the Release ready,
 * 130 after Ctrl-C.
 * @throws CliProblem with exit code 1 where it failed, 124 where it took longer than --timeout
 */
export async function followSync(invocation: Invocation): Promise<number> {
  const { flags, name = '', io } = invocation;
  const wish = { id: randomUUID(), force: flags.force };
  return await interruptible(io, (interrupted) =>
    withSession(flags, io.env, async (session) => {
      const asked = await requestSync(session, name, wish);
      if (!isData(invocation)) io.stdout.write(askedText(asked));
      const bell = new Bell();
      const limitMs = flags.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const timeout = AbortSignal.timeout(Math.min(limitMs, LONGEST_TIMER_MS));
      const signal = AbortSignal.any([interrupted, timeout]);
      const following = new Following(invocation, asked, bell);
      try {
        const scope = { namespace: session.namespace, name };
        return await followReleases(session, scope, { changed: () => bell.ring(), signal }, (followed) =>
          following.run(followed, signal),
        );
      } catch (error) {
        if (error === timeout.reason) throw tookTooLong(following.release, limitMs);
        if (interrupted.aborted) io.stderr.write('The sync goes on without this command.\n');
        throw error;
      }
    }),
  );
}

function isData({ flags }: Pick<Invocation, 'flags'>): boolean {
  return flags.output === 'json' || flags.output === 'yaml';
}

/** Shows one sync until it ends. */
class Following {
  readonly #call: Invocation;
  readonly #asked: Asked;
  readonly #bell: Bell;
  readonly #follower: SyncFollower;
  readonly #since: number;
  readonly #lines = new ChangeLines();
  /** As last seen. */
  release: Release;

  constructor(call: Invocation, asked: Asked, bell: Bell) {
    this.#call = call;
    this.#asked = asked;
    this.#bell = bell;
    this.#follower = new SyncFollower(asked.request.id, asked.release);
    this.#since = call.io.now().getTime();
    this.release = asked.release;
  }

  async run(followed: Followed, signal: AbortSignal): Promise<number> {
    const live = new Live(this.#call.io);
    try {
      for (;;) {
        const view = this.#look(followed);
        this.#show(view, live);
        if (view.state.phase === 'done') return await this.#done(view, live);
        if (view.state.phase === 'failed') throw failed(view.release, view.state.why);
        await this.#bell.heard(signal, live.isLive ? CLOCK_MS : undefined);
      }
    } finally {
      live.end();
    }
  }

  #look(followed: Followed): SyncView {
    const release = followed.releases()[0];
    const state: SyncState =
      release === undefined ? { phase: 'failed', why: 'the Release is gone' } : this.#follower.see(release);
    this.release = release ?? this.release;
    return {
      release: this.release,
      inventory: followed.inventoryOf(this.release),
      state,
      request: { ...this.#asked.request, id: this.#follower.id },
      since: this.#since,
    };
  }

  #show(view: SyncView, live: Live): void {
    const { io, paint } = this.#call;
    const now = io.now();
    if (isData(this.#call)) return;
    if (live.isLive) live.draw(syncPage(view, { now, width: io.stdout.columns ?? Infinity, paint }));
    else io.stdout.write(this.#lines.changed(syncLines(view, now), now));
  }

  async #done(view: SyncView, live: Live): Promise<number> {
    const { io, flags } = this.#call;
    const { output } = flags;
    live.end();
    if (output === 'json' || output === 'yaml') {
      const data = askedData({ ...this.#asked, release: view.release });
      io.stdout.write(await dataText({ ...data, id: this.#follower.id, result: 'Applied' }, output));
    } else {
      io.stdout.write(`Release ${this.release.metadata.name} is synced: ${doneText(view, io.now())}\n`);
    }
    return 0;
  }
}

function failed(release: Release, why: string): CliProblem {
  const { name, namespace = '' } = release.metadata;
  const remedies = why.startsWith('Superseded by')
    ? [`follow what took its place: kubectl convoy release sync ${name} -n ${namespace} --wait`]
    : remedyFor(reasonOf(why) ?? readinessOf(release).reason, { name, namespace });
  return new CliProblem(`the sync of ${name} in ${namespace} has failed`, {
    why: [why],
    hints: remedies.some((line) => line.includes('release why')) ? remedies : [...remedies, whyHint(release)],
  });
}

/** What a rollout failed of may be on its way still, as Ready says it. */
function reasonOf(why: string): string | undefined {
  return why.startsWith('RolloutFailed:') ? 'RolloutFailed' : undefined;
}

function tookTooLong(release: Release, limitMs: number): CliProblem {
  const { name, namespace = '' } = release.metadata;
  return new CliProblem(
    `the sync of ${name} in ${namespace} was not done within ${formatDuration(limitMs)}`,
    {
      why: [waitsFor(release)],
      hints: ['nothing was taken back: it goes on without this command', whyHint(release)],
      exitCode: 124,
    },
  );
}

function whyHint({ metadata }: Release): string {
  return `see what stands in the way: kubectl convoy release why ${metadata.name} -n ${metadata.namespace ?? ''}`;
}
