import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReleaseSpec } from '../../api/release.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { installCrds } from '../controlplane/crds.ts';
import { kubectl, useControlPlane, useNamespace } from '../controlplane/fixture.ts';
import { useConvoy } from '../integration/plugin/plugin.ts';
import { type Write, writesOfConvoy } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { firstAvailable } from '../support/gateOrder.ts';
import { haveManifests, manifestsFolder } from '../support/manifests.ts';
import { createRelease, patchRelease, waitForReady } from '../support/releases.ts';

/** Deployments by wave: the cart's store, the services behind the frontend, the frontend, and who visits it. */
const WAVES = [
  ['redis-cart'],
  [
    'adservice',
    'cartservice',
    'checkoutservice',
    'currencyservice',
    'emailservice',
    'paymentservice',
    'productcatalogservice',
    'recommendationservice',
    'shippingservice',
  ],
  ['frontend'],
  ['loadgenerator'],
] as const;
const BROKEN = 'paymentservice';
const PROMPT_SECONDS = 1;

type Mutation = NonNullable<ReleaseSpec['mutations']>[number];

/** Objects of a wave by their names: a Deployment, its Service and its ServiceAccount have the same. */
const WAVE_MUTATIONS: readonly Mutation[] = WAVES.flatMap((names, wave) =>
  (wave === 2 ? ['frontend*'] : names).map((name): Mutation => ({
    type: 'syncWave',
    target: { name },
    waveStrategy: { wave, strategy: 'waitForHealthyWithTimeout', timeout: '5m' },
  })),
);

/** A version whose pods crash. */
const CRASH: Mutation = {
  type: 'mergePatch',
  target: { kind: 'Deployment', name: BROKEN },
  mergePatch: {
    spec: { template: { metadata: { annotations: { 'convoy.kumodo.io/test-fail': 'crash' } } } },
  },
};

describe.runIf(haveManifests())('online-boutique in gated waves', () => {
  const plane = useControlPlane({ audit: true });
  const cluster = {
    get api() {
      return plane().api;
    },
    get binDir() {
      return plane().binDir;
    },
    get kubeconfigPath() {
      return plane().kubeconfigPath;
    },
    kubectl: (...args: string[]) => kubectl(plane().binDir, plane().kubeconfigPath, args),
  };
  const namespace = useNamespace(cluster);
  const convoy = useConvoy(cluster);

  test('a service that crashes holds the frontend, says why, and mending it lets all go on', async () => {
    await installCrds(join(cluster.binDir, 'kubectl'), cluster.kubeconfigPath);
    const controller = await ControllerProcess.start(cluster.kubeconfigPath);
    try {
      await ship();
      await expectHold();
      await mend();
    } finally {
      await controller.stop();
    }
    const events = await plane().auditEvents();
    expectOrder(events);
  }, 180_000);

  async function ship(): Promise<void> {
    const folder = join(manifestsFolder('online-boutique'), 'kustomize/base');
    await cluster.kubectl('create', 'configmap', 'boutique', '-n', namespace(), `--from-file=${folder}`);
    await createRelease(cluster.api, {
      namespace: namespace(),
      name: 'boutique',
      spec: {
        source: { configMap: { name: 'boutique' } },
        healthAssessment: {},
        mutations: [...WAVE_MUTATIONS, CRASH],
      },
    });
  }

  async function expectHold(): Promise<void> {
    await waitForReady(cluster.api, id(), 'WaitingForWaveHealth', 60_000);
    const crashed = (object: object): boolean => JSON.stringify(object).includes('CrashLoopBackOff');
    await cluster.api.waitFor(`/api/v1/namespaces/${namespace()}/pods`, crashed);
    // All but the one that crashes.
    await untilHeldFor(1);
    const { code, stdout } = await convoy(['release', 'why', 'boutique', '-n', namespace()]);
    expect(code).toBe(0);
    expect(stdout).toContain('waits: wave 2 is applied when wave 1 is healthy');
    expect(stdout).toMatch(/Waits +for \d+s, at most 5m: \d+m\d*s? left/);
    expect(stdout).toMatch(/Then +the Release is WaveFailed/);
    expect(stdout).toMatch(
      new RegExp(`^apps/Deployment ${BROKEN} in ${namespace()}: Progressing for \\d+s$`, 'm'),
    );
    expect(stdout).toContain('1 pod: CrashLoopBackOff, exit code 1');
    const frontend = await cluster.api.request(
      'GET',
      `/apis/apps/v1/namespaces/${namespace()}/deployments/frontend`,
    );
    expect(frontend.status).toBe(404);
  }

  async function untilHeldFor(deployments: number): Promise<void> {
    await cluster.api.waitForNamed(
      `/apis/core.convoy.kumodo.io/v1alpha1/namespaces/${namespace()}/releases`,
      'boutique',
      (object) => {
        const { health } = object['status'] as { health?: { progressing: number; degraded: number } };
        return (health?.progressing ?? 0) + (health?.degraded ?? 0) === deployments;
      },
    );
  }

  async function mend(): Promise<void> {
    await patchRelease(cluster.api, id(), { spec: { mutations: WAVE_MUTATIONS } });
    await giveAddress();
    await waitForReady(cluster.api, id(), 'Applied', 60_000);
  }

  /** What a cloud's load balancer does. */
  async function giveAddress(): Promise<void> {
    const services = `/api/v1/namespaces/${namespace()}/services`;
    await cluster.api.waitForNamed(services, 'frontend-external', () => true);
    await cluster.api.must('PATCH', `${services}/frontend-external/status`, {
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    });
  }

  function id() {
    return { namespace: namespace(), name: 'boutique' };
  }

  /** By the API server's own record: nothing was sent before what it waits for was available, and then promptly. */
  function expectOrder(events: readonly AuditEvent[]): void {
    const sent = firstWrites(writesOfConvoy(events));
    const available = firstAvailable(events);
    for (const [wave, names] of WAVES.entries()) {
      const begin = Math.min(...names.map((name) => sent.get(name) ?? NaN));
      expect(begin, `wave ${wave}`).not.toBeNaN();
      const before = (WAVES[wave - 1] ?? []).map((name) => available.get(`${namespace()}/${name}`) ?? NaN);
      if (before.length === 0) continue;
      const gap = begin - Math.max(...before);
      expect(gap, `wave ${wave}`).toBeGreaterThan(0);
      expect(gap, `wave ${wave}`).toBeLessThan(PROMPT_SECONDS);
    }
  }

  function firstWrites(writes: readonly Write[]): Map<string, number> {
    const first = new Map<string, number>();
    for (const { resource, name, at } of writes)
      if (resource === 'deployments' && !first.has(name)) first.set(name, at);
    return first;
  }
});
