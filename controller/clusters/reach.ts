import type { ClusterReason } from '../../api/conditions.ts';
import { ApiError, ConnectionError } from '../../kube/errors.ts';
import type { Transport } from '../../kube/transport.ts';

/** How an API server was found. */
export interface Reached {
  reason: 'Connected';
  serverVersion: string;
  latencyMilliseconds: number;
}

/** Why there is no connection, in the words of the Cluster's status. */
export interface Unreached {
  reason: Exclude<ClusterReason, 'Connected'>;
  message: string;
}

export type Reach = Reached | Unreached;

/** How long an API server may take for its version (ms): it answers that from memory. */
const TIMEOUT_MS = 10_000;

/** Asks an API server for its version: whether it is there, and takes the credentials. */
export async function reach(transport: Transport, signal: AbortSignal): Promise<Reach> {
  const startedAt = performance.now();
  try {
    const { body } = await transport.request({
      method: 'GET',
      path: '/version',
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    return {
      reason: 'Connected',
      serverVersion: versionIn(body),
      latencyMilliseconds: Math.round(performance.now() - startedAt),
    };
  } catch (error) {
    signal.throwIfAborted();
    return unreached(error);
  }
}

function unreached(error: unknown): Unreached {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
    const message = `the API server does not take the credentials of the kubeconfig (${error.serverMessage}) – renew them in its Secret`;
    return { reason: 'AccessDenied', message };
  }
  const why = error instanceof Error ? error.message : String(error);
  const advice = error instanceof ConnectionError ? ' – it is tried again by itself' : '';
  return { reason: 'Unreachable', message: `the API server does not answer: ${why}${advice}` };
}

function versionIn(body: unknown): string {
  const version =
    typeof body === 'object' && body !== null ? (body as { gitVersion?: unknown }).gitVersion : '';
  return typeof version === 'string' ? version.slice(0, 128) : '';
}
