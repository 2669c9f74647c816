import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ApiAccess, type ApiObject } from '../controlplane/apiAccess.ts';
import { isAvailable } from './gateOrder.ts';

const SERVICES = ['cart', 'catalog', 'checkout', 'payment', 'recommendations', 'shipping'];

interface Deployment {
  spec: {
    template: {
      metadata: { annotations?: Record<string, string> };
      spec: { containers: { image: string }[] };
    };
  };
}

/**
 * Every state of the shop's Deployments, in the order in which the API server stored them.
 * @param folder where the demo's cluster keeps its files
 * @param end when it has been looked at long enough
 */
export async function deploymentHistory(folder: string, end: Promise<unknown>): Promise<ApiObject[]> {
  const files = await readdir(folder, { recursive: true });
  const kubeconfig = files.find((file) => file.endsWith('admin.kubeconfig'));
  if (kubeconfig === undefined) throw new Error(`no cluster in ${folder}`);
  const api = await ApiAccess.fromKubeconfig(join(folder, kubeconfig));
  const states: ApiObject[] = [];
  const stop = new AbortController();
  void end.then(() => stop.abort());
  try {
    const keep = (state: ApiObject): Promise<void> => Promise.resolve(void states.push(state));
    await api.follow('/apis/apps/v1/namespaces/shop/deployments', keep, stop.signal);
  } finally {
    await api.close();
  }
  return states;
}

/**
 * Whatever the demo printed: no frontend before each service was available, and no new version of it between the payment
 * service beginning to crash and its being available again.
 */
export function expectFrontendHeld(states: readonly ApiObject[]): void {
  const first = (name: string, is: (state: ApiObject) => boolean, from = 0): number =>
    states.findIndex((state, index) => index >= from && state.metadata.name === name && is(state));
  const frontend = first('frontend', () => true);
  for (const service of SERVICES) expectOrder(first(service, isAvailable), frontend);

  const broken = first('payment', (state) => failureOf(state) === 'crash');
  const mended = first('payment', (state) => failureOf(state) === undefined && isAvailable(state), broken);
  const renewed = first('frontend', (state) => imageOf(state).endsWith(':7.4.0'));
  expectOrder(frontend, broken, mended, renewed);
}

function expectOrder(...indices: number[]): void {
  expect(indices).not.toContain(-1);
  expect(indices).toEqual(indices.toSorted((a, b) => a - b));
}

function failureOf(state: ApiObject): string | undefined {
  return templateOf(state).metadata.annotations?.['convoy.kumodo.io/test-fail'];
}

function imageOf(state: ApiObject): string {
  return templateOf(state).spec.containers[0]?.image ?? '';
}

function templateOf(state: ApiObject): Deployment['spec']['template'] {
  return (state as unknown as Deployment).spec.template;
}
