import pMap from 'p-map';
import { keyString, type ObjectKey } from '../../api/object.ts';
import { objectsOfPlan, type PlannedObject } from '../../engine/plan/plan.ts';
import { CONCURRENCY, type DiffRun, type Finding } from './run.ts';
import { type Brought, testObject } from './testObject.ts';

/**
 * Asks the API server what a sync would make of each object of the render, by a dry run that changes nothing. Types and
 * Namespaces come first: what needs one that is not there yet would be created, and cannot be asked about.
 */
export async function testObjects(run: DiffRun): Promise<Finding[]> {
  const brought: Brought = { created: new Set(), changed: new Set() };
  const findings: Finding[] = [];
  for (const phase of phasesOf(objectsOfPlan(run.plan))) {
    const found = await pMap(
      phase,
      async (planned) => {
        const finding = await testObject(run, planned, brought);
        run.looked();
        return finding;
      },
      { concurrency: CONCURRENCY },
    );
    for (const { key, action } of found) {
      if (action === 'create') brought.created.add(keyString(key));
      else if (action !== 'unchanged') brought.changed.add(keyString(key));
    }
    findings.push(...found);
  }
  return findings;
}

function phasesOf(objects: readonly PlannedObject[]): PlannedObject[][] {
  const isNamespace = ({ kind, group }: ObjectKey): boolean => group === '' && kind === 'Namespace';
  const phases = Map.groupBy(objects, ({ key, needs }) => {
    if (isNamespace(key)) return 0;
    return needs.every(isNamespace) ? 1 : 2;
  });
  return [...phases].sort(([a], [b]) => a - b).map(([, phase]) => phase);
}
