import { killedReleases } from './killedReleases.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 100);
/** FAULT_SEED repeats a run. */
const SEED = Number(process.env['FAULT_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

/** `make faults`: the controller is killed at random moments of apply, prune and delete runs; prints what became of it. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`FAULT_SEED=${SEED}`);
const { kills, releases, undisturbed, problems } = await killedReleases({ kills: KILLS, seed: SEED }, say);
const ok = problems.length === 0;
process.stdout.write(
  `${JSON.stringify({
    name: 'killed',
    value: problems.length,
    unit: 'differences from undisturbed runs',
    bar: 0,
    ok,
    details: {
      kills,
      releases,
      seed: SEED,
      undisturbedMs: {
        apply: Math.round(undisturbed.apply.ms),
        change: Math.round(undisturbed.change.ms),
        delete: Math.round(undisturbed.delete.ms),
      },
    },
  })}\n`,
);
if (!ok) process.exitCode = 1;
