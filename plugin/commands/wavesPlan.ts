import { describe, type ObjectKey } from '../../api/object.ts';
import { formatDuration } from '../../api/duration.ts';
import { type Flags } from '../cli/flags.ts';
import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { CliProblem, usageProblem } from '../cli/problem.ts';
import { withSession } from '../cluster/session.ts';
import { planInput } from '../offline/input.ts';
import { type PlanReport, planOffline } from '../offline/plan.ts';
import { readFiles } from '../offline/readFiles.ts';
import { planPage } from '../views/planPage.ts';
import type { Command, Invocation } from './command.ts';

/**
 * `waves plan -f FILE…`: how manifests would be applied, without a cluster; `waves plan NAME`: the same of a Release, whose
 * source is rendered as the controller does. Exit code 1 where they would be refused.
 */
export const wavesPlan: Command = async (invocation) => {
  const { flags, io, paint, width } = invocation;
  const plan = await planFor(invocation);
  const page = { now: io.now(), width, paint };
  const { output } = flags;
  io.stdout.write(
    output === 'table' || output === 'wide' ? textOf(planPage(plan, page)) : await planText(plan, output),
  );
  if (plan.problems.length > 0) throw refused(plan);
  return 0;
};

async function planFor({ flags, name, io }: Invocation): Promise<PlanReport> {
  const isOffline = flags.filenames.length > 0;
  if (name !== undefined && isOffline)
    throw usageProblem('a Release and -f contradict each other', 'leave out one of them');
  if (name !== undefined) {
    const { planLive } = await import('../render/planLive.ts');
    return await withSession(flags, io.env, (session) => planLive(session, name));
  }
  if (!isOffline)
    throw usageProblem(
      'there is nothing to plan',
      'name a Release, or the manifests: kubectl convoy waves plan -f FILE',
    );
  const input = await planInput(await readFiles(flags.filenames, io.stdin));
  return planOffline(input, flags.namespace ?? 'default');
}

function refused({ problems }: PlanReport): CliProblem {
  return new CliProblem('a Release with these manifests would be refused', {
    why: problems,
    hints: ['change the annotations named above'],
  });
}

async function planText(
  plan: PlanReport,
  output: Exclude<Flags['output'], 'table' | 'wide'>,
): Promise<string> {
  return output === 'name' ? namesText(plan) : await dataText(planData(plan), output);
}

/** In the order in which they are applied. */
function namesText({ waves }: PlanReport): string {
  const keys = waves.flatMap(({ stages }) => stages.flatMap(({ objects }) => objects));
  return keys.map((key) => `${nameText(key)}\n`).join('');
}

function nameText({ group, kind, name }: ObjectKey): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;
}

function planData({ waves, ...plan }: PlanReport): unknown {
  return {
    ...plan,
    waves: waves.map(({ number, gate, stages }) => ({
      number,
      ...(gate === undefined ? {} : { gate: gateData(gate.after, gate.limitMs) }),
      stages,
    })),
    kept: plan.kept.map(describe),
  };
}

function gateData(afterWave: number, limitMs: number | undefined): unknown {
  return { afterWave, ...(limitMs === undefined ? {} : { limit: formatDuration(limitMs) }) };
}
