import { expect } from 'vitest';
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

/** All writes of single objects, dry runs left out. */
export function writesIn(events: readonly AuditEvent[]): Write[] {
  return events
    .filter(({ stage, verb, requestURI }) => {
      const isWrite = ['patch', 'delete', 'update'].includes(verb);
      return stage === 'ResponseComplete' && isWrite && !requestURI.includes('dryRun=All');
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

/** Holds what went over the wire in a step against what was expected of it. */
export function checkWire(all: readonly Write[], { what, world, expected, from, to }: Span): void {
  const writes = all.filter((write) => write.from >= from && write.from <= to && isIn(world, write.id));
  const applied = writes.filter(({ verb, byConvoy }) => byConvoy && verb === 'patch');
  const deleted = writes.filter(({ verb, byConvoy }) => byConvoy && verb === 'delete');
  const going = expected.deletions.flat();
  const names = idsOf(applied);

  expect([...names.difference(idsOf(expected.render))], `${what}: not in the render`).toEqual([]);
  expect([...new Set(expected.changed).difference(names)], `${what}: changed, not applied`).toEqual([]);
  expect([...idsOf(deleted)].sort(), `${what}: deleted`).toEqual([...idsOf(going)].sort());

  expectInOrder(what, timed(expected.render, applied, applied), isAppliedBefore);
  // It is gone no earlier than the last who held it has asked to let it go.
  const place = new Map(expected.deletions.flatMap((group, index) => group.map(({ id }) => [id, index])));
  const placeOf = ({ id }: ModelObject): number => Number(place.get(id));
  const letGo = writes.map((write) => (deleted.includes(write) ? write : { ...write, to: write.from }));
  expectInOrder(what, timed(going, deleted, letGo), (first, then) => placeOf(first) < placeOf(then));
  const firstDelete = Math.min(...deleted.map((write) => write.from));
  const lastApply = Math.max(...applied.map((write) => write.to));
  expect(firstDelete, `${what}: pruned before all is applied`).toBeGreaterThan(lastApply);
}

/** From the start of the first of some writes to the end of the last of others; never, where there is none. */
function timed(objects: readonly ModelObject[], starts: readonly Write[], ends: readonly Write[]): Timed[] {
  return objects.map((object) => {
    const isOfObject = ({ id }: Write): boolean => id === object.id;
    return {
      object,
      from: Math.min(...starts.filter(isOfObject).map(({ from }) => from)),
      to: Math.max(...ends.filter(isOfObject).map(({ to }) => to)),
    };
  });
}

/** What comes first is over before what comes then begins. */
function expectInOrder(
  what: string,
  objects: readonly Timed[],
  isBefore: (first: ModelObject, then: ModelObject) => boolean,
): void {
  for (const then of objects) {
    for (const first of objects.filter(({ object }) => isBefore(object, then.object)))
      expect(then.from, `${what}: ${then.object.id} after ${first.object.id}`).toBeGreaterThan(first.to);
  }
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
