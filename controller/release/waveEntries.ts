import type { WaveStatus } from '../../api/release.ts';
import { objectsOfWave, type PlannedWave } from '../../engine/plan/plan.ts';

/**
 * `status.waves` as this reconcile makes it (waves.md, axis A, 7 and 9): an entry for each wave that it applies, in part where
 * objects of it wait. Times are those of the first apply of that wave number for the render, kept over later reconciles of it.
 */
export class WaveEntries {
  readonly #before: ReadonlyMap<number, WaveStatus>;
  readonly #entries: WaveStatus[] = [];

  /** @param before entries of the last reconcile of the same render; none where the clocks start again */
  constructor(before: readonly WaveStatus[]) {
    this.#before = new Map(before.map((wave) => [wave.number, wave]));
  }

  get entries(): readonly WaveStatus[] {
    return this.#entries;
  }

  started(wave: PlannedWave, at: Date): void {
    const { number } = wave;
    this.#entries.push({
      number,
      resources: objectsOfWave(wave).length,
      applied: 0,
      state: 'Completed',
      startedAt: this.#before.get(number)?.startedAt ?? at.toISOString(),
    });
  }

  /** An object of the wave that was started last is as the render wants it. */
  applied(): void {
    const entry = this.#entries.at(-1);
    if (entry !== undefined) entry.applied += 1;
  }

  completed({ number }: PlannedWave, at: Date): void {
    const entry = this.#entries.at(-1);
    if (entry !== undefined) entry.completedAt = this.#before.get(number)?.completedAt ?? at.toISOString();
  }

  /** Start of the clock of the gate that looks at this wave, milliseconds of the epoch. */
  startOf(wave: number): number {
    return Date.parse(this.#entries.find(({ number }) => number === wave)?.startedAt ?? '');
  }
}
