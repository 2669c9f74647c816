import { afterAll, beforeAll } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { KubeClient } from '../../../kube/client.ts';
import { connect, loadConfig } from '../../../kube/config.ts';
import type { ConnectionConfig } from '../../../kube/connection.ts';
import { Discovery } from '../../../kube/discovery.ts';
import { KubeError } from '../../../kube/errors.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import type { Transport } from '../../../kube/transport.ts';

/** A client of the worker's cluster as cluster-admin. */
export interface TestClient {
  config: ConnectionConfig;
  transport: Transport;
  client: KubeClient;
  discovery: Discovery;
  /** Warnings of the API server so far. */
  warnings: string[];
  /** The resource of a kind; fails where the cluster does not serve it. */
  resource: (group: string, kind: string, version?: string) => Promise<ApiResource>;
}

export const USER_AGENT = { userAgent: 'convoy/test (integration)' };

/** Gives a test file a client of its cluster, between its first and its last test. */
export function useClient(cluster: { kubeconfigPath: string }): () => TestClient {
  let current: TestClient | undefined;
  beforeAll(async () => (current = await testClient(cluster.kubeconfigPath)));
  afterAll(() => current?.transport.close());
  return () => {
    if (current === undefined) throw new Error('the client is there while a test runs');
    return current;
  };
}

async function testClient(kubeconfig: string): Promise<TestClient> {
  const config = await loadConfig({ kubeconfig });
  const transport = connect(config, USER_AGENT);
  const discovery = new Discovery(transport);
  const warnings: string[] = [];
  const client = new KubeClient(transport, { onWarning: (warning) => warnings.push(warning) });
  return {
    config,
    transport,
    client,
    discovery,
    warnings,
    async resource(group, kind, version) {
      const found = await discovery.resourceFor(group, kind, version);
      if (found === undefined) throw new Error(`the cluster does not serve ${group}/${kind}`);
      return found;
    },
  };
}

export function configMap(namespace: string, name: string, data: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

/** The error of ours that a promise rejects with; fails where it does not. */
export async function errorOf(promise: Promise<unknown>): Promise<KubeError> {
  const outcome: unknown = await promise.catch((error: unknown) => error);
  if (outcome instanceof KubeError) return outcome;
  throw new Error('it did not fail with an error of the client', { cause: outcome });
}
