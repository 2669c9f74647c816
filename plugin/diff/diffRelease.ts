import { unsupportedFields } from '../../api/available.ts';
import { keyString, type KubeObject } from '../../api/object.ts';
import { invalidText } from '../../engine/plan/invalid.ts';
import { hookProblems } from '../../engine/hooks/problems.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import { objectsOfPlan, planOf } from '../../engine/plan/plan.ts';
import { recordProblem } from '../../engine/plan/records.ts';
import { compareKeys } from '../../engine/render/canonical.ts';
import { Discovery } from '../../kube/discovery.ts';
import { CliProblem } from '../cli/problem.ts';
import { readInventory } from '../cluster/inventory.ts';
import type { Session } from '../cluster/session.ts';
import { renderRelease } from '../render/renderRelease.ts';
import { restoreRelease } from '../render/restoreRelease.ts';
import type { DiffInput } from './input.ts';
import { findOrphans } from './orphans.ts';
import type { DiffReport, ObjectDiff } from './report.ts';
import type { DiffRun, Finding } from './run.ts';
import { type Secrecy, secrecyOf } from './secrecy.ts';
import { testObjects } from './testObjects.ts';

/** Told how many objects were looked at, of how many. */
export type OnProgress = (looked: number, all: number) => void;

/**
 * Finds out what a sync would change right now. Nothing is changed, and nothing in the report is secret.
 * @throws CliProblem where a sync would not come as far as its dry run; the errors of KubeClient
 */
export async function diffRelease(
  session: Session,
  { release, texts, stored, notes }: DiffInput,
  onProgress: OnProgress,
): Promise<DiffReport> {
  refuse(unsupportedFields(release.spec));
  const discovery = new Discovery(session.transport);
  const [live, inventory] = await Promise.all([
    stored === undefined
      ? renderRelease(session, discovery, release, texts)
      : restoreRelease(session, discovery, release, stored),
    readInventory(session, release),
  ]);
  const { render } = live;
  const secrecy = secrecyOf(live);
  const plan = planOf(render.objects, release.spec.syncPolicy?.defaultStrategy);
  const problems = [...problemsOf(render.objects), ...hookProblems(release, plan)];
  refuse(problems.map((problem) => secrecy.say(problem)));
  const entries = 'unreadable' in inventory ? [] : inventory;
  const all = objectsOfPlan(plan).length;
  let looked = 0;
  const run: DiffRun = {
    ...{ session, discovery, release, render, plan },
    entries: new Map(entries.map((entry) => [keyString(entry), entry])),
    uids: new Set(entries.flatMap(({ uid }) => uid ?? [])),
    isInventoryKnown: !('unreadable' in inventory),
    looked: () => onProgress(++looked, all),
  };
  const findings = [...(await testObjects(run)), ...(await findOrphans(run))];
  const warnings = [...render.warnings, ...plan.invalid.map(invalidText)];
  return {
    release: { namespace: release.metadata.namespace ?? '', name: release.metadata.name },
    objects: findings.map((finding) => told(finding, secrecy)).sort(byWave),
    notes: [...notes, ...(live.notes ?? []), ...warnings.map((warning) => secrecy.say(warning))],
    gaps:
      'unreadable' in inventory
        ? [`what would be deleted is not known: the inventory cannot be read: ${inventory.unreadable}`]
        : [],
    missing: findings.flatMap(({ missing }) => missing ?? []),
  };
}

/** What a sync would be refused for as a whole. */
function problemsOf(objects: readonly KubeObject[]): string[] {
  return [...recordProblems(objects), ...orderProblems(objects)];
}

function recordProblems(objects: readonly KubeObject[]): string[] {
  const problem = recordProblem(objects);
  return problem === undefined ? [] : [problem];
}

/** Problems that are told; the rest would be more of the same. */
const NAMED = 10;

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const more = problems.length - NAMED;
  throw new CliProblem('a sync would be refused', {
    why: [...problems.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])],
    hints: ['nothing would be applied until this is mended'],
  });
}

/** What may be told of a finding. */
function told(finding: Finding, secrecy: Secrecy): ObjectDiff {
  const { wave, action, rendered, before, after } = finding;
  const id = keyString(finding.key);
  const isSecretName = rendered !== undefined && secrecy.hasSecretName(id);
  const key = isSecretName ? withoutSecrets(finding.key, secrecy) : finding.key;
  const remarks = finding.remarks.map((remark) => secrecy.say(remark, [rendered, before, after]));
  const pair =
    rendered === undefined
      ? { before: undefined, after: undefined }
      : secrecy.mask(id, { before, after }, rendered);
  return { key, wave, action, remarks, ...pair };
}

function withoutSecrets(key: Finding['key'], secrecy: Secrecy): Finding['key'] {
  const { group, kind, namespace, name } = key;
  return { group, kind, namespace: secrecy.say(namespace), name: secrecy.say(name) };
}

function byWave(a: ObjectDiff, b: ObjectDiff): number {
  return a.wave - b.wave || compareKeys(a.key, b.key);
}
