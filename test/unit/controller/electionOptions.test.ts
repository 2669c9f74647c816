import { expect, test } from 'vitest';
import { parseOptions } from '../../../controller/options.ts';

const DEFAULT = {
  namespace: 'convoy-system',
  times: { leaseDurationMs: 12_000, renewDeadlineMs: 8_000, retryPeriodMs: 2_000 },
};

test.each([
  [[], DEFAULT],
  [['--leader-elect'], DEFAULT],
  [['--leader-elect=true', '--concurrency', '2'], DEFAULT],
  [['--leader-elect=false'], undefined],
  [['--leader-elect-namespace', 'ops'], { ...DEFAULT, namespace: 'ops' }],
  [['--namespace', 'apps'], { ...DEFAULT, namespace: 'apps' }],
  [['--namespace', 'apps', '--leader-elect-namespace', 'ops'], { ...DEFAULT, namespace: 'ops' }],
  [
    [
      '--leader-elect-lease-duration=1m',
      '--leader-elect-renew-deadline=40s',
      '--leader-elect-retry-period=5s',
    ],
    { ...DEFAULT, times: { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 5_000 } },
  ],
])('the election of %j', (flags, election) => {
  expect(parseOptions(flags)?.election).toEqual(election);
});

test.each([
  [['--namespace=Apps'], '--namespace Apps: it takes the name of a namespace'],
  [['--namespace='], '--namespace : it takes'],
  [['--leader-elect=perhaps'], '--leader-elect perhaps: it takes true or false'],
  [['--leader-elect-renew-deadline', 'soon'], '--leader-elect-renew-deadline soon: it takes a duration'],
  [['--leader-elect-renew-deadline', '12s'], '--leader-elect-lease-duration: it must be longer'],
  [['--leader-elect-retry-period', '8s'], '--leader-elect-renew-deadline: it must be longer'],
  [['--leader-elect-lease-duration', '12500ms'], 'it takes whole seconds'],
])('%j is refused with what it takes', (flags, message) => {
  expect(() => parseOptions(flags)).toThrow(message);
});
