import { CUTS, watchCuts } from './watchCuts.ts';

const COUNT = Number(process.env['FAULT_CUTS'] ?? 100);
/** FAULT_SEED repeats the plan of a run. */
const SEED = Number(process.env['FAULT_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
const BAR_MS = 35_000;

/** `make watch-cuts`: connections to the API server are cut, frozen and refused at random, and it is restarted; prints what came of it. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`FAULT_SEED=${SEED}`);
const { cuts, longestMs, restarts, lists, wrong } = await watchCuts({ cuts: COUNT, seed: SEED }, say);
for (const line of wrong) say(line);
const mostLists = Math.max(0, ...Object.values(lists));
const ok = wrong.length === 0 && longestMs <= BAR_MS && mostLists <= 2 * restarts;
const longestBy = Object.fromEntries(
  CUTS.map((kind) => [
    kind,
    Math.round(Math.max(0, ...cuts.filter((cut) => cut.kind === kind).map((cut) => cut.longestMs))),
  ]),
);
process.stdout.write(
  `${JSON.stringify({
    name: 'watch-cuts',
    value: Math.round(longestMs),
    unit: 'ms',
    bar: BAR_MS,
    ok,
    details: { cuts: cuts.length, seed: SEED, longestBy, restarts, lists, wrong: wrong.length },
  })}\n`,
);
if (!ok) process.exitCode = 1;
