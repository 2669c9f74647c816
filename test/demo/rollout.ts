import colors from 'picocolors';
import { keyOf, keyString, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { Screen } from './screen.ts';
import { nameOf, type ShopObject, WAVE_NAMES } from './shop.ts';
import { type Progress, progressOf } from './workloads.ts';

const KIND_WIDTH = 25;
const BAR_WIDTH = 12;
const ENTRY_INDENT = 13;

interface Row {
  kind: string;
  name: string;
  wave: number;
  progress: Progress;
}

/** The example coming up: what is there, which workloads are ready, what the Release says. Shows each change. */
export class Rollout {
  /** Resolves when the Release is Ready, every object is there and every workload is ready. */
  readonly done: Promise<undefined>;
  readonly #screen: Screen;
  readonly #wanted: ReadonlyMap<string, ShopObject>;
  readonly #present = new Set<string>();
  readonly #workloads = new Map<string, Row>();
  readonly #finished = Promise.withResolvers<undefined>();
  #release = 'the controller has not taken it up yet';
  #isReleaseReady = false;
  #wavesOpen = 0;

  constructor(screen: Screen, objects: readonly ShopObject[]) {
    this.#screen = screen;
    this.#wanted = new Map(objects.map((one) => [keyString(keyOf(one.object)), one]));
    this.done = this.#finished.promise;
    for (const { object, wave } of objects) {
      const progress = progressOf(object);
      if (progress === undefined) continue;
      this.#workloads.set(keyString(keyOf(object)), {
        ...titleOf(object),
        wave,
        progress: { ...progress, isReady: false },
      });
    }
  }

  seeObject(object: KubeObject, isNew: boolean): void {
    const key = keyString(keyOf(object));
    if (isNew && !this.#present.has(key)) {
      this.#present.add(key);
      this.#openUpTo(this.#wanted.get(key)?.wave ?? 0);
      this.#tell(colors.green('+'), object);
    }
    const row = this.#workloads.get(key);
    const progress = progressOf(object);
    if (row !== undefined && progress !== undefined) this.#see(object, row, progress);
    this.#update();
  }

  seeRelease(release: Release): void {
    const ready = release.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready === undefined || release.status?.observedGeneration !== release.metadata.generation) return;
    // The objects behind the colon change with every pod, and have lines of their own.
    const [headline = ''] = ready.message.split(': ', 1);
    const text = `${ready.reason}: ${headline}`;
    this.#isReleaseReady = ready.status === 'True';
    if (text !== this.#release) {
      const mark = this.#isReleaseReady ? colors.green('✔') : colors.yellow('…');
      this.#entry(mark, `Release ${release.metadata.name}`, text);
    }
    this.#release = text;
    this.#update();
  }

  /** What is not as it should be, a line each. */
  missing(): string[] {
    const absent = [...this.#wanted]
      .filter(([key]) => !this.#present.has(key))
      .map(([, { object }]) => titleOf(object));
    const waiting = [...this.#workloads.values()].filter(({ progress }) => !progress.isReady);
    return [
      `Release: ${this.#release}`,
      ...absent.map(({ kind, name }) => `${kind} ${name} is not there`),
      ...waiting.map(
        ({ kind, name, progress }) => `${kind} ${name} has ${progress.done} of ${progress.want} pods ready`,
      ),
    ];
  }

  /** `35 objects, 9 workloads ready`. */
  get summary(): string {
    const ready = [...this.#workloads.values()].filter(({ progress }) => progress.isReady).length;
    return `${this.#present.size} of ${this.#wanted.size} objects, ${ready} of ${this.#workloads.size} workloads ready`;
  }

  #see(object: KubeObject, row: Row, progress: Progress): void {
    const { done, want, isReady } = row.progress;
    row.progress = progress;
    if (progress.isReady && !isReady) this.#tell(colors.green('✔'), object, `${counts(progress)} ready`);
    else if (!this.#screen.isLive && (progress.done !== done || progress.want !== want))
      this.#tell('·', object, counts(progress));
  }

  #openUpTo(wave: number): void {
    for (; this.#wavesOpen <= wave; this.#wavesOpen++) {
      const why = this.#wavesOpen === 0 ? '' : `: all of wave ${this.#wavesOpen - 1} is healthy`;
      this.#screen.line();
      this.#entry(colors.cyan('▸'), colors.bold(`wave ${waveText(this.#wavesOpen)} opens${why}`));
    }
  }

  #tell(mark: string, object: KubeObject, text = ''): void {
    const { kind, name } = titleOf(object);
    this.#entry(mark, `${kind.padEnd(KIND_WIDTH)} ${name}`, text);
  }

  #entry(mark: string, title: string, text = ''): void {
    const time = `${(this.#screen.elapsedMs / 1000).toFixed(1)} s`.padStart(8);
    this.#screen.entry(`  ${colors.dim(time)} ${mark} ${title}`, text, ENTRY_INDENT);
  }

  #update(): void {
    const rows = [...this.#workloads.values()];
    this.#screen.live(['', ...rows.map((row) => this.#drawn(row)), '', `  ${this.summary}`]);
    if (
      this.#isReleaseReady &&
      this.#present.size === this.#wanted.size &&
      rows.every(({ progress }) => progress.isReady)
    ) {
      this.#finished.resolve(undefined);
    }
  }

  #drawn({ kind, name, wave, progress }: Row): string {
    const full = Math.round(
      (Math.min(progress.done, progress.want) / Math.max(progress.want, 1)) * BAR_WIDTH,
    );
    const bar = colors.green('█'.repeat(full)) + colors.dim('░'.repeat(BAR_WIDTH - full));
    const title = `${kind.padEnd(12)} ${name.padEnd(26)}`;
    const state =
      wave < this.#wavesOpen ? `${bar} ${counts(progress)}` : colors.dim(`in wave ${waveText(wave)}`);
    return `  ${progress.isReady ? colors.green('✔') : colors.dim('·')} ${title} ${state}`;
  }
}

function titleOf(object: KubeObject): { kind: string; name: string } {
  return { kind: object.kind, name: nameOf(keyOf(object)) };
}

function waveText(wave: number): string {
  return `${wave} (${WAVE_NAMES[wave] ?? ''})`;
}

function counts({ done, want }: Progress): string {
  return `${done}/${want}`;
}
