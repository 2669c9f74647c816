import { percentile, rounded } from '../bench/measure.ts';
import { drawFaults, leaderKills } from './leaderKills.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 50);
/** FAULT_SEED repeats a run. */
const SEED = Number(process.env['FAULT_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
/** operations.md */
const BAR_SECONDS = 15;

/** `make leader-kills`: the leading one of two controllers is killed or frozen at random moments; prints what became of it. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`FAULT_SEED=${SEED}`);
const plans = drawFaults(KILLS, SEED);
const { takeovers, terms, usurped, repeated } = await leaderKills(plans, say);
[...usurped, ...repeated].forEach(say);
const worst = Math.max(...takeovers);
const idle = terms.filter(({ wrote }) => wrote === undefined).length;
const strange = usurped.length + repeated.length + idle;
const ok = worst < BAR_SECONDS && strange === 0 && terms.length === KILLS + 1;
process.stdout.write(
  `${JSON.stringify({
    name: 'leader-kills',
    value: rounded(worst, 1),
    unit: 's until the next leader writes, at worst',
    bar: BAR_SECONDS,
    ok,
    details: {
      seed: SEED,
      killed: plans.filter(({ fault }) => fault === 'kill').length,
      frozen: plans.filter(({ fault }) => fault === 'freeze').length,
      medianSeconds: rounded(percentile(takeovers, 50), 1),
      terms: terms.length,
      termsWithoutWrites: idle,
      writesOfOthers: usurped.length,
      appliedTwiceInATerm: repeated.length,
    },
  })}\n`,
);
if (!ok) process.exitCode = 1;
