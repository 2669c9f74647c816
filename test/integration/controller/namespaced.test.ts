import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { installCrds } from '../../controlplane/crds.ts';
import { kubectl, useControlPlane } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { mayDo } from '../../support/mayDo.ts';
import {
  configMapYaml,
  createRelease,
  patchRelease,
  readyMessage,
  releasesPath,
  waitForReady,
} from '../../support/releases.ts';

const INSTALL = new URL('../../../manifests/install/', import.meta.url).pathname;
/** Where manifests/install/controller-namespaced puts it. */
const OWN = 'apps';
const OTHER = 'other';
const USER = `system:serviceaccount:${OWN}:convoy-controller`;
const GROUPS = ['system:serviceaccounts', `system:serviceaccounts:${OWN}`, 'system:authenticated'];

const plane = useControlPlane({ audit: true, kwok: false });
let controller: ControllerProcess | undefined;

const asAdmin = (...args: string[]): Promise<string> => kubectl(plane().binDir, plane().kubeconfigPath, args);

beforeAll(async () => {
  await installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath);
  for (const name of [OWN, OTHER]) await asAdmin('create', 'namespace', name);
  await asAdmin('apply', '--server-side', '-k', join(INSTALL, 'controller-namespaced'));
  // What its Releases hold.
  const rights = ['--verb=get,list,watch,create,patch,delete', '--resource=configmaps,services'];
  await asAdmin('create', 'role', 'held', '-n', OWN, ...rights);
  const account = `--serviceaccount=${OWN}:convoy-controller`;
  await asAdmin('create', 'rolebinding', 'held', '-n', OWN, '--role=held', account);
  // The authoriser learns of it a little later.
  const needed = [
    { verb: 'watch', resource: 'services', namespace: OWN },
    { verb: 'watch', group: 'core.convoy.kumodo.io', resource: 'releases', namespace: OWN },
    { verb: 'watch', group: 'core.convoy.kumodo.io', resource: 'globalhealthrulesets' },
    { verb: 'create', group: 'coordination.k8s.io', resource: 'leases', namespace: OWN },
  ];
  for (const right of needed)
    await vi.waitFor(async () => expect(await mayDo(plane().api, USER, right, GROUPS)).toBe(true), 30_000);
  const kubeconfig = await plane().kubeconfigFor(USER, GROUPS);
  controller = await ControllerProcess.start(kubeconfig, ['--leader-elect', `--namespace=${OWN}`]);
  await controller.logged('this process leads');
});

afterAll(() => controller?.kill());

const app = { namespace: OWN, name: 'app' };
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n';

test('with the rights of the install manifests a Release lives from apply to deletion in its namespace', async () => {
  const { api } = plane();
  const source = (...documents: string[]) => ({ source: { inline: documents.join('---\n') } });
  const spec = {
    ...source(configMapYaml('web'), configMapYaml('old'), service),
    healthAssessment: {},
    syncPolicy: { prune: { orphaned: true } },
  };
  await createRelease(api, { ...app, spec });
  await waitForReady(api, app, 'Applied');
  // Drift is seen by its watches.
  await api.must('PATCH', `/api/v1/namespaces/${OWN}/configmaps/web`, { data: { key: 'edited' } });
  const isMended = ({ data }: Record<string, unknown>): boolean => (data as { key?: string }).key === 'value';
  await api.waitForNamed(`/api/v1/namespaces/${OWN}/configmaps`, 'web', isMended);
  await patchRelease(api, app, { spec: source(configMapYaml('web'), service) });
  await waitForReady(api, app, 'Applied');
  await api.waitForGone(`/api/v1/namespaces/${OWN}/configmaps`, 'old');

  const token = (await asAdmin('create', 'token', 'default', '-n', OWN)).trim();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${(await controller?.url) ?? ''}/sync/${OWN}/app`, { method: 'POST', headers });
  expect(answer.status).toBe(403);

  await api.must('DELETE', `${releasesPath(OWN)}/app`);
  await api.waitForGone(releasesPath(OWN), 'app');
  await api.waitForGone(`/api/v1/namespaces/${OWN}/configmaps`, 'web');
});

test('objects elsewhere, and those of the whole cluster, are refused by name, and nothing is applied', async () => {
  const { api } = plane();
  const inline = [
    configMapYaml('inside'),
    configMapYaml(`outside, namespace: ${OTHER}`),
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n',
  ].join('---\n');
  const name = 'wide';
  await createRelease(api, { namespace: OWN, name, spec: { source: { inline } } });
  const refused = await waitForReady(api, { namespace: OWN, name }, 'AccessDenied');
  expect(readyMessage(refused).split('\n').sort()).toEqual([
    'ConfigMap outside in other: it is in another namespace',
    'Namespace new: it is of the whole cluster',
    `the controller keeps to namespace ${OWN} (--namespace); nothing was applied`,
  ]);
  const { status } = await api.request('GET', `/api/v1/namespaces/${OWN}/configmaps/inside`);
  expect(status).toBe(404);
});

test('Releases of other namespaces are none of its business', async () => {
  const { api } = plane();
  const spec = { source: { inline: configMapYaml('web') } };
  await createRelease(api, { namespace: OTHER, name: 'app', spec });
  // One that comes later is applied by then.
  await createRelease(api, { namespace: OWN, name: 'later', spec });
  await waitForReady(api, { namespace: OWN, name: 'later' }, 'Applied');
  const { status, metadata } = await api.must('GET', `${releasesPath(OTHER)}/app`);
  expect(status).toBeUndefined();
  expect(metadata['finalizers']).toBeUndefined();
});

test('nothing was refused to it in all this, and it asked for nothing of other namespaces', async () => {
  const events = (await plane().auditEvents()).filter(({ user }) => user.username === USER);
  expect(events.length).toBeGreaterThan(50);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  const elsewhere = events.filter(
    ({ objectRef }) =>
      objectRef !== undefined && objectRef.namespace !== OWN && !OF_THE_CLUSTER.has(objectRef.resource),
  );
  expect(elsewhere.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  expect(controller?.log.filter((line) => JSON.stringify(line).includes('orbidden'))).toEqual([]);
});

const OF_THE_CLUSTER = new Set([
  'globalhealthrulesets',
  'customresourcedefinitions',
  'storageclasses',
  'tokenreviews',
  'subjectaccessreviews',
]);

test.each([
  ['get', 'secrets', OTHER],
  ['list', 'releases.core.convoy.kumodo.io', OTHER],
  ['create', 'configmaps', OTHER],
  ['create', 'rolebindings', OWN],
  ['delete', 'releases.core.convoy.kumodo.io', OWN],
  ['patch', 'globalhealthrulesets.core.convoy.kumodo.io', OWN],
  ['impersonate', 'serviceaccounts', OWN],
  ['get', 'nodes', OWN],
])('its rights do not let it %s %s in %s', async (verb, resource, namespace) => {
  const ask = ['auth', 'can-i', verb, resource, '-n', namespace, `--as=${USER}`];
  await expect(asAdmin(...ask)).rejects.toThrow();
});
