import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { condition, documents, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

/** Whatever was drift would be put right before this: a sync request sends every object again. */
async function sync(): Promise<void> {
  await releases.patch({
    metadata: { annotations: { 'convoy.kumodo.io/sync': JSON.stringify({ id: 'again' }) } },
  });
  await releases.until(
    ({ status }) =>
      status?.sync?.recent?.some(({ id, result }) => id === 'again' && result === 'Applied') === true,
  );
}

const versionOf = (object: ApiObject | undefined): string | undefined => object?.metadata.resourceVersion;

describe('quantities that the API server writes otherwise', () => {
  test('are no drift: neither in a pod template nor in a custom resource', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const deployment = deploymentIn({ wave: 0 }, 'web', {}, 0) as {
      spec: { template: { spec: { containers: object[] } } };
    };
    const [container = {}] = deployment.spec.template.spec.containers;
    const resources = { requests: { cpu: '1000m', memory: '1024Mi' }, limits: { cpu: '1.0', memory: '1Gi' } };
    deployment.spec.template.spec.containers = [{ ...container, resources }];
    const crd = boatCrdYaml(group).replace(
      'masts: {type: integer}',
      'masts: {x-kubernetes-int-or-string: true, pattern: "^[0-9.]+m?$"}',
    );
    const boat = boatYaml(group, 'ferry', '{masts: "1000m"}');
    await releases.create({ source: { inline: documents(crd, boat, sourceOf(deployment)) } });
    await releases.ready('Applied');
    const boats = `/apis/${group}/v1`;
    const before = await releases.find('boats/ferry', boats);
    await sync();
    expect(versionOf(await releases.find('boats/ferry', boats))).toBe(versionOf(before));
    const live = await releases.find('deployments/web', '/apis/apps/v1');
    expect(JSON.stringify(live?.['spec'])).toContain('"cpu":"1"');
    expect(live?.metadata['generation']).toBe(1);
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  });
});

test('an object over 262,144 bytes is applied and updated, and nothing of it stands in an annotation', async () => {
  const large = (letter: string): string =>
    sourceOf({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'large' },
      data: { text: letter.repeat(300_000) },
    });
  await releases.create({ source: { inline: large('a') } });
  await releases.ready('Applied');
  await releases.inline(large('b'));
  await releases.ready('Applied');
  const live = await releases.find('configmaps/large');
  expect(live?.['data']).toEqual({ text: 'b'.repeat(300_000) });
  expect(live?.metadata['annotations']).toBeUndefined();
});

describe('what others fill in', () => {
  test('a CA injector’s caBundle is kept, and is no drift', async () => {
    const name = `${releases.namespace}-hook`;
    const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: [
        {
          name: 'boats.example.org',
          clientConfig: { url: 'https://127.0.0.1:9/x' },
          rules: [
            {
              apiGroups: ['none.example.org'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['boats'],
            },
          ],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    };
    await releases.create({ source: { inline: sourceOf(configuration) } });
    await releases.ready('Applied');
    const ca = await releases.findAt('/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt');
    const pem = (ca?.['data'] as Record<string, string> | undefined)?.['ca.crt'] ?? '';
    const caBundle = Buffer.from(pem).toString('base64');
    const live = (await releases.findAt(path)) as ApiObject;
    const [webhook] = live['webhooks'] as { clientConfig: object }[];
    const injected = await releases.cluster.api.must('PATCH', `${path}?fieldManager=ca-injector`, {
      webhooks: [{ ...webhook, clientConfig: { ...webhook?.clientConfig, caBundle } }],
    });
    await sync();
    const after = await releases.findAt(path);
    expect(JSON.stringify(after?.['webhooks'])).toContain(`"caBundle":"${caBundle}"`);
    expect(versionOf(after)).toBe(versionOf(injected));
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  });

  test('the rules of an aggregated ClusterRole are kept, and are no drift', async () => {
    const rbac = 'rbac.authorization.k8s.io';
    const [whole, part] = [`${releases.namespace}-whole`, `${releases.namespace}-part`];
    const label = { [`example.org/${releases.namespace}`]: 'true' };
    const role = (name: string, more: object): object => ({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name, labels: label },
      ...more,
    });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    const aggregated = {
      ...role(whole, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: label }] } }),
      metadata: { name: whole },
    };
    await releases.create({ source: { inline: sourceOf(aggregated, role(part, { rules })) } });
    await releases.ready('Applied');
    const collection = `/apis/${rbac}/v1/clusterroles`;
    const filled = await releases.cluster.api.waitForNamed(
      collection,
      whole,
      ({ rules: found }) => Array.isArray(found) && found.length === 1,
    );
    await sync();
    const after = await releases.findAt(`${collection}/${whole}`);
    expect(after?.['rules']).toEqual(rules);
    expect(versionOf(after)).toBe(versionOf(filled));
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  });

  test('replicas that an autoscaler sets, and the render does not, are never reset', async () => {
    const deployment = deploymentIn({ wave: 0 }, 'web') as { spec: Record<string, unknown> };
    delete deployment.spec['replicas'];
    await releases.create({
      source: { inline: sourceOf(deployment) },
      healthAssessment: { deadline: '5m' },
    });
    await releases.until((release) => condition(release, 'Healthy')?.reason === 'AllHealthy');
    const path = `/apis/apps/v1/namespaces/${releases.namespace}/deployments/web`;
    const scaled = await releases.cluster.api.must('PATCH', `${path}/scale?fieldManager=autoscaler`, {
      spec: { replicas: 2 },
    });
    expect(scaled['spec']).toEqual({ replicas: 2 });
    await sync();
    await releases.inline(
      sourceOf({ ...deployment, spec: { ...deployment.spec, minReadySeconds: 0, revisionHistoryLimit: 5 } }),
    );
    await releases.ready('Applied');
    const live = await releases.find('deployments/web', '/apis/apps/v1');
    expect(live?.['spec']).toMatchObject({ replicas: 2, revisionHistoryLimit: 5 });
  });
});
