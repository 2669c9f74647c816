import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ReleaseSpec } from '../../api/release.ts';
import { useCluster, useNamespace } from '../controlplane/fixture.ts';
import { documents, NAME, Releases } from '../integration/controller/fixture.ts';
import { type Answer, useConvoy } from '../integration/plugin/plugin.ts';
import { CANARY } from '../support/canary.ts';
import { useController } from '../support/controllerProcess.ts';
import { configMapYaml, readyMessage } from '../support/releases.ts';
import { deploymentIn, type Fate, sourceOf } from '../support/wavedObjects.ts';

// A Secret of a render is told nowhere. What is searched stands in test/support: the log and the metrics of the controller,
// Events, statuses and inventories of the namespace, and each answer of kubectl convoy.

const cluster = useCluster();
const namespace = useNamespace(cluster);
const controller = useController(cluster);
const releases = new Releases(cluster, namespace, controller);
const convoy = useConvoy(cluster);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A Secret that has the canary in every field that takes one. */
function secretYaml(version: string, more = ''): string {
  return `apiVersion: v1
kind: Secret
metadata: {name: keys}
stringData:
  password: "${CANARY}${version}"
  url: "postgres://shop:${CANARY}${version}@db/shop"
data: {token: ${base64(`${CANARY}${version}-token`)}}
${more}`;
}

const copyYaml = configMapYaml('copy', { url: 'db://${PASS}@db', open: 'yes' });

async function write(...texts: readonly string[]): Promise<void> {
  const data = { 'all.yaml': documents(...texts) };
  if ((await releases.find('configmaps/source')) === undefined)
    await releases.createConfigMap('source', { data });
  else await releases.patchConfigMap('source', { data });
}

const store = (fate: Fate = {}): string => sourceOf(deploymentIn({ wave: 1 }, 'store', fate));

/** What a person would ask for on a Release, whatever state it is in. */
async function ask(): Promise<Answer[]> {
  const on = [NAME, '-n', namespace()];
  return [
    await convoy(['release', 'status', ...on]),
    await convoy(['release', 'why', ...on]),
    await convoy(['release', 'why', ...on, '-o', 'json']),
    await convoy(['release', 'diff', ...on]),
    await convoy(['release', 'diff', ...on, '-o', 'json']),
    await convoy(['release', 'get', ...on]),
    await convoy(['waves', 'status', ...on]),
  ];
}

const SPEC: Omit<ReleaseSpec, 'source'> = {
  content: { variablesFrom: [{ kind: 'Secret', name: 'vars' }] },
  healthAssessment: { deadline: '4s' },
  failurePolicy: { rollback: 'OnReleaseFailure' },
  syncPolicy: { prune: { orphaned: true } },
};

beforeEach(async () => {
  await cluster.api.must('POST', `/api/v1/namespaces/${namespace()}/secrets`, {
    metadata: { name: 'vars' },
    stringData: { PASS: `${CANARY}-variable` },
  });
});

async function shipped(more = ''): Promise<void> {
  await write(secretYaml('1', more), copyYaml, store());
  await releases.create({ source: { configMap: { name: 'source' } }, ...SPEC });
  await releases.until(({ status }) => status?.rollout?.state === 'Succeeded');
}

/** Has the API server refuse what Convoy makes of Secrets of the test with their own values, as the webhooks of others may. */
async function refuseWithValues(): Promise<void> {
  const name = `tell-${namespace()}`;
  const path = '/apis/admissionregistration.k8s.io/v1';
  const policy = {
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace() } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['secrets'] },
        ],
      },
      matchConditions: [
        { name: 'by-convoy', expression: `request.options.?fieldManager.orValue('') == 'convoy'` },
      ],
      validations: [
        {
          expression: `object.metadata.name != 'keys'`,
          messageExpression: `'too weak: ' + string(object.data['url']) + ' and ' + string(object.data['password'])`,
        },
      ],
    },
  };
  await cluster.api.must('POST', `${path}/validatingadmissionpolicies`, policy);
  onTestFinished(async () => {
    await cluster.api.must('DELETE', `${path}/validatingadmissionpolicybindings/${name}`);
    await cluster.api.must('DELETE', `${path}/validatingadmissionpolicies/${name}`);
  });
  await cluster.api.must('POST', `${path}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  // A policy counts some time after it is made.
  const probe = { metadata: { name: 'keys' }, stringData: { url: 'none', password: 'none' } };
  await expect
    .poll(
      async () =>
        (
          await cluster.api.request(
            'PUT',
            `/api/v1/namespaces/${namespace()}/secrets/keys?dryRun=All&fieldManager=convoy`,
            probe,
          )
        ).status,
      { timeout: 20_000 },
    )
    .toBe(422);
}

test('applied, edited by others, failed and rolled back', async () => {
  await shipped();
  await ask();
  const path = `/api/v1/namespaces/${namespace()}/secrets/keys`;
  await cluster.api.must('PATCH', path, { stringData: { password: `${CANARY}-by-hand` } });
  await expect
    .poll(async () => (await cluster.api.must('GET', path))['data'])
    .toMatchObject({ password: base64(`${CANARY}1`) });
  await write(secretYaml('2'), copyYaml, store({ fail: 'crash' }));
  await releases.until(({ status }) => status?.rollout?.state === 'RolledBack');
  const [, , , diff] = await ask();
  expect(diff?.stdout).toContain('(hidden, before)');
  await convoy(['release', 'sync', NAME, '-n', namespace(), '--force']);
  await releases.until(({ status }) => status?.rollout?.state === 'Progressing');
  await ask();
});

test('refused since it is immutable', async () => {
  await shipped('immutable: true\n');
  await write(secretYaml('2', 'immutable: true\n'), copyYaml, store());
  expect(readyMessage(await releases.ready('DryRunFailed'))).toContain('Secret keys');
  await ask();
});

test('refused in words that quote it', async () => {
  await shipped();
  await refuseWithValues();
  await write(secretYaml('2'), copyYaml, store());
  const message = readyMessage(await releases.ready('DryRunFailed'));
  expect(message).toContain('too weak: (a value from a Secret) and (a value from a Secret)');
  await releases.event('Warning', 'DryRunFailed', 'too weak: (a value from a Secret)');
  await ask();
  // By force the apply is refused, not the dry run.
  await convoy(['release', 'sync', NAME, '-n', namespace(), '--force']);
  expect(readyMessage(await releases.ready('ApplyFailed'))).toContain('too weak: (a value from a Secret)');
  await ask();
});

test('edited by others in manual mode, where an apply would be refused in words that quote it', async () => {
  const { content = {} } = SPEC;
  await write(secretYaml('1'), copyYaml);
  await releases.create({
    source: { configMap: { name: 'source' } },
    content,
    syncPolicy: { mode: 'Manual' },
  });
  await releases.ready('WaitingForSync');
  await convoy(['release', 'sync', NAME, '-n', namespace()]);
  await releases.ready('Applied');
  await refuseWithValues();
  const path = `/api/v1/namespaces/${namespace()}/secrets/keys`;
  await cluster.api.must('PATCH', path, { stringData: { password: `${CANARY}-by-hand` } });
  const told = await releases.until((release) => readyMessage(release).startsWith('Drifted: '));
  expect(readyMessage(told)).toContain('too weak: (a value from a Secret) and (a value from a Secret)');
  await releases.event('Warning', 'Drifted', 'too weak: (a value from a Secret)');
  await ask();
});

test.each([
  ['a value of another type', `stringData: {password: {nested: "${CANARY}"}}`, 'RenderFailed'],
  ['a list of values', `stringData: ["${CANARY}"]`, 'RenderFailed'],
  ['no base64', `data: {password: "${CANARY}!"}`, 'DryRunFailed'],
  ['a field that does not exist', `stringDat: {password: "${CANARY}"}`, 'DryRunFailed'],
  ['a quote that is open', `stringData: {password: "${CANARY}}`, 'RenderFailed'],
  ['a tab', `stringData:\n\tpassword: ${CANARY}`, 'RenderFailed'],
  ['a key twice', `stringData: {${CANARY}x: 1, a: ${CANARY}, a: ${CANARY}}`, 'RenderFailed'],
  ['a value after a value', `stringData:\n  password: "a" ${CANARY}`, 'RenderFailed'],
  ['an anchor that is not there', `stringData:\n  password: *${CANARY}`, 'RenderFailed'],
])('refused for %s', async (_, fields, reason) => {
  await write(`apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\n${fields}\n`);
  await releases.create({ source: { configMap: { name: 'source' } } });
  expect(readyMessage(await releases.ready(reason))).not.toBe('');
  await ask();
});
