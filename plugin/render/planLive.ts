import { Redaction } from '../../engine/source/redaction.ts';
import { Discovery } from '../../kube/discovery.ts';
import type { Session } from '../cluster/session.ts';
import { getRelease } from '../commands/getRelease.ts';
import { type PlanReport, planReport } from '../offline/plan.ts';
import { renderRelease } from './renderRelease.ts';

/**
 * How the objects of a Release would be applied and deleted, by what its source and its variables hold now.
 * @throws CliProblem where it cannot be rendered; the errors of KubeClient
 */
export async function planLive(session: Session, name: string): Promise<PlanReport> {
  const release = await getRelease(session, name);
  const { render, secrets } = await renderRelease(session, new Discovery(session.transport), release);
  const redaction = new Redaction();
  redaction.hide(secrets);
  const report = planReport(render.objects, release, render.warnings);
  const told = (texts: readonly string[]): string[] => texts.map((text) => redaction.apply(text));
  return { ...report, warnings: told(report.warnings), problems: told(report.problems) };
}
