import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEALTH_STATES, type HealthState } from '../../../../api/healthRules.ts';
import type { RollbackPolicy, RolloutHealth } from '../../../../engine/rollout/rollout.ts';
import { Machine, refOf, type Step } from './machine.ts';
import { MINUTE } from './support.ts';

/** Something happens, and the Release is reconciled. */
class Event implements fc.Command<object, Machine> {
  readonly #name: string;
  readonly #happen: (machine: Machine) => void;

  constructor(name: string, happen: (machine: Machine) => void) {
    this.#name = name;
    this.#happen = happen;
  }

  check(): boolean {
    return true;
  }

  run(_: object, machine: Machine): void {
    this.#happen(machine);
    const heldBefore = new Set(machine.held);
    const step = machine.reconcile();
    holdsTrue(step, machine, heldBefore);
    const again = machine.reconcile();
    holdsTrue(again, machine, machine.held);
    // What was decided is not decided otherwise without a cause.
    if (step.after?.state === 'RolledBack') expect(again.after).toEqual(step.after);
  }

  toString(): string {
    return this.#name;
  }
}

function holdsTrue(step: Step, machine: Machine, held: ReadonlySet<string>): void {
  const { before, after, isPinned, wasPinned, isNew, isForced, waveFailed } = step;
  const isRestarted = isNew || isForced || wasPinned || isPinned || machine.rollback === undefined;
  if (machine.rollback === undefined) expect(after, 'there is no rollout without a policy').toBeUndefined();

  // RolledBack is left by a new render, a pin or a forced sync alone, and there is no rollback of a rollback.
  if (before?.state === 'RolledBack' && !isRestarted) {
    expect(after).toEqual(before);
    expect(machine.lastHealthy).toBe(step.lastHealthyBefore);
  }
  // The failed render does not stand applied after a rollback.
  if (after?.state === 'RolledBack' && !isPinned) {
    expect(step.applied).toBe(machine.lastHealthy);
    expect(step.applied).not.toBe(after.renderRef);
  }
  // Succeeded is left by those or a failed wave alone.
  if (before?.state === 'Succeeded' && after?.state !== 'Succeeded' && !waveFailed)
    expect(isRestarted).toBe(true);

  // lastHealthy is never cleared, and moves only to what was seen all Healthy.
  if (step.lastHealthyBefore !== undefined) expect(machine.lastHealthy).toBeDefined();
  if (machine.lastHealthy !== step.lastHealthyBefore)
    expect(step.seen.some(isHealthy(machine.lastHealthy ?? ''))).toBe(true);

  // What was assessed for another render, or not at all, decides nothing.
  const isDecided =
    after !== undefined && !isPinned && after.state !== before?.state && after.state !== 'Progressing';
  if (isDecided && after.state === 'Succeeded') expect(step.seen.some(isHealthy(after.renderRef))).toBe(true);
  if (isDecided && after.state !== 'Succeeded' && !waveFailed) {
    expect(step.seen.some(isUnhealthy(after.renderRef))).toBe(true);
    expect(machine.now).toBeGreaterThanOrEqual(after.startedAt + 5 * MINUTE);
  }
  // A rollback goes to a render that the store holds, and only where the policy says so.
  if (after?.state === 'RolledBack' && before?.state !== 'RolledBack') {
    expect(held.has(machine.lastHealthy ?? '')).toBe(true);
    expect(machine.rollback).not.toBe('Never');
  }
  // While pinned a failed wave alone changes the state.
  if (isPinned && !waveFailed && machine.rollback !== undefined) expect(after).toEqual(before);
  if (isPinned) expect(step.applied).toBe(refOf(machine.pin ?? 0));
}

type Test = (health: RolloutHealth | undefined) => boolean;

const isHealthy =
  (renderRef: string): Test =>
  (health) =>
    health?.renderRef === renderRef && health.counts.healthy === 4 && health.missing === 0;

const isUnhealthy =
  (renderRef: string): Test =>
  (health) =>
    health?.renderRef === renderRef && (health.counts.progressing === 1 || health.counts.degraded === 1);

const render = fc.integer({ min: 1, max: 4 });
const POLICIES: readonly (RollbackPolicy | undefined)[] = [
  'Never',
  'OnReleaseFailure',
  'OnWaveFailure',
  undefined,
];

const events: fc.Arbitrary<fc.Command<object, Machine>>[] = [
  render.map((number) => new Event(`render ${number}`, (machine) => void (machine.source = number))),
  fc
    .tuple(render, fc.constantFrom<HealthState>(...HEALTH_STATES))
    .map(([number, state]) => new Event(`${number} ${state}`, (machine) => machine.fate.set(number, state))),
  fc
    .constantFrom(1000, MINUTE, 5 * MINUTE)
    .map((ms) => new Event(`${ms} ms pass`, (machine) => void (machine.now += ms))),
  fc.constant(new Event('forced sync', (machine) => void (machine.isForced = true))),
  fc.constant(new Event('sync', (machine) => void (machine.isAsked = true))),
  render.map((number) => new Event(`pin ${number}`, (machine) => void (machine.pin = number))),
  fc.constant(new Event('unpin', (machine) => void (machine.pin = undefined))),
  fc
    .constantFrom(...POLICIES)
    .map((policy) => new Event(`policy ${policy}`, (machine) => void (machine.rollback = policy))),
  fc
    .constantFrom('Automatic', 'Manual')
    .map((mode) => new Event(mode, (machine) => void (machine.mode = mode as Machine['mode']))),
  fc.constant(new Event('the store is lost', (machine) => machine.held.clear())),
  fc
    .boolean()
    .map((fails) => new Event(`waves fail: ${fails}`, (machine) => void (machine.waveFails = fails))),
  fc.constant(new Event('restart', (machine) => machine.restart())),
];

test('whatever happens to a Release, in whatever order, the rules of rollout.md hold', () => {
  fc.assert(
    fc.property(fc.commands(events, { maxCommands: 60, size: 'max' }), (commands) => {
      fc.modelRun(() => ({ model: {}, real: new Machine() }), commands);
    }),
    { numRuns: 500 },
  );
});

test('the model comes to every state', () => {
  const seen = new Set<string>();
  const drive = (machine: Machine, happen: () => void): void => {
    happen();
    seen.add(machine.reconcile().after?.state ?? 'none');
  };
  const machine = new Machine();
  machine.fate.set(2, 'Degraded');
  drive(machine, () => undefined);
  drive(machine, () => void (machine.source = 2));
  drive(machine, () => void (machine.now += 5 * MINUTE));
  drive(machine, () => void (machine.isForced = true));
  drive(machine, () => void ([machine.rollback, machine.now] = ['Never', machine.now + 5 * MINUTE]));
  drive(machine, () => void (machine.rollback = undefined));
  expect([...seen]).toEqual(['Succeeded', 'Progressing', 'RolledBack', 'Failed', 'none']);
});
