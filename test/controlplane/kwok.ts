import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiAccess, ApiObject } from './apiAccess.ts';
import { isTrue } from './conditions.ts';

const OWN_STAGES = join(import.meta.dirname, 'stages');

const CONFIGURATION = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
metadata:
  name: kwok
options:
  # The default range holds 254 pods.
  cidr: 10.244.0.0/16
  # A configuration file leaves what it does not name at zero: no leases, and then nodes that are taken for dead.
  nodeLeaseDurationSeconds: 40
  nodeLeaseParallelism: 4
  nodePlayStageParallelism: 4
  podPlayStageParallelism: 8
  podsOnNodeSyncParallelism: 4
`;

/** Writes kwok's configuration: its options, its stock stages for nodes and deletion, and our pod stages. */
export async function writeKwokConfig(path: string, stockStages: readonly string[]): Promise<void> {
  const own = (await readdir(OWN_STAGES)).filter((name) => name.endsWith('.yaml')).sort();
  const stages = [...stockStages, ...own.map((name) => join(OWN_STAGES, name))];
  const documents = await Promise.all(stages.map((stage) => readFile(stage, 'utf8')));
  await writeFile(path, [CONFIGURATION, ...documents].join('---\n'));
}

/** Creates nodes `node-0`, `node-1`, … with room for everything and waits until pods can be scheduled on each. */
export async function createNodes(api: ApiAccess, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const name = `node-${index}`;
      await api.must('POST', '/api/v1/nodes', node(name));
      await api.waitForNamed('/api/v1/nodes', name, isSchedulable);
    }),
  );
}

function node(name: string): unknown {
  const room = { cpu: '1000', memory: '4Ti', pods: '1000', 'ephemeral-storage': '4Ti' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    },
    status: { allocatable: room, capacity: room },
  };
}

function isSchedulable(object: ApiObject): boolean {
  const { spec } = object as { spec?: { taints?: unknown[] } };
  return isTrue(object, 'Ready') && (spec?.taints ?? []).length === 0;
}
