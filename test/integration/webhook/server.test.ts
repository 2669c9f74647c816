import { expect, test } from 'vitest';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { exchange, type Exchange, type Outgoing } from '../../support/tlsExchange.ts';
import { release, useAdmission } from './fixture.ts';

const admission = useAdmission();
const JSON_TYPE = { 'content-type': 'application/json' };
const FINE = { source: { inline: configMapYaml('web') } };
const MIB = 1024 * 1024;

function review(request: object): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u-1',
      kind: { group: 'core.convoy.kumodo.io', version: 'v1alpha1', kind: 'Release' },
      operation: 'CREATE',
      namespace: 'apps',
      userInfo: { username: 'alice' },
      ...request,
    },
  });
}

async function post(path: string, outgoing: Outgoing): Promise<Exchange> {
  const url = await admission.webhook.url;
  return await exchange(`${url}${path}`, await admission.bundle(), { headers: JSON_TYPE, ...outgoing });
}

async function get(path: string): Promise<Exchange> {
  return await exchange(`${await admission.webhook.url}${path}`, await admission.bundle(), { method: 'GET' });
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each<[string, Outgoing, number, string]>([
  ['no JSON', { body: '{"a": ' }, 400, 'the body is no JSON object'],
  ['JSON that is no object', { body: '7' }, 400, 'the body is no JSON object'],
  ['nothing', { body: '' }, 400, 'the body is no'],
  ['another kind', { body: '{"apiVersion":"v1","kind":"Pod"}' }, 400, 'no AdmissionReview'],
  [
    'a review without a request',
    { body: '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}' },
    400,
    'request is no object',
  ],
  ['10 MiB', { body: `"${'x'.repeat(10 * MIB)}"` }, 413, 'larger than 8 MiB'],
  ['8 MiB of brackets', { body: deep(4 * MIB - 1) }, 400, 'nested too deep'],
  ['a deep object', { body: `{"a":${deep(100_000)}}` }, 400, 'nested too deep'],
  [
    'another type',
    { body: 'a: 1', headers: { 'content-type': 'application/yaml' } },
    415,
    'is not application/json in UTF-8',
  ],
  [
    'another encoding',
    { body: Buffer.from([31, 139]), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    415,
    'the body is compressed',
  ],
  [
    'another charset',
    { body: '{}', headers: { 'content-type': 'application/json; charset=latin9' } },
    415,
    'is not application/json in UTF-8',
  ],
])('%s is answered, and the webhook goes on', async (_, outgoing, status, words) => {
  for (const path of ['/validate', '/mutate']) {
    const answer = await post(path, outgoing);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: expect.stringContaining(words) as string,
    });
  }
  expect((await get('/healthz')).status).toBe(200);
});

test.each([
  [
    'a Release that is none',
    {
      object: {
        apiVersion: 'core.convoy.kumodo.io/v1alpha1',
        kind: 'Release',
        metadata: { name: 'a' },
        spec: 7,
      },
    },
  ],
  [
    'a Release with an odd source',
    {
      object: {
        apiVersion: 'core.convoy.kumodo.io/v1alpha1',
        kind: 'Release',
        metadata: { name: 'a' },
        spec: { source: [], mutations: {} },
      },
    },
  ],
  [
    'an object that says that it is another kind',
    { object: { apiVersion: 'v1', kind: '__proto__', metadata: { name: 'a' } } },
  ],
])('%s is reviewed without harm', async (_, request) => {
  for (const path of ['/validate', '/mutate']) {
    const { status, body } = await post(path, { body: review(request) });
    expect(status, body).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ response: { uid: 'u-1' } });
  }
});

test('it serves health and metrics, and nothing else', async () => {
  expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ok\n' });
  expect((await get('/else')).status).toBe(404);
  expect((await get('/validate')).status).toBe(404);
  const { status, body } = await get('/metrics');
  expect(status).toBe(200);
  expect(body).toMatch(/^convoy_webhook_requests_total\{path="\/validate",verdict="malformed"\} [1-9]/m);
  expect(body).toMatch(/^convoy_webhook_request_duration_seconds_count\{path="\/mutate"\} [1-9]/m);
  const [, expiry] = /^convoy_webhook_certificate_expiry_timestamp_seconds (\S+)$/m.exec(body) ?? [];
  expect(Number(expiry) * 1000).toBeGreaterThan(Date.now());
});

test('told to end, it answers what is under way; without it only Convoy’s kinds are held up, and no deletion is', async () => {
  const path = releasesPath(admission.namespace);
  await admission.apply(release(FINE, { finalizers: ['convoy.kumodo.io/finalizer'] }));
  let code: Promise<number | null> | undefined;
  const { status, body } = await post('/validate', {
    body: review({ object: release(FINE) }),
    beforeBody: async () => {
      code = admission.webhook.stop();
      await admission.webhook.logged('draining');
    },
  });
  expect({ status, review: JSON.parse(body) as unknown }).toMatchObject({
    status: 200,
    review: { response: { allowed: true } },
  });
  expect(await code).toBe(0);
  expect(admission.webhook.log.at(-1)?.msg).toBe('stopped');

  const refused = await admission.apply(release(FINE, { name: 'other' }));
  expect(refused.stderr).toContain('failed calling webhook "sync-requests.convoy.kumodo.io"');
  const labelled = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', labels: { 'convoy.kumodo.io/release': 'shop' } },
  };
  expect((await admission.apply(labelled)).code).toBe(0);

  await admission.api.must('DELETE', `${path}/shop`);
  await admission.api.must('PATCH', `${path}/shop`, { metadata: { finalizers: null } });
  expect((await admission.api.request('GET', `${path}/shop`)).status).toBe(404);
});
