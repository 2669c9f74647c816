import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { readInventory } from '../cluster/inventory.ts';
import { type Session, withSession } from '../cluster/session.ts';
import { readLogLines, readPods } from '../pods/readPods.ts';
import { whyData } from '../views/whyData.ts';
import { SHOWN_OBJECTS, whyPage } from '../views/whyPage.ts';
import { failing, hasEnded, hasRun } from '../why/nextSteps.ts';
import { type WhyLogs, type WhyObject, type WhyReport, whyReport } from '../why/whyReport.ts';
import type { Command } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release why NAME`: one answer to what a Release waits for. The pods of what is not healthy are read for it. */
export const releaseWhy: Command = async ({ flags, name = '', io, paint, width }) => {
  const { output, logs } = flags;
  if (output === 'name' || output === 'wide')
    throw usageProblem(`--output ${output}`, 'it takes table, json, yaml');
  const report = await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    const inventory = await readInventory(session, release);
    return await withPods(session, whyReport(release, inventory, io.now()), logs);
  });
  io.stdout.write(
    output === 'table'
      ? textOf(whyPage(report, { now: io.now(), width, paint }))
      : await dataText(whyData(report), output),
  );
  return 0;
};

/** Of as many objects as a page shows: a Release may have thousands that are not healthy. */
async function withPods(session: Session, report: WhyReport, logs: boolean): Promise<WhyReport> {
  const { clusterRef } = report.release.spec;
  const look = (object: WhyObject): Promise<WhyObject> =>
    clusterRef === undefined
      ? lookInto(session, object, logs)
      : Promise.resolve({ ...object, pods: { unreadable: `they are on Cluster ${clusterRef.name}` } });
  const shown = await Promise.all(report.objects.slice(0, SHOWN_OBJECTS).map(look));
  return { ...report, objects: [...shown, ...report.objects.slice(SHOWN_OBJECTS)] };
}

async function lookInto(session: Session, object: WhyObject, logs: boolean): Promise<WhyObject> {
  const pods = await readPods(session, object.key);
  if (pods === undefined) return object;
  const found = { ...object, pods };
  const log = logs ? await readLog(session, found) : undefined;
  return log === undefined ? found : { ...found, logs: log };
}

/** Of one container that fails, where it has run at all. */
async function readLog(session: Session, { key, pods = [] }: WhyObject): Promise<WhyLogs | undefined> {
  const group = 'unreadable' in pods ? undefined : failing(pods);
  const { pod, container } = group ?? {};
  if (group === undefined || pod === undefined || container === undefined || !hasRun(group)) return undefined;
  const at = { namespace: key.namespace, pod, container, previous: hasEnded(group) };
  return { pod, container, lines: await readLogLines(session, at) };
}
