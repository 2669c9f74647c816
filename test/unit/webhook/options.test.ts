import { expect, it } from 'vitest';
import { parseOptions, UsageError } from '../../../webhook/options.ts';

it('has a default for everything', () => {
  expect(parseOptions([])).toEqual({
    kubeconfig: undefined,
    context: undefined,
    listen: { host: '0.0.0.0', port: 8443 },
    namespace: undefined,
    secretName: 'convoy-webhook-tls',
    service: 'convoy-webhook',
    hostnames: [],
    givenCertificates: false,
    configurationName: 'convoy',
    controllerUser: 'system:serviceaccount:convoy-system:convoy-controller',
    certificateLifetimeMs: 90 * 86_400_000,
    logLevel: 'info',
  });
});

it('takes what is given', () => {
  const args = [
    '--listen',
    '[::1]:0',
    '--hostname',
    'a',
    '--hostname',
    'b',
    '--no-register',
    '--certificate-lifetime',
    '24h',
  ];
  expect(parseOptions(args)).toMatchObject({
    listen: { host: '::1', port: 0 },
    hostnames: ['a', 'b'],
    configurationName: undefined,
    certificateLifetimeMs: 86_400_000,
  });
  expect(parseOptions(['--help'])).toBeUndefined();
});

it.each([
  [['--listen', 'nowhere'], '--listen nowhere: it takes HOST:PORT'],
  [['--listen', 'a:70000'], '--listen a:70000: it takes HOST:PORT'],
  [['--certificate-lifetime', '1s'], '--certificate-lifetime 1s: it takes a duration of 5s or longer'],
  [['--log-level', 'loud'], '--log-level loud: it takes one of'],
  [['--colour'], "Unknown option '--colour'"],
])('%j is refused with what it takes', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});
