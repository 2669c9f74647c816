import type { AuditEvent } from '../controlplane/audit.ts';
import { secondsOf } from '../support/auditOrder.ts';
import { type Expected, isAppliedBefore, type ModelObject } from './releaseModel.ts';
import type { World } from './world.ts';

/** Seconds since 1970. */
interface Time {
  from: number;
  to: number;
}

/** One step of a Release: what it was to come to, and when it began and was over. */
export interface Span extends Time {
  what: string;
  world: World;
  expected: Expected;
}

interface Write extends Time {
  id: string;
  verb: string;
  byConvoy: boolean;
}

interface Timed extends Time {
  object: ModelObject;
}

/** All writes of single objects that were not refused, dry runs left out. */
export function writesIn(events: readonly AuditEvent[]): Write[] {
  return events
    .filter(({ stage, verb, requestURI, responseStatus }) => {
      const isWrite = ['patch', 'delete', 'update'].includes(verb) && !requestURI.includes('dryRun=All');
      const { code = 500 } = responseStatus ?? {};
      // What a client did not live to see the answer of ends with a code of the server's own, and may be done.
      return stage === 'ResponseComplete' && isWrite && (code < 400 || code >= 500);
    })
    .map(({ verb, objectRef, userAgent = '', requestReceivedTimestamp, stageTimestamp }) => {
      const { resource = '', namespace = '', name = '' } = objectRef ?? {};
      return {
        // The API server names a Namespace as the place of itself.
        id: `${resource}/${resource === 'namespaces' ? '' : namespace}/${name}`,
        verb,
        byConvoy: userAgent.startsWith('convoy'),
        from: secondsOf(requestReceivedTimestamp),
        to: secondsOf(stageTimestamp),
      };
    });
}

/** Holds what went over the wire in a step against what was expected of it. @returns what is wrong */
export function wireProblems(all: readonly Write[], { what, world, expected, from, to }: Span): string[] {
  const writes = all.filter((write) => write.from >= from && write.from <= to && isIn(world, write.id));
  const deleted = writes.filter(({ verb, byConvoy }) => byConvoy && verb === 'delete');
  // What is applied when the Release is deleted may be on its way still.
  const begun = expected.reason === undefined ? firstOf(deleted).from : from;
  const applied = writes.filter((write) => write.byConvoy && write.verb === 'patch' && write.from >= begun);
  const again = new Set([...expected.purged, ...expected.render.filter(isRecreated)].map(({ id }) => id));
  const removed = deleted.filter(({ id }) => !again.has(id));
  const going = expected.deletions.flat();
  const names = idsOf(applied);
  const told = (problem: string, ids: Iterable<string>): string[] =>
    Array.from(ids, (id) => `${what}: ${id} ${problem}`);
  return [
    ...told('is not in the render, but applied', names.difference(idsOf(expected.render))),
    ...told('is changed, but not applied', new Set(expected.changed).difference(names)),
    ...told('is deleted', idsOf(removed).difference(idsOf(going))),
    ...told('is not deleted', idsOf(going).difference(idsOf(removed))),
    ...applyProblems(expected, applied, deleted).map((problem) => `${what}: ${problem}`),
    ...deletionProblems(expected, writes, removed).map((problem) => `${what}: ${problem}`),
  ];
}

/** Counted by the first apply of each object: what was applied may be applied again at any time. */
function applyProblems(expected: Expected, applied: readonly Write[], deleted: readonly Write[]): string[] {
  const objects = timed(expected.render, applied, firstOf);
  const changes = timed(changedOf(expected), applied, firstOf);
  const purges = timed(expected.purged, deleted, firstOf);
  return [
    ...disorder(changes, objects, isAppliedBefore),
    ...disorder(changes, purges, (first, then) => first.wave <= then.wave),
    ...disorder(purges, objects, (first, then) => first.wave < then.wave),
  ];
}

function deletionProblems(expected: Expected, writes: readonly Write[], removed: readonly Write[]): string[] {
  const { deletions } = expected;
  const place = new Map(deletions.flatMap((group, index) => group.map(({ id }) => [id, index])));
  const placeOf = ({ id }: ModelObject): number => Number(place.get(id));
  const begun = timed(deletions.flat(), removed, firstOf);
  // It is gone no earlier than the last who held it has asked to let it go.
  const letGo = writes.map((write) => (removed.includes(write) ? write : { ...write, to: write.from }));
  const over = timed(deletions.flat(), letGo, lastOf);
  const applies = writes.filter(({ verb, byConvoy }) => byConvoy && verb === 'patch');
  return [
    ...disorder(over, begun, (first, then) => placeOf(first) < placeOf(then)),
    ...disorder(timed(changedOf(expected), applies, firstOf), begun, () => true),
  ];
}

/** An apply of what is as it is to be already may come at any time. */
function changedOf({ render, changed }: Expected): ModelObject[] {
  return render.filter(({ id }) => changed.includes(id));
}

/** `update-policy: Recreate`. */
function isRecreated({ object }: ModelObject): boolean {
  return JSON.stringify(object.metadata).includes('"Recreate"');
}

type Pick = (writes: readonly Write[]) => Time;

const firstOf: Pick = (writes) => ({
  from: Math.min(...writes.map(({ from }) => from)),
  to: Math.min(...writes.map(({ to }) => to)),
});
const lastOf: Pick = (writes) => ({
  from: Math.max(...writes.map(({ from }) => from)),
  to: Math.max(...writes.map(({ to }) => to)),
});

/** When each object was written. One that never was has no time. */
function timed(objects: readonly ModelObject[], writes: readonly Write[], pick: Pick): Timed[] {
  return objects.flatMap((object) => {
    const own = writes.filter(({ id }) => id === object.id);
    return own.length === 0 ? [] : [{ object, ...pick(own) }];
  });
}

/** What comes first is over before what comes then begins. */
function disorder(
  firsts: readonly Timed[],
  thens: readonly Timed[],
  isBefore: (first: ModelObject, then: ModelObject) => boolean,
): string[] {
  return thens.flatMap((then) =>
    firsts
      .filter((first) => isBefore(first.object, then.object) && then.from <= first.to)
      .map((first) => `${then.object.id} is not after ${first.object.id}`),
  );
}

function idsOf(objects: readonly { id: string }[]): Set<string> {
  return new Set(objects.map(({ id }) => id));
}

function isIn({ home, own, group }: World, id: string): boolean {
  const [resource = '', namespace = '', name = ''] = id.split('/');
  if (['releases', 'releaseinventories', 'events'].includes(resource) || isKeptRender(name)) return false;
  return namespace === home || namespace === own || name === own || name === `boats.${group}`;
}

/** A Secret that keeps a render is none of the objects of a Release. */
function isKeptRender(name: string): boolean {
  return /-[0-9a-f]{64}-\d+-\d+$/.test(name);
}
