import { expect, test } from 'vitest';
import { SYNC } from '../../../api/annotations.ts';
import { RESOURCES } from '../../../api/group.ts';
import type { Release } from '../../../api/release.ts';
import { parseSyncRequest } from '../../../api/syncRequest.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { installCrds } from '../../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../../controlplane/fixture.ts';
import { condition } from '../../unit/plugin/release.ts';
import { createHandmade, writeStatus } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const plane = useControlPlane({ kwok: false });
const convoy = useConvoy({
  get binDir() {
    return plane().binDir;
  },
  get kubeconfigPath() {
    return plane().kubeconfigPath;
  },
});

test('release sync --wait goes on when the API server comes back', async () => {
  const { api, binDir, kubeconfigPath } = plane();
  await installCrds(`${binDir}/kubectl`, kubeconfigPath);
  const namespace = await createNamespace(api);
  const release = await createHandmade(api, {
    namespace,
    name: 'shop',
    spec: { suspend: false },
    status: {},
  });
  const following = convoy.start(['release', 'sync', 'shop', '-n', namespace, '--wait']);
  await following.says('sync: waits for the controller');
  await plane().stopApiServer('SIGKILL');
  await plane().startApiServer();
  const path = resourcePath(RESOURCES.Release, namespace, 'shop');
  const asked = (await api.must('GET', path)) as unknown as Release;
  const request = parseSyncRequest(asked.metadata.annotations?.[SYNC] ?? '');
  const id = 'id' in request ? request.id : request.invalid;
  await writeStatus(api, release, {
    conditions: [condition('Ready', 'True', 'Applied')],
    sync: { recent: [{ id, force: false, at: new Date().toISOString(), result: 'Applied' }] },
  });
  expect(await following.ended).toMatchObject({ code: 0, stderr: '' });
});
