import { expect, test } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { isByConvoy, secondsOf } from '../../support/auditOrder.ts';
import { configMapIn, deploymentIn, type Fate, type Place, sourceOf } from '../../support/wavedObjects.ts';
import { useAuditedReleases } from './fixture.ts';

const { releases, plane } = useAuditedReleases({ kwok: true });

const GATED: Place = { wave: 1, strategy: 'waitForHealthy' };

/** What Convoy asked for about an object of the test, from a moment on; seconds since 1970. */
async function requestsFor(name: string, from = 0): Promise<AuditEvent[]> {
  return (await plane().auditEvents()).filter(
    (event) =>
      event.stage === 'RequestReceived' &&
      event.verb === 'patch' &&
      event.objectRef?.namespace === releases.namespace &&
      event.objectRef.name === name &&
      isByConvoy(event) &&
      secondsOf(event.requestReceivedTimestamp) > from,
  );
}

const isDryRun = ({ requestURI }: AuditEvent): boolean => requestURI.includes('dryRun=All');
const version = (text: string, fate: Fate, front: Place): string =>
  sourceOf(deploymentIn({ wave: 0 }, 'store', fate), {
    ...configMapIn(front, 'front'),
    data: { version: text },
  });

test('a rollback is one step without waves, dry run or history, and removes no render', async () => {
  await releases.create({
    source: { inline: version('one', { delay: '3s' }, GATED) },
    healthAssessment: { deadline: '5s' },
    failurePolicy: { rollback: 'OnReleaseFailure' },
    historyLimit: 1,
  });
  const first = await releases.until(({ status }) => status?.rollout?.state === 'Succeeded');
  await releases.inline(version('two', { fail: 'unready' }, { wave: 0 }));
  const second = await releases.until(
    ({ status }) =>
      status?.rollout?.state === 'Progressing' &&
      status.lastSuccessful !== undefined &&
      status.lastSuccessful.renderRef !== first.status?.lastSuccessful?.renderRef,
  );
  const before = Date.now() / 1000;
  const restored = await releases.until(
    ({ status }) =>
      status?.rollout?.state === 'RolledBack' &&
      status.lastSuccessful?.renderRef === first.status?.lastHealthy?.renderRef,
  );

  const [store, front] = await Promise.all([requestsFor('store', before), requestsFor('front', before)]);
  expect([...store, ...front].filter(isDryRun)).toEqual([]);
  expect(store).toHaveLength(1);
  expect(front).toHaveLength(1);
  // By its gate the second wave would wait for three seconds.
  const times = [...store, ...front].map((event) => secondsOf(event.requestReceivedTimestamp));
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(1.5);
  expect(restored.status?.history).toEqual(second.status?.history);
  const { items } = await releases.cluster.api.must(
    'GET',
    `/api/v1/namespaces/${releases.namespace}/secrets?fieldSelector=type%3Dconvoy.kumodo.io%2Frender`,
  );
  expect(items).toHaveLength(2);
});

test('a reconcile that fails before the rollout is decided leaves it as it is', async () => {
  await releases.create({
    source: { inline: version('one', {}, { wave: 0 }) },
    healthAssessment: { deadline: '60s' },
    failurePolicy: { rollback: 'OnReleaseFailure' },
  });
  const { status } = await releases.until((release) => release.status?.rollout?.state === 'Succeeded');
  await releases.inline('kind: [');
  expect((await releases.ready('RenderFailed')).status?.rollout).toEqual(status?.rollout);
  await releases.patch({ spec: { source: { inline: null, configMap: { name: 'missing' } } } });
  expect((await releases.ready('SourceFailed')).status?.rollout).toEqual(status?.rollout);
});
