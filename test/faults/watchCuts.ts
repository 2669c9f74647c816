import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { KubeClient } from '../../kube/client.ts';
import { connect, loadConfig } from '../../kube/config.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { isByConvoy } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { FaultyProxy } from '../support/faultyProxy.ts';
import { type PutRight, SpoiltReleases } from './spoiltReleases.ts';

/** `expired`: connections are cut and refused while things change, until the API server has forgotten them (410). */
export const CUTS = ['cut', 'freeze', 'restart', 'expired'] as const;
type Kind = (typeof CUTS)[number];

/** What was told of one cut. */
interface Cut {
  kind: Kind;
  /**
   * The longest time from an edit, a deletion or a change of a Release to what is wanted, ms; where the API server was away
   * meanwhile, from when it is back.
   */
  longestMs: number;
}

export interface WatchCuts {
  cuts: Cut[];
  longestMs: number;
  restarts: number;
  /** Lists that the controller asked for after the first cut, by type. */
  lists: Record<string, number>;
  /** Objects that were not as wanted in the end. */
  wrong: string[];
}

/** How one cut goes: what is spoilt before it and in it, and which connections it takes. */
interface Plan {
  kind: Kind;
  before: number;
  within: number;
  /** A Release changes in it. */
  changes: boolean;
  isKilled: boolean;
  /** Part of the connections. */
  part: number;
}

const plan = (kind: fc.Arbitrary<Kind>): fc.Arbitrary<Plan> =>
  fc.record({
    kind,
    before: fc.integer({ min: 0, max: 3 }),
    within: fc.integer({ min: 1, max: 4 }),
    changes: fc.boolean(),
    isKilled: fc.boolean(),
    part: fc.constantFrom(1, 1, 0.5),
  });

/** A restart takes some seconds, a freeze half a minute: the quick ones come more often. */
const drawn = plan(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Kind>('cut') },
    { weight: 3, arbitrary: fc.constant<Kind>('freeze') },
    { weight: 1, arbitrary: fc.constant<Kind>('restart') },
    { weight: 1, arbitrary: fc.constant<Kind>('expired') },
  ),
);

/**
 * Cuts the connections between the controller and the API server again and again, while others edit and delete what
 * Releases have applied and the Releases change; waits after each cut until all is as wanted.
 * @param kinds the first cuts; the others are drawn
 * @param seed draws them
 */
export async function watchCuts(
  { cuts, seed, kinds = [] }: { cuts: number; seed: number; kinds?: readonly Kind[] },
  say: (line: string) => void,
): Promise<WatchCuts> {
  const plane = await startControlPlane({ kwok: false, audit: true, say });
  const proxy = await FaultyProxy.start(plane.port);
  const transport = connect(await loadConfig({ kubeconfig: plane.kubeconfigPath }), { userAgent: 'tester' });
  const ends = [() => transport.close(), () => proxy.close(), () => plane.stop()];
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const controller = await ControllerProcess.start(await kubeconfigThrough(proxy, plane));
    ends.unshift(() => controller.stop().then(() => undefined));
    const namespace = await createNamespace(plane.api, 'cuts');
    const releases = await SpoiltReleases.create(new KubeClient(transport), namespace, seed);
    ends.unshift(() => releases.stop());
    const first = fc.sample(plan(fc.constant<Kind>('cut')), { numRuns: kinds.length || 1, seed });
    const plans = [
      ...kinds.map((kind, index) => ({ ...(first[index] as Plan), kind })),
      ...fc.sample(drawn, { numRuns: cuts, seed }),
    ].slice(0, cuts);
    const audit = await plane.auditTail();
    const done: Cut[] = [];
    for (const one of plans) {
      const longestMs = await cutOnce(one, { plane, proxy, releases });
      done.push({ kind: one.kind, longestMs });
      say(`${done.length} of ${cuts}: ${one.kind}, put right after ${longestMs.toFixed(0)} ms at the latest`);
    }
    return {
      cuts: done,
      longestMs: Math.max(...done.map((cut) => cut.longestMs)),
      restarts: done.filter(({ kind }) => kind === 'restart' || kind === 'expired').length,
      lists: listsIn(await audit.read()),
      wrong: await releases.wrong(),
    };
  } finally {
    for (const end of ends) await end();
  }
}

interface Stage {
  plane: ControlPlane;
  proxy: FaultyProxy;
  releases: SpoiltReleases;
}

/** @returns the longest time until something was as wanted, ms, counted from when the API server is there */
async function cutOnce(
  { kind, before, within, changes, isKilled, part }: Plan,
  { plane, proxy, releases }: Stage,
): Promise<number> {
  const isChosen = (): boolean => Math.random() < part;
  const spoilt: Promise<PutRight>[] = [];
  let backAt = 0;
  const spoil = (count: number): void => {
    for (let index = 0; index < count; index += 1) spoilt.push(releases.spoilAny());
  };
  const restart = async (): Promise<void> => {
    await plane.stopApiServer(isKilled ? 'SIGKILL' : 'SIGTERM');
    await plane.startApiServer();
    proxy.refusing = false;
    backAt = performance.now();
  };
  spoil(before);
  if (kind === 'cut') proxy.cut(isChosen);
  else if (kind === 'freeze') proxy.freeze(isChosen);
  else if (kind === 'restart') {
    await releases.sent();
    await restart();
  } else {
    proxy.refusing = true;
    proxy.cut();
  }
  spoil(within);
  if (changes) spoilt.push(releases.changeAny());
  if (kind === 'expired') {
    await releases.sent();
    await restart();
  }
  const all = await Promise.all(spoilt);
  return Math.max(0, ...all.map(({ askedAt, rightAt }) => rightAt - Math.max(askedAt, backAt)));
}

async function kubeconfigThrough(proxy: FaultyProxy, plane: ControlPlane): Promise<string> {
  const path = join(plane.dir, 'through-proxy.kubeconfig');
  const text = await readFile(plane.kubeconfigPath, 'utf8');
  await writeFile(path, text.replace(plane.url, proxy.url), { mode: 0o600 });
  return path;
}

function listsIn(events: readonly AuditEvent[]): Record<string, number> {
  const lists = events.filter(
    (event) => event.verb === 'list' && event.stage === 'RequestReceived' && isByConvoy(event),
  );
  const byType = Map.groupBy(lists, ({ objectRef }) => objectRef?.resource ?? '');
  return Object.fromEntries([...byType].map(([type, of]) => [type, of.length]));
}
