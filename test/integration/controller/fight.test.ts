import { expect, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

/** @returns how often it was done before the end */
async function repeatUntil(end: Promise<unknown>, act: (time: number) => Promise<void>): Promise<number> {
  const ended = end.then(() => true);
  let times = 0;
  while (!(await Promise.race([ended, act(times).then(() => false)]))) times++;
  return times;
}

test('a hundred edits are put right one after another; then the writers are slowed down, and an event names the other', async () => {
  await releases.create({ source: { inline: configMapYaml('web', { color: 'green' }) } });
  await releases.ready('Applied');
  const collection = `/api/v1/namespaces/${releases.namespace}/configmaps`;
  const isGreen = (object: { [field: string]: unknown }): boolean =>
    (object['data'] as { color: string }).color === 'green';
  const told = releases.event('Warning', 'Contested', 'the field manager rival');
  const edits = await repeatUntil(told, async (edit) => {
    await releases.cluster.api.must('PATCH', `${collection}/web?fieldManager=rival`, {
      data: { color: `red-${edit}` },
    });
    await releases.cluster.api.waitForNamed(collection, 'web', isGreen);
  });
  expect(edits).toBeGreaterThan(100);
  const event = await told;
  expect(event['note']).toContain('ConfigMap web in');
}, 60_000);
