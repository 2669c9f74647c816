import { expect, test } from 'vitest';
import { isByConvoy, secondsOf } from '../../support/auditOrder.ts';
import { configMapYaml } from '../../support/releases.ts';
import { useAuditedReleases } from './fixture.ts';

const { releases, plane } = useAuditedReleases();

/** Less than the interval of the tests, by what a busy machine may hold a request up; one list for each Release would be closer. */
const APART_SECONDS = 1;

/** When Convoy listed a type for all its Releases, in seconds. */
async function listsOf(resource: string): Promise<number[]> {
  return (await plane().auditEvents())
    .filter((event) => isByConvoy(event) && event.verb === 'list' && event.stage === 'ResponseComplete')
    .filter(
      ({ objectRef, requestURI }) => objectRef?.resource === resource && requestURI.includes('labelSelector'),
    )
    .map(({ requestReceivedTimestamp }) => secondsOf(requestReceivedTimestamp));
}

test('at each interval one list of each type makes sure that its watch has missed nothing, and nothing is sent', async () => {
  const inline = configMapYaml('web');
  await releases.create({ source: { inline }, interval: '2s' });
  const { status } = await releases.ready('Applied');
  const before = await releases.find('configmaps/web');
  await expect.poll(async () => (await listsOf('configmaps')).length, { timeout: 30_000 }).toBeGreaterThan(3);
  const times = await listsOf('configmaps');
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(APART_SECONDS);
  expect(await releases.find('configmaps/web')).toEqual(before);
  expect((await releases.get()).status?.conditions).toEqual(status?.conditions);
  expect(await (await fetch(`${await releases.controller.url}/metrics`)).text()).toContain(
    'convoy_watch_missed_objects_total 0',
  );
});

test('Releases with the same types share the lists', async () => {
  const before = (await listsOf('secrets')).length;
  const secret = (name: string): string => `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\n`;
  await releases.create({ source: { inline: secret('one') }, interval: '2s' });
  await releases.create({ source: { inline: secret('two') }, interval: '2s' }, { name: 'other' });
  await expect
    .poll(async () => (await listsOf('secrets')).length, { timeout: 30_000 })
    .toBeGreaterThan(before + 3);
  const times = (await listsOf('secrets')).slice(before + 1);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(APART_SECONDS);
});
