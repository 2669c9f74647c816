import { expect, test } from 'vitest';
import { CertificateAuthority } from '../../controlplane/certificates.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { exchange } from '../../support/tlsExchange.ts';
import type { WebhookProcess } from '../../support/webhookProcess.ts';
import { release, useAdmission, WEBHOOK_NAMESPACE } from './fixture.ts';

const admission = useAdmission({ replicas: 0 });
const INSTALL = new URL('../../../manifests/install', import.meta.url).pathname;
const SECRET = `/api/v1/namespaces/${WEBHOOK_NAMESPACE}/secrets/convoy-webhook-tls`;
/** As short as it can be said: an authority is announced after one, and issues a quarter of one later. */
const LIFETIME = '16s';
const REQUESTS = 200;

async function secretData(): Promise<Record<string, string>> {
  return (await admission.api.must('GET', SECRET))['data'] as Record<string, string>;
}

async function fingerprint(webhook: WebhookProcess): Promise<string> {
  const url = `${await webhook.url}/healthz`;
  return (await exchange(url, await admission.bundle(), { method: 'GET' })).fingerprint;
}

test('the install manifests are taken as they are, by a namespace that is held to the strictest rules', async () => {
  const enforced = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  await admission.api.must('PATCH', `/api/v1/namespaces/${WEBHOOK_NAMESPACE}`, {
    metadata: { labels: enforced },
  });
  const answer = await admission.kubectl([
    'apply',
    '--server-side',
    '--force-conflicts',
    '--dry-run=server',
    '-k',
    `${INSTALL}/webhook`,
  ]);
  expect(answer).toMatchObject({ code: 0, stderr: '' });
  expect(answer.stdout).toContain(
    'validatingwebhookconfiguration.admissionregistration.k8s.io/convoy serverside-applied',
  );
});

test('what others keep in the Secret is served, and nothing is written', async () => {
  const authority = await CertificateAuthority.open(admission.plane.pkiDir);
  const issued = async (): Promise<object> => {
    const { cert, key } = await authority.issueServer(['localhost'], ['127.0.0.1']);
    const encoded = (pem: string) => Buffer.from(pem).toString('base64');
    return { data: { 'tls.crt': encoded(cert), 'tls.key': encoded(key) } };
  };
  const [, collection = '', name = ''] = /^(.*)\/(.*)$/.exec(SECRET) ?? [];
  await admission.api.must('POST', collection, { metadata: { name }, ...(await issued()) });
  const webhook = await admission.start(['--given-certificates']);
  const served = async () =>
    (await exchange(`${await webhook.url}/healthz`, authority.pem, { method: 'GET' })).fingerprint;

  const first = await served();
  await admission.api.must('PATCH', SECRET, await issued());
  await expect.poll(served, { timeout: 20_000 }).not.toBe(first);
  const second = await served();
  await admission.api.must('PATCH', SECRET, { data: { 'tls.key': 'bm8ga2V5' } });
  await webhook.logged('holds no certificate');
  expect(await served()).toBe(second);
  const { data } = await admission.api.must('GET', SECRET);
  expect(Object.keys(data as object)).toEqual(['tls.crt', 'tls.key']);
  expect(await webhook.stop()).toBe(0);
  await admission.api.must('DELETE', SECRET);

  const overlay = await admission.kubectl(['kustomize', `${INSTALL}/webhook-cert-manager`]);
  expect(overlay.code, overlay.stderr).toBe(0);
  expect(
    overlay.stdout.match(/cert-manager.io\/inject-ca-from: convoy-system\/convoy-webhook/g),
  ).toHaveLength(2);
  expect(overlay.stdout).toContain('- --given-certificates');
});

test('replicas that start at once share one certificate, and go on with one when it is taken away', async () => {
  const [one, other] = await Promise.all([admission.start(), admission.start()]);
  await admission.register(one);
  expect(await fingerprint(one)).toBe(await fingerprint(other));

  const before = await fingerprint(one);
  await admission.api.must('DELETE', SECRET);
  await expect.poll(() => fingerprint(one), { timeout: 20_000 }).not.toBe(before);
  await expect
    .poll(async () => (await fingerprint(one)) === (await fingerprint(other)), { timeout: 20_000 })
    .toBe(true);
  for (const webhook of [one, other]) expect(await webhook.stop()).toBe(0);
});

test('certificates and authorities are renewed while it serves, and not one request fails', async () => {
  await admission.api.must('DELETE', SECRET);
  await Promise.all(
    ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'].map((plural) =>
      admission.api.must('DELETE', `/apis/admissionregistration.k8s.io/v1/${plural}/convoy`),
    ),
  );
  const webhook = await admission.start(['--certificate-lifetime', LIFETIME, '--log-level', 'trace']);
  await admission.register(webhook);

  const seen = new Set<string>();
  const authorities = new Set<string>();
  const keys = new Set<string>();
  const done = new Set<unknown>();
  const steps = () =>
    webhook.log.filter(({ msg }) => msg === 'certificates were renewed').map(({ step }) => step);
  let requests = 0;
  const path = `${releasesPath(admission.namespace)}?dryRun=All`;
  while (requests < REQUESTS || !['issue', 'announce', 'promote'].every((step) => done.has(step))) {
    // A connection of its own, trusted by what the API server is told to trust; and the API server's own way.
    const bundle = await admission.bundle();
    const [direct, created] = await Promise.all([
      exchange(`${await webhook.url}/readyz`, bundle, { method: 'GET' }),
      admission.api.request(
        'POST',
        path,
        release({ source: { inline: configMapYaml('web') } }, { name: `r-${requests}` }),
      ),
    ]);
    expect(direct.status, direct.body).toBe(200);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    seen.add(direct.fingerprint);
    authorities.add(bundle);
    requests += 1;
    for (const step of steps()) done.add(step);
    const data = await secretData();
    for (const [name, value] of Object.entries(data)) if (name.endsWith('.key')) keys.add(value);
  }
  console.log(
    `${requests} requests over ${seen.size} certificates and ${authorities.size} bundles, none failed`,
  );
  expect(seen.size).toBeGreaterThan(1);
  expect(authorities.size).toBeGreaterThan(1);

  expect(await webhook.stop()).toBe(0);
  const log = JSON.stringify(webhook.log);
  expect(log).not.toContain('PRIVATE KEY');
  expect(keys.size).toBeGreaterThan(2);
  for (const key of keys) expect(log).not.toContain(key);
}, 120_000);
