import type { WaveStatus } from '../../api/release.ts';
import { objectsOfWave, type PlannedWave } from '../../engine/plan/plan.ts';

/**
 * `status.waves` as this reconcile makes it (waves.md, axis A, 7 and 9): an entry for each wave that it applies. Times are
 * those of the first apply of that wave number for the render, kept over later reconciles of it.
 */
export class WaveEntries {
  readonly #before: ReadonlyMap<number, WaveStatus>;
  readonly #startedAt = new Map<number, string>();
  readonly #entries: WaveStatus[] = [];

  /** @param before entries of the last reconcile of the same render; none where the clocks start again */
  constructor(before: readonly WaveStatus[]) {
    this.#before = new Map(before.map((wave) => [wave.number, wave]));
  }

  get entries(): readonly WaveStatus[] {
    return this.#entries;
  }

  started({ number }: PlannedWave, at: Date): void {
    this.#startedAt.set(number, this.#before.get(number)?.startedAt ?? at.toISOString());
  }

  completed(wave: PlannedWave, at: Date): void {
    const { number } = wave;
    const now = at.toISOString();
    const resources = objectsOfWave(wave).length;
    this.#entries.push({
      number,
      resources,
      applied: resources,
      state: 'Completed',
      startedAt: this.#startedAt.get(number) ?? now,
      completedAt: this.#before.get(number)?.completedAt ?? now,
    });
  }

  /** Start of the clock of the gate that looks at this wave, milliseconds of the epoch. */
  startOf(wave: number): number {
    return Date.parse(this.#startedAt.get(wave) ?? '');
  }
}
