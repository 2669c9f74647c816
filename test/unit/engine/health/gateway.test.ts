import { describe } from 'vitest';
import { ago, condition, decides, type Parts } from './support.ts';

const API = 'gateway.networking.k8s.io/v1';
const yes = (type: string, rest: Record<string, unknown> = {}) =>
  condition(type, 'True', { observedGeneration: 2, ...rest });
const no = (type: string, reason: string, seconds = 600) =>
  condition(type, 'False', { reason, observedGeneration: 2, lastTransitionTime: ago(seconds) });
const waiting = condition('Accepted', 'Unknown', { reason: 'Pending', message: 'Waiting for controller' });

describe('GatewayClass', () => {
  const of = (...conditions: unknown[]): Parts => ({ status: { conditions } });
  decides(API, 'GatewayClass', [
    ['accepted', of(yes('Accepted')), 'Healthy', 'accepted'],
    ['no status yet', {}, 'Progressing', 'Accepted is not set yet'],
    ['no controller yet', of(waiting), 'Progressing', 'Waiting for controller'],
    ['refused', of(no('Accepted', 'InvalidParameters')), 'Degraded', 'InvalidParameters'],
  ]);
});

describe('Gateway', () => {
  const well = [yes('Accepted'), yes('Programmed')];
  const of = (conditions: unknown[], ...listeners: unknown[]): Parts => ({
    status: { conditions, listeners },
  });
  const listener = (...conditions: unknown[]) => ({ name: 'https', conditions });
  decides(API, 'Gateway', [
    ['programmed', of(well, listener(yes('ResolvedRefs'), yes('Programmed'))), 'Healthy', 'programmed'],
    ['no status yet', {}, 'Progressing', 'Accepted is not set yet'],
    ['no controller yet', of([waiting]), 'Progressing', 'Waiting for controller'],
    [
      'its conditions speak of an earlier generation',
      of([yes('Accepted'), yes('Programmed', { observedGeneration: 1 })]),
      'Progressing',
      'Programmed still speaks of an earlier generation',
    ],
    ['not programmed yet', of([yes('Accepted'), no('Programmed', 'Pending')]), 'Progressing', 'Pending'],
    ['just refused', of([yes('Accepted'), no('Programmed', 'Invalid', 5)]), 'Progressing', 'Invalid'],
    ['refused', of([yes('Accepted'), no('Programmed', 'Invalid')]), 'Degraded', 'Invalid'],
    [
      'a listener whose certificate is missing',
      of(well, listener(no('ResolvedRefs', 'InvalidCertificateRef'))),
      'Degraded',
      'listener https: InvalidCertificateRef',
    ],
    [
      'listeners that contradict',
      of(well, listener(yes('Conflicted', { reason: 'HostnameConflict', lastTransitionTime: ago(60) }))),
      'Degraded',
      'listener https: HostnameConflict',
    ],
  ]);
});

describe.each(['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'])('%s', (kind) => {
  const parent = (name: string, ...conditions: unknown[]) => ({
    parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name },
    controllerName: 'example.com/gateway',
    conditions,
  });
  const of = (refs: string[], ...parents: unknown[]): Parts => ({
    spec: { parentRefs: refs.map((name) => ({ name })) },
    status: { parents },
  });
  const well = [yes('Accepted'), yes('ResolvedRefs')];
  decides(API, kind, [
    [
      'taken by its parents',
      of(['a', 'b'], parent('a', ...well), parent('b', ...well)),
      'Healthy',
      'accepted',
    ],
    ['no status yet', { spec: { parentRefs: [{ name: 'a' }] } }, 'Progressing', '0 of 1 parent'],
    [
      'one parent is silent',
      of(['a', 'b'], parent('a', ...well)),
      'Progressing',
      '1 of 2 parents is heard of',
    ],
    ['only another one answers', of(['a'], parent('b', ...well)), 'Progressing', '0 of 1 parent'],
    ['without parents', of([]), 'Healthy', 'no parents'],
    [
      'a parent that speaks of an earlier generation',
      of(['a'], parent('a', yes('Accepted', { observedGeneration: 1 }))),
      'Progressing',
      'earlier generation',
    ],
    [
      'refused by one of two parents',
      of(['a', 'b'], parent('a', ...well), parent('b', no('Accepted', 'NotAllowedByListeners'))),
      'Degraded',
      'parent b: NotAllowedByListeners',
    ],
    [
      'a backend is just missing',
      of(['a'], parent('a', yes('Accepted'), no('ResolvedRefs', 'BackendNotFound', 5))),
      'Progressing',
      'BackendNotFound',
    ],
    [
      'a backend is missing',
      of(['a'], parent('a', yes('Accepted'), no('ResolvedRefs', 'BackendNotFound'))),
      'Degraded',
      'BackendNotFound',
    ],
    [
      'a part of it is not valid',
      of(['a'], parent('a', ...well, yes('PartiallyInvalid', { reason: 'UnsupportedValue' }))),
      'Degraded',
      'UnsupportedValue',
    ],
  ]);
});

describe('BackendTLSPolicy', () => {
  const of = (...conditions: unknown[]): Parts => ({
    status: { ancestors: [{ ancestorRef: { name: 'a' }, conditions }] },
  });
  decides(API, 'BackendTLSPolicy', [
    ['accepted', of(yes('Accepted')), 'Healthy', 'accepted'],
    ['taken by nothing', {}, 'Progressing', 'nothing has taken it yet'],
    ['refused', of(no('Accepted', 'Conflicted')), 'Degraded', 'parent a: Conflicted'],
  ]);
});

describe('ReferenceGrant', () => {
  decides(API, 'ReferenceGrant', [['is there', {}, 'Healthy', 'there']]);
});
