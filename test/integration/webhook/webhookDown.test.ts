import { beforeAll, expect, test } from 'vitest';
import { createNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { configMapYaml, createRelease, releasesPath, waitForReady } from '../../support/releases.ts';
import { useAdmission } from './fixture.ts';

const HOLD = 'test.convoy.kumodo.io/hold';
const RELEASES = ['background', 'foreground', 'orphan', 'held'] as const;

const admission = useAdmission();
// Not the identity that the webhook lets through in any case: what is being deleted has to go by itself.
useController(() => admission.plane);

let namespace = '';
let home = '';

const source = (name: string): string =>
  name === 'held' ? configMapYaml(`held, finalizers: [${HOLD}]`) : configMapYaml(name);

beforeAll(async () => {
  namespace = await createNamespace(admission.api);
  home = await createNamespace(admission.api);
  const wanted = [...RELEASES.map((name) => ({ namespace, name })), { namespace: home, name: 'near' }];
  for (const at of wanted) {
    await createRelease(admission.api, { ...at, spec: { source: { inline: source(at.name) } } });
    await waitForReady(admission.api, at, 'Applied');
  }
  await Promise.all(admission.webhooks.map((webhook) => webhook.kill()));
});

test('without the webhook no Release can be changed', async () => {
  const answer = await admission.kubectl(['label', 'release', 'held', '-n', namespace, 'a=b']);
  expect(answer.stderr).toContain('failed calling webhook "sync-requests.convoy.kumodo.io"');
});

test.each(['background', 'foreground', 'orphan'])(
  'without the webhook a Release goes, deleted with --cascade=%s',
  async (cascade) => {
    const answer = await admission.kubectl([
      ...['delete', 'release', cascade, '-n', namespace],
      ...[`--cascade=${cascade}`, '--timeout=90s'],
    ]);
    expect(answer).toMatchObject({ code: 0 });
    const path = `/api/v1/namespaces/${namespace}/configmaps/${cascade}`;
    expect((await admission.api.request('GET', path)).status).toBe(404);
  },
  120_000,
);

test('without the webhook a Release that is being deleted can be annotated, and goes', async () => {
  await admission.api.must('DELETE', `${releasesPath(namespace)}/held`);
  await waitForReady(admission.api, { namespace, name: 'held' }, 'Deleting');
  const annotation = 'convoy.kumodo.io/force-finalize=true';
  const answer = await admission.kubectl(['annotate', 'release', 'held', '-n', namespace, annotation]);
  expect(answer).toMatchObject({ code: 0 });
  await admission.api.waitForGone(releasesPath(namespace), 'held');
  const path = `/api/v1/namespaces/${namespace}/configmaps/held`;
  await admission.api.must('PATCH', path, { metadata: { finalizers: null } });
});

test('without the webhook the namespace of a Release goes', async () => {
  const answer = await admission.kubectl(['delete', 'namespace', home, '--timeout=60s']);
  expect(answer).toMatchObject({ code: 0 });
}, 90_000);
