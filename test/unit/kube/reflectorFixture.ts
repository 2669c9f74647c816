import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeObject } from '../../../api/object.ts';
import { Reflector, type ReflectorFault, type ReflectorOptions } from '../../../kube/reflector.ts';
import { ManualClock } from './manualClock.ts';
import { CollectionServer } from './reflectorServer.ts';

/** What one handler was told: `add web@101`, `update web@102`, `delete web@103`; `delete? …` for the last known state. */
export function recorder(told: string[]): {
  onAdd: (object: KubeObject) => void;
  onUpdate: (object: KubeObject) => void;
  onDelete: (object: KubeObject, finalStateKnown: boolean) => void;
} {
  const name = ({ metadata }: KubeObject): string => `${metadata.name}@${metadata.resourceVersion ?? ''}`;
  return {
    onAdd: (object) => told.push(`add ${name(object)}`),
    onUpdate: (object) => told.push(`update ${name(object)}`),
    onDelete: (object, finalStateKnown) => told.push(`delete${finalStateKnown ? '' : '?'} ${name(object)}`),
  };
}

/** What one handler was told, for tests on real time: they wait for the line that they expect. */
export class Tale {
  readonly lines: string[] = [];
  readonly handler = recorder(this.lines);

  /** Waits for this many lines. */
  until(count: number): Promise<void> {
    return this.settled(() => this.lines.length >= count);
  }

  /** Waits until `condition` holds, looking at it each time that the event loop comes round; at most 4 seconds. */
  async settled(condition: () => boolean): Promise<void> {
    const deadline = performance.now() + 4000;
    while (!condition()) {
      if (performance.now() > deadline)
        throw new Error(`waited in vain; told so far: ${this.lines.join(', ')}`);
      await nextTurn();
    }
  }
}

export interface Bench {
  server: CollectionServer;
  clock: ManualClock;
  reflector: Reflector<KubeObject>;
  told: string[];
  faults: ReflectorFault[];
  /** Starts the reflector and waits until it has done what it can without time passing. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A reflector on a scripted server and a manual clock; the random part of each wait is at its middle. */
export function bench(options: Partial<ReflectorOptions<KubeObject>> = {}): Bench {
  const server = new CollectionServer();
  const clock = new ManualClock();
  const told: string[] = [];
  const faults: ReflectorFault[] = [];
  const reflector = new Reflector<KubeObject>(server, {
    onFault: (fault) => faults.push(fault),
    clock,
    random: () => 0.5,
    ...options,
  });
  reflector.addHandler(recorder(told));
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  return {
    server,
    clock,
    reflector,
    told,
    faults,
    start: async () => {
      running = reflector.run(stop.signal);
      await clock.settle();
    },
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
