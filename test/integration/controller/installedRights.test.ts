import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CONTROLLER_USER } from '../../../engine/admission/registration.ts';
import { installCrds } from '../../controlplane/crds.ts';
import { createNamespace, kubectl, useControlPlane } from '../../controlplane/fixture.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { useConvoy } from '../plugin/plugin.ts';
import { configMapYaml, createRelease, releasesPath, waitForReady } from '../../support/releases.ts';

const INSTALL = new URL('../../../manifests/install/controller', import.meta.url).pathname;
const plane = useControlPlane({ kwok: false });
const convoy = useConvoy({
  get binDir() {
    return plane().binDir;
  },
  get kubeconfigPath() {
    return plane().kubeconfigPath;
  },
});
let namespace: string;
let asController: string;

const asAdmin = (...args: string[]): Promise<string> => kubectl(plane().binDir, plane().kubeconfigPath, args);

beforeAll(async () => {
  await installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath);
  namespace = await createNamespace(plane().api);
  await asAdmin('create', 'namespace', 'convoy-system');
  await asAdmin('apply', '--server-side', '-k', INSTALL);
  await asAdmin(
    'create',
    'role',
    'held',
    '-n',
    namespace,
    '--verb=create,patch,delete',
    '--resource=configmaps',
  );
  const account = '--serviceaccount=convoy-system:convoy-controller';
  await asAdmin('create', 'rolebinding', 'held', '-n', namespace, '--role=held', account);
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:convoy-system'];
  asController = await plane().kubeconfigFor(CONTROLLER_USER, groups);
});

test('with the rights of the install manifests a Release lives from apply to deletion, and nothing is refused', async () => {
  const controller = await ControllerProcess.start(asController, ['--leader-elect']);
  onTestFinished(() => controller.kill());
  await controller.logged('this process leads');
  const release = { namespace, name: 'app' };
  await createRelease(plane().api, { ...release, spec: { source: { inline: configMapYaml('web') } } });
  await waitForReady(plane().api, release, 'Applied');
  const secrets = await asAdmin(
    'get',
    'secrets',
    '-n',
    namespace,
    '--field-selector=type=convoy.kumodo.io/render',
    '-o=name',
  );
  expect(secrets).toContain('secret/');

  const token = (await asAdmin('create', 'token', 'default', '-n', namespace)).trim();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${await controller.url}/sync/${namespace}/app`, { method: 'POST', headers });
  expect(answer.status).toBe(403);

  await plane().api.must('DELETE', `${releasesPath(namespace)}/app`);
  await asAdmin('wait', '--for=delete', 'release/app', '-n', namespace, '--timeout=30s');
  expect(await controller.stop()).toBe(0);
  expect(controller.log.filter((line) => JSON.stringify(line).includes('orbidden'))).toEqual([]);
});

test('kubectl convoy finds the controller that they install', async () => {
  const { code, stdout } = await convoy(['version', '-o', 'json']);
  expect(code).toBe(0);
  const { controllers } = JSON.parse(stdout) as { controllers: unknown };
  expect(controllers).toEqual([
    { namespace: 'convoy-system', name: 'convoy-controller', version: packageJson.version },
  ]);
});

test('with those to impersonate a Release acts as a ServiceAccount, from apply to deletion, and nothing is refused', async () => {
  await asAdmin('apply', '--server-side', '-k', join(INSTALL, '../impersonation'));
  await asAdmin('create', 'serviceaccount', 'deployer', '-n', namespace);
  const rights = ['--verb=get,create,patch,delete', '--resource=configmaps'];
  await asAdmin('create', 'role', 'deployer', '-n', namespace, ...rights);
  const account = `--serviceaccount=${namespace}:deployer`;
  await asAdmin('create', 'rolebinding', 'deployer', '-n', namespace, '--role=deployer', account);
  await asAdmin('delete', 'rolebinding', 'held', '-n', namespace);
  const controller = await ControllerProcess.start(asController, ['--default-service-account=deployer']);
  onTestFinished(() => controller.kill());
  const release = { namespace, name: 'tenant' };
  await createRelease(plane().api, { ...release, spec: { source: { inline: configMapYaml('web') } } });
  await waitForReady(plane().api, release, 'Applied');
  await plane().api.must('DELETE', `${releasesPath(namespace)}/tenant`);
  await asAdmin('wait', '--for=delete', 'release/tenant', '-n', namespace, '--timeout=30s');
  expect(await controller.stop()).toBe(0);
  expect(controller.log.filter((line) => JSON.stringify(line).includes('orbidden'))).toEqual([]);
});

test.each([
  ['delete', 'releases.core.convoy.kumodo.io'],
  ['create', 'configmaps'],
  ['create', 'clusterrolebindings'],
  ['impersonate', 'users'],
  ['create', 'pods'],
  ['delete', 'leases'],
  ['get', 'nodes'],
])('they do not let it %s %s', async (verb, resource) => {
  const ask = ['auth', 'can-i', verb, resource, '-n', 'convoy-system', `--as=${CONTROLLER_USER}`];
  await expect(asAdmin(...ask)).rejects.toThrow();
});
