import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Condition, Release } from '../../../../api/release.ts';
import { ClusterWaves } from '../../../../controller/clusterWaves/clusterWaves.ts';
import { releaseKey } from '../../../../controller/services.ts';
import { conditionOf, releaseOf } from '../../engine/clusterWaves/support.ts';

const HEALTHY = [conditionOf('Applied True Applied'), conditionOf('Healthy True AllHealthy')];
const SICK = [conditionOf('Applied True Applied'), conditionOf('Healthy False Degraded')];
const GATED = { wave: 1, strategy: 'waitForHealthy' } as const;

let woken: [string, number][];
let waves: ClusterWaves;

beforeEach(async () => {
  woken = [];
  waves = new ClusterWaves((release, delayMs) => woken.push([release, delayMs]));
  await tell(database(SICK), front(), front('other'));
  woken = [];
});

function database(conditions: Condition[], changes = {}): Release {
  return releaseOf('database', { conditions, ...changes });
}

function front(name = 'front', changes = {}): Release {
  return releaseOf(name, { waveStrategy: GATED, ...changes });
}

async function tell(...releases: Release[]): Promise<void> {
  for (const release of releases) waves.learn(releaseKey(release), release);
  await setImmediate();
}

const BOTH_AT_ONCE = [
  ['apps/front', 0],
  ['apps/other', 0],
];

describe('who is due when a predecessor changes (waves.md, axis B, 5)', () => {
  test('it turns healthy: all that wait for it, at once', async () => {
    await tell(database(HEALTHY));
    expect(woken).toEqual(BOTH_AT_ONCE);
    expect(waves.judge(front(), 0)).toEqual({ gate: 'open' });
  });

  test('it loses its health', async () => {
    await tell(database(HEALTHY));
    woken = [];
    await tell(database(SICK));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('its spec changes: what was seen of the generation before counts no more', async () => {
    await tell(database(HEALTHY));
    woken = [];
    await tell(database(HEALTHY, { generation: 3 }));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('it is being deleted', async () => {
    await tell(database(SICK, { isGoing: true }));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('it is gone', async () => {
    waves.forget('apps/database');
    await setImmediate();
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('it moves behind them', async () => {
    await tell(database(SICK, { waveStrategy: { wave: 5 } }));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('a new one comes before them', async () => {
    await tell(database(HEALTHY));
    woken = [];
    await tell(releaseOf('network'));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('one more comes that they wait for: told a little later, as nothing opens', async () => {
    await tell(releaseOf('network'));
    expect(woken).toEqual([
      ['apps/front', 1000],
      ['apps/other', 1000],
    ]);
  });

  test('many at once are told once', async () => {
    await tell(database(HEALTHY), database(SICK), database(HEALTHY));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });
});

describe('nobody is due', () => {
  test.each([
    ['when nothing changes', database(SICK)],
    ['when it is of another namespace', releaseOf('database', { namespace: 'web' })],
    ['when it is for another cluster', releaseOf('far', { cluster: 'prod' })],
    ['when it is of the same wave', front('third')],
    ['when it is of a later wave', releaseOf('last', { waveStrategy: { wave: 2 } })],
  ])('%s', async (_, release) => {
    await tell(release);
    expect(woken).toEqual([]);
  });

  test('whom the change of health does not concern, as it waits for the apply alone', async () => {
    await tell(releaseOf('eager', { waveStrategy: { wave: 1 } }));
    await tell(database(HEALTHY));
    expect(woken).toEqual(BOTH_AT_ONCE);
  });

  test('who is gone itself', async () => {
    waves.forget('apps/front');
    await tell(database(HEALTHY));
    expect(woken).toEqual([['apps/other', 0]]);
  });
});

test('a Release that moves before another one waits for it no more', async () => {
  const early = { waveStrategy: { ...GATED, wave: -1 }, conditions: HEALTHY };
  await tell(front('front', early));
  expect(waves.judge(front('front', early), 0)).toEqual({ gate: 'open' });
  woken = [];
  await tell(database(HEALTHY));
  expect(woken).toEqual([['apps/other', 0]]);
});
