import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOOK } from '../../../api/annotations.ts';
import { API_VERSION } from '../../../api/group.ts';
import type { ReleaseSpec } from '../../../api/release.ts';
import { createNamespace, useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { configMapYaml, createRelease, releasesPath, waitForReady } from '../../support/releases.ts';
import { documents, NAME, Releases } from './fixture.ts';
import { createRole, createTenant, createVictim, giveRights, refusal, takeRights } from './tenantObjects.ts';

// The controller itself may do everything, so that all that is refused is refused to the tenant.
const cluster = useCluster();
const controller = useController(cluster, ['--default-service-account=tenant', '--allow-loopback-clusters']);
const releases = new Releases(cluster, useNamespace(cluster), controller);
const DEFAULT = 'tenant';

const userOf = (name = DEFAULT): string => `system:serviceaccount:${releases.namespace}:${name}`;
const inlined = (text: string): ReleaseSpec => ({ source: { inline: text } });
const theirs = async (victim: string, kind = 'configmaps') =>
  await releases.findAt(`/api/v1/namespaces/${victim}/${kind}/theirs`);

beforeEach(() => createTenant(releases, DEFAULT));

test('a Release acts as the ServiceAccount of its Namespace, from apply to deletion, and nothing else does', async () => {
  await createTenant(releases, 'deployer');
  await releases.create({ ...inlined(configMapYaml('web', { key: 'one' })), serviceAccountName: 'deployer' });
  await releases.ready('Applied');
  await takeRights(releases, DEFAULT);
  await releases.inline(configMapYaml('web', { key: 'two' }));
  await releases.ready('Applied');
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

const role = (rules: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: more}\nrules: ${rules}\n`;
const binding = (ref: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: more}\n` +
  `roleRef: {apiGroup: rbac.authorization.k8s.io, ${ref}}\n` +
  `subjects: [{kind: ServiceAccount, name: ${DEFAULT}}]\n`;
const ofCluster = (kind: string, rest: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: tenant-escapes}\n${rest}`;

describe('a tenant that applies', () => {
  test.each([
    [
      'a Role with more rights',
      role('[{apiGroups: [""], resources: [pods], verbs: [create]}]'),
      'attempting to grant RBAC permissions not currently held',
    ],
    [
      'a RoleBinding to more rights',
      binding('kind: ClusterRole, name: cluster-admin'),
      'attempting to grant RBAC permissions not currently held',
    ],
    [
      'a ClusterRole',
      ofCluster('ClusterRole', 'rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]\n'),
      'cannot patch resource "clusterroles"',
    ],
    [
      'a ClusterRoleBinding',
      ofCluster(
        'ClusterRoleBinding',
        `roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\nsubjects: [{kind: ServiceAccount, name: ${DEFAULT}, namespace: default}]\n`,
      ),
      'cannot patch resource "clusterrolebindings"',
    ],
    [
      'a Namespace',
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: tenant-escapes}\n',
      'cannot patch resource "namespaces"',
    ],
    [
      'a webhook configuration',
      'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: tenant-escapes}\n',
      'cannot patch resource "mutatingwebhookconfigurations"',
    ],
    [
      'a rule set of health for all',
      `apiVersion: ${API_VERSION}\nkind: GlobalHealthRuleSet\nmetadata: {name: tenant-escapes}\nspec: {rules: []}\n`,
      'cannot patch resource "globalhealthrulesets"',
    ],
  ])('%s is refused', async (_, text, says) => {
    await releases.create(inlined(documents(text, configMapYaml('beside'))));
    const message = await refusal(releases, 'AccessDenied');
    expect(message).toContain(says);
    expect(message).toContain(userOf());
    expect(await releases.find('configmaps/beside')).toBeUndefined();
  });

  test('into the Namespace of others is refused, by name or by targetNamespace, and nothing of theirs changes', async () => {
    const victim = await createVictim(releases);
    const before = await theirs(victim);
    const says = `cannot patch resource "configmaps" in API group "" in the namespace "${victim}"`;
    await releases.create(inlined(configMapYaml(`theirs, namespace: ${victim}`, { key: 'mine' })));
    expect(await refusal(releases, 'AccessDenied')).toContain(says);
    await releases.create(
      { ...inlined(configMapYaml('theirs')), targetNamespace: victim },
      { name: 'aimed' },
    );
    expect(await refusal(releases, 'AccessDenied', 'aimed')).toContain(says);
    const adopting = `theirs, namespace: ${victim}, annotations: {convoy.kumodo.io/adoption-policy: Always}`;
    await releases.create(inlined(configMapYaml(adopting)), { name: 'adopting' });
    expect(await refusal(releases, 'AccessDenied', 'adopting')).toContain(says);
    expect(await theirs(victim)).toEqual(before);
  });

  test('what another Release of the same Namespace holds is refused', async () => {
    await releases.create(inlined(configMapYaml('shared')), { name: 'first' });
    await releases.ready('Applied', 'first');
    await releases.create(inlined(configMapYaml('shared')), { name: 'second' });
    expect(await refusal(releases, 'OwnershipConflict', 'second')).toContain('first');
  });
});

describe('a ServiceAccount that may not read', () => {
  beforeEach(() =>
    createTenant(releases, 'poor', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] },
    ]),
  );

  test('Secrets gets none by variablesFrom', async () => {
    const metadata = { name: 'hidden' };
    const path = `/api/v1/namespaces/${releases.namespace}/secrets`;
    await releases.cluster.api.must('POST', path, { metadata, stringData: { password: 'not-for-you' } });
    await releases.create({
      ...inlined(configMapYaml('web', { key: '${password}' })),
      serviceAccountName: 'poor',
      content: { variablesFrom: [{ kind: 'Secret', ...metadata }] },
    });
    const message = await refusal(releases, 'SourceFailed');
    expect(message).toContain(`User "${userOf('poor')}" cannot get resource "secrets"`);
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test.each([
    ['name', { name: 'source' }, 'cannot get resource "configmaps"'],
    ['selector', { selector: { matchLabels: { part: 'of-source' } } }, 'cannot list resource "configmaps"'],
  ])('ConfigMaps gets no source by %s, and gets it when the right is given', async (_, configMap, says) => {
    const data = { 'web.yaml': configMapYaml('web') };
    await releases.createConfigMap('source', { data }, { part: 'of-source' });
    await releases.create({ source: { configMap }, serviceAccountName: 'poor' });
    const message = await refusal(releases, 'SourceFailed');
    expect(message).toContain(says);
    expect(message).toContain('grant this user the right');
    expect(await releases.find('configmaps/web')).toBeUndefined();
    const mayRead = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
    await createRole(releases, { name: 'reader', account: 'poor', rules: mayRead });
    await releases.ready('Applied');
  });
});

test('a hook is refused to a ServiceAccount that may create no Jobs', async () => {
  await createTenant(releases, 'poor', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }]);
  const container = { name: 'main', image: 'example.org/migrate' };
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  await releases.create({
    ...inlined(configMapYaml('web')),
    serviceAccountName: 'poor',
    lifecycleHooks: { preSync: [{ name: 'migrate', job: { template } }] },
  });
  const release = await releases.until(({ status }) =>
    JSON.stringify(status ?? {}).includes('cannot create resource \\"jobs\\"'),
  );
  expect(JSON.stringify(release.status)).toContain(userOf('poor'));
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('a hook is refused in the Namespace of others', async () => {
  const victim = await createVictim(releases);
  const hook =
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, namespace: ${victim}, annotations: {${HOOK}: preSync}}\n` +
    'spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.org/migrate}]}}}\n';
  await releases.create(inlined(documents(hook, configMapYaml('web'))));
  const refused = `jobs.batch is forbidden: User "${userOf()}" cannot create resource "jobs" in API group "batch" in the namespace "${victim}"`;
  await releases.until(({ status }) =>
    JSON.stringify(status ?? {}).includes(JSON.stringify(refused).slice(1, -1)),
  );
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('a right that is given counts when the Release is synced', async () => {
  await createTenant(releases, 'poor', []);
  await releases.create({ ...inlined(configMapYaml('web')), serviceAccountName: 'poor' });
  expect(await refusal(releases, 'AccessDenied')).toContain(
    `User "${userOf('poor')}" cannot patch resource "configmaps"`,
  );
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] }];
  await createRole(releases, { name: 'applier', account: 'poor', rules });
  await releases.sync();
  expect(await releases.find('configmaps/web')).toBeDefined();
});

test('an inventory that somebody has written objects of others into deletes none of them', async () => {
  const victim = await createVictim(releases);
  await releases.create(inlined(configMapYaml('web')));
  await releases.ready('Applied');
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
  const [shard] = await releases.inventory();
  const { entries } = shard?.['spec'] as { entries: object[] };
  const { uid } = (await theirs(victim))?.metadata ?? {};
  const forged = { ...entries[0], namespace: victim, name: 'theirs', uid };
  const path = `/apis/${API_VERSION}/namespaces/${releases.namespace}/releaseinventories`;
  await releases.cluster.api.must('PATCH', `${path}/${shard?.metadata.name ?? ''}`, {
    spec: { entries: [...entries, forged] },
  });
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
  expect(await refusal(releases, 'Deleting')).toContain(`in the namespace "${victim}"`);
  expect(await theirs(victim)).toBeDefined();
});

test('a kubeconfig whose user may not act as the ServiceAccount is refused, with a message that says which right', async () => {
  const text = await readFile(await cluster.kubeconfigFor('nobody-in-particular'), 'utf8');
  const secret = { metadata: { name: 'hub' }, stringData: { value: text } };
  await releases.cluster.api.must('POST', `/api/v1/namespaces/${releases.namespace}/secrets`, secret);
  await releases.cluster.api.must('POST', `/apis/${API_VERSION}/namespaces/${releases.namespace}/clusters`, {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name: 'hub' },
    spec: { kubeconfig: { secretRef: { name: 'hub' } } },
  });
  await releases.create({ ...inlined(configMapYaml('web')), clusterRef: { name: 'hub' } });
  const message = await refusal(releases, 'AccessDenied');
  expect(message).toContain('"nobody-in-particular" cannot impersonate');
  expect(message).toContain('needs the right to impersonate this ServiceAccount: grant it');
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('a deletion waits for the rights of its ServiceAccount, says so, and goes on when they are back', async () => {
  await releases.create(inlined(configMapYaml('web')));
  await releases.ready('Applied');
  await takeRights(releases, DEFAULT);
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
  const message = await refusal(releases, 'Deleting');
  expect(message).toContain(`User "${userOf()}" cannot get resource "configmaps"`);
  expect(message).toContain('grant this user the right');
  await giveRights(releases, DEFAULT);
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('a Namespace that is deleted goes with its Releases, though the rights of their ServiceAccount go first', async () => {
  const elsewhere = await createVictim(releases);
  const team = { cluster, namespace: await createNamespace(cluster.api) };
  await createTenant(team, DEFAULT);
  const mayThere = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];
  await createRole(team, { name: 'guest', account: DEFAULT, rules: mayThere, where: elsewhere });
  const outside = configMapYaml(`outside, namespace: ${elsewhere}`);
  const at = { namespace: team.namespace, name: NAME };
  await createRelease(cluster.api, { ...at, spec: inlined(documents(configMapYaml('web'), outside)) });
  await waitForReady(cluster.api, at, 'Applied');
  await takeRights(team, DEFAULT);
  await cluster.kubectl('delete', 'namespace', team.namespace, '--timeout=90s');
  expect(await releases.findAt(`/api/v1/namespaces/${elsewhere}/configmaps/outside`)).toBeUndefined();
  expect(await theirs(elsewhere)).toBeDefined();
});
