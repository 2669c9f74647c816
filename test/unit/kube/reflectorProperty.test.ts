import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { bench, type Bench } from './reflectorFixture.ts';
import { refusal, stateOf } from './reflectorServer.ts';

type Step = (bench: Bench) => void | Promise<void>;

const name = fc.constantFrom('a', 'b', 'c');
const status = fc.constantFrom(401, 403, 404, 410, 429, 500, 503, 504);
const named = (label: string, step: Step): { label: string; step: Step } => ({ label, step });

/** What can happen to the objects, the connections and the server, and time. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: name.map((n) => named(`create ${n}`, ({ server }) => server.create(n))) },
    { weight: 4, arbitrary: name.map((n) => named(`update ${n}`, ({ server }) => server.update(n))) },
    { weight: 4, arbitrary: name.map((n) => named(`remove ${n}`, ({ server }) => server.remove(n))) },
    fc.nat(5).map((back) => named(`repeat ${back}`, ({ server }) => server.repeat(back))),
    fc.constant(named('bookmark', ({ server }) => server.bookmark())),
    fc.constant(named('end watches', ({ server }) => server.cut())),
    fc.constant(named('cut watches', ({ server }) => server.cut(new Error('cut')))),
    fc.constant(named('half-open', ({ server }) => server.goHalfOpen())),
    fc.constant(named('compact', ({ server }) => server.compact())),
    fc.constant(named('hang the next list', ({ server }) => void server.listFaults.push('hang'))),
    fc.constant(named('hang the next watch', ({ server }) => void server.watchFaults.push('hang'))),
    fc.constant(named('close the next watch', ({ server }) => void server.watchFaults.push('close'))),
    status.map((s) =>
      named(`refuse the next list ${s}`, ({ server }) => void server.listFaults.push(refusal(s))),
    ),
    status.map((s) =>
      named(`refuse the next watch ${s}`, ({ server }) => void server.watchFaults.push(refusal(s))),
    ),
    fc.nat(40_000).map((ms) => named(`wait ${ms} ms`, ({ clock }) => clock.advance(ms))),
  ),
  { maxLength: 40 },
);

/** Checks that each uid is added first, then updated to later states, then deleted at most once. */
class LifeCycles {
  readonly #versions = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly broken: string[] = [];

  readonly onAdd = (object: KubeObject): void => {
    const { uid, version } = identify(object);
    if (this.#versions.has(uid)) this.broken.push(`${uid} was added twice`);
    this.#versions.set(uid, version);
  };

  readonly onUpdate = (object: KubeObject, previous: KubeObject): void => {
    const { uid, version } = identify(object);
    const known = this.#versions.get(uid);
    if (known === undefined || this.#ended.has(uid)) this.broken.push(`${uid} was updated outside its life`);
    if (version <= (known ?? 0)) this.broken.push(`${uid} went back to ${version}`);
    if (identify(previous).version !== known) this.broken.push(`${uid} has a wrong previous state`);
    this.#versions.set(uid, version);
  };

  readonly onDelete = (object: KubeObject): void => {
    const { uid } = identify(object);
    if (!this.#versions.has(uid) || this.#ended.has(uid))
      this.broken.push(`${uid} was deleted outside its life`);
    this.#ended.add(uid);
  };
}

function identify({ metadata }: KubeObject): { uid: string; version: number } {
  return { uid: metadata.uid ?? '', version: Number(metadata.resourceVersion) };
}

describe('for any history of objects and faults', () => {
  it.each([false, true])(
    'the store ends as the server and each uid lives once (streaming list: %s)',
    async (streamingList) => {
      await fc.assert(
        fc.asyncProperty(steps, async (history) => {
          const it = bench({ streamingList, pageSize: 2 });
          const lives = new LifeCycles();
          it.reflector.addHandler(lives);
          await it.start();
          for (const { step } of history) await step(it);
          // The longest wait: each fault that is left costs a silence and the longest back-off.
          const faults = it.server.listFaults.length + it.server.watchFaults.length + 2;
          await it.clock.advance(faults * 59_000);
          expect(lives.broken).toEqual([]);
          expect(stateOf(it.reflector.list())).toEqual(it.server.state());
          expect(it.reflector.hasSynced).toBe(true);
          await it.stop();
          expect(it.clock.timers).toBe(0);
        }),
        { numRuns: 150 },
      );
    },
    30_000,
  );
});
