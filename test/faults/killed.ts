import { killedApplies, same } from './killedApply.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 30);

/** `make faults`: the controller is killed at random moments of the kube-prometheus apply; prints what became of it. */
const moments = Array.from({ length: KILLS }, () => Math.random());
const { undisturbed, killed } = await killedApplies(moments, (line) => process.stderr.write(`${line}\n`));
const bad = killed.filter(({ state, leaked }) => !same(state, undisturbed) || leaked.length > 0);
for (const { moment, state, leaked } of bad)
  process.stderr.write(`${JSON.stringify({ moment, state, leaked, undisturbed })}\n`);
const ok = bad.length === 0 && undisturbed.untrue.length === 0;
process.stdout.write(
  `${JSON.stringify({ name: 'killed-apply', value: bad.length, unit: 'runs that ended differently', bar: 0, ok, details: { runs: killed.length, objects: undisturbed.live.length } })}\n`,
);
if (!ok) process.exitCode = 1;
