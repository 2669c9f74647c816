import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { API_VERSION } from '../../../api/group.ts';
import { CONTROLLER_USER } from '../../../engine/admission/registration.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, releasesPath, waitForReady } from '../../support/releases.ts';
import { release, useAdmission } from './fixture.ts';

const admission = useAdmission();
const FINE = { source: { inline: configMapYaml('web') } };
const REFUSED = 'admission webhook "validate.convoy.kumodo.io" denied the request';

let asController: string;
beforeAll(async () => {
  asController = await admission.plane.kubeconfigFor(CONTROLLER_USER, ['system:masters']);
});

test('kubectl apply of a Release that cannot work shows why, and what to do', async () => {
  const inline = `${configMapYaml('web')}---\n${configMapYaml('web')}`;
  const answer = await admission.apply(release({ source: { inline } }));
  expect(answer.code).toBe(1);
  expect(answer.stderr).toContain(REFUSED);
  expect(answer.stderr).toContain(
    `spec.source.inline:7: ConfigMap web in ${admission.namespace} stands in this render twice`,
  );
});

test('kubectl apply of a Release with something doubtful shows a warning, and goes on', async () => {
  const inline = configMapYaml(
    'web, annotations: {convoy.kumodo.io/sync-wave: first, convoy.kumodo.io/synk-wave: "1"}',
  );
  const answer = await admission.apply(release({ source: { inline } }));
  expect(answer.code).toBe(0);
  expect(answer.stdout).toContain('release.core.convoy.kumodo.io/shop created');
  expect(answer.stderr).toContain(
    `Warning: ConfigMap web in ${admission.namespace}: convoy.kumodo.io/sync-wave is "first": the default 0 is used`,
  );
  expect(answer.stderr).toContain('did you mean convoy.kumodo.io/sync-wave?');
});

test('a large source is read off the event loop, and its problems are told as well', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => configMapYaml(`web-${index}`)).join('---\n');
  expect((await admission.apply(release({ source: { inline: many } }), ['--server-side'])).code).toBe(0);
  const twice = `${many}---\n${configMapYaml('web-7')}`;
  const answer = await admission.apply(release({ source: { inline: twice } }), ['--server-side']);
  expect(answer.stderr).toContain(`ConfigMap web-7 in ${admission.namespace} stands in this render twice`);
});

test('a sync request that nobody could read is refused', async () => {
  await admission.apply(release(FINE));
  const answer = await admission.kubectl([
    'annotate',
    'release',
    'shop',
    '-n',
    admission.namespace,
    'convoy.kumodo.io/sync=now',
  ]);
  expect(answer.stderr).toContain('annotation convoy.kumodo.io/sync: it is no JSON object');
});

test('the controller is never refused, nor is a change of what is not reviewed', async () => {
  const old = release({ ...FINE, content: { type: 'helm' } });
  expect((await admission.apply(old)).stderr).toContain('spec.content.type: not available yet');
  expect((await admission.apply(old, [], asController)).code).toBe(0);

  const inNamespace = ['release', 'shop', '-n', admission.namespace];
  expect((await admission.kubectl(['label', ...inNamespace, 'team=web'])).code).toBe(0);
  expect((await admission.kubectl(['annotate', ...inNamespace, 'example.com/note=old'])).code).toBe(0);
  const patch = (spec: object) => ['patch', ...inNamespace, '--type=merge', '-p', JSON.stringify({ spec })];
  expect((await admission.kubectl(patch({ suspend: true }))).stderr).toContain(REFUSED);
  expect((await admission.kubectl(patch({ content: null }))).code).toBe(0);
});

test('a Release that is being deleted is let go, whatever it says', async () => {
  const held = release(
    { ...FINE, content: { type: 'helm' } },
    { finalizers: ['convoy.kumodo.io/finalizer'] },
  );
  await admission.apply(held, [], asController);
  const path = releasesPath(admission.namespace);
  await admission.api.must('DELETE', `${path}/shop`);
  await admission.api.must('PATCH', `${path}/shop`, {
    metadata: { annotations: { 'convoy.kumodo.io/prune': 'x' } },
  });
  await admission.api.must('PATCH', `${path}/shop`, { metadata: { finalizers: null } });
  expect((await admission.api.request('GET', `${path}/shop`)).status).toBe(404);
});

test('a Cluster is not deleted while Releases use it, and they are named', async () => {
  const cluster = { apiVersion: API_VERSION, kind: 'Cluster', metadata: { name: 'prod' }, spec: {} };
  expect((await admission.apply(cluster)).code).toBe(0);
  const spec = { ...FINE, clusterRef: { name: 'prod' } };
  for (const name of ['shop', 'api']) await admission.apply(release(spec, { name }), [], asController);
  // The webhook learns of Releases by its watch: one that it refuses to lose is one that it knows.
  await expect
    .poll(
      () =>
        admission.kubectl([
          'delete',
          'clusters.core.convoy.kumodo.io',
          'prod',
          '-n',
          admission.namespace,
          '--dry-run=server',
        ]),
      { timeout: 20_000 },
    )
    .toMatchObject({ stderr: expect.stringContaining('Release api, shop: delete them first') as string });

  await admission.kubectl(['delete', 'release', 'shop', 'api', '-n', admission.namespace]);
  await expect
    .poll(
      () =>
        admission.kubectl(['delete', 'clusters.core.convoy.kumodo.io', 'prod', '-n', admission.namespace]),
      { timeout: 20_000 },
    )
    .toMatchObject({ code: 0 });
});

test('with the webhook in place a Release goes its whole way', async () => {
  const controller = await ControllerProcess.start(asController);
  onTestFinished(() => controller.kill());
  const at = { namespace: admission.namespace, name: 'shop' };
  expect((await admission.apply(release(FINE))).code).toBe(0);
  await waitForReady(admission.api, at, 'Applied');
  const inNamespace = ['release', 'shop', '-n', admission.namespace];
  expect((await admission.kubectl(['delete', ...inNamespace, '--timeout=30s'])).code).toBe(0);
  expect(
    (await admission.api.request('GET', `/api/v1/namespaces/${at.namespace}/configmaps/web`)).status,
  ).toBe(404);
  expect(await controller.stop()).toBe(0);
});

test('other kinds of Convoy are checked against their schema', async () => {
  const rules = {
    apiVersion: API_VERSION,
    kind: 'GlobalHealthRuleSet',
    metadata: { name: 'rules' },
    spec: { rules: [{ target: { group: '', kind: 'Pod' }, healthy: 'true' }] },
  };
  expect((await admission.apply(rules)).code).toBe(0);
});

test('a health rule that cannot be evaluated is refused, with the rule and where in it', async () => {
  const target = { group: 'sea.example', kind: 'Ship' };
  const wrong = [
    { target, healthy: "status.phase == 'Afloat'" },
    { target: { ...target, name: 'ark' }, degraded: "stats.phase == 'Sunk'" },
    {
      target: { ...target, name: 'hulk' },
      healthy: 'spec.a.all(a, a.all(b, b.all(c, c.all(d, d.all(e, true)))))',
    },
  ];
  const set = {
    apiVersion: API_VERSION,
    kind: 'GlobalHealthRuleSet',
    metadata: { name: 'ships' },
    spec: { rules: wrong },
  };
  const ofSet = await admission.apply(set);
  expect(ofSet.code).toBe(1);
  expect(ofSet.stderr).toContain(REFUSED);
  expect(ofSet.stderr).toContain(
    'spec.rules[1] (Ship ark of sea.example): degraded: column 1: unknown variable stats; did you mean status?',
  );
  expect(ofSet.stderr).toContain('spec.rules[2] (Ship hulk of sea.example): healthy: costs too much');

  const ofRelease = await admission.apply(release({ ...FINE, healthAssessment: { rules: wrong } }));
  expect(ofRelease.code).toBe(1);
  expect(ofRelease.stderr).toContain(
    'spec.healthAssessment.rules[1] (Ship ark of sea.example): degraded: column 1',
  );

  const right = wrong.slice(0, 1);
  expect((await admission.apply({ ...set, spec: { rules: right } })).code).toBe(0);
  expect((await admission.apply(release({ ...FINE, healthAssessment: { rules: right } }))).code).toBe(0);
});
