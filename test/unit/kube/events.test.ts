import { describe, expect, it } from 'vitest';
import { KubeClient } from '../../../kube/client.ts';
import { EventRecorder, type EventRecorderOptions } from '../../../kube/events.ts';
import type { EventInput } from '../../../kube/eventBody.ts';
import { isForbidden } from '../../../kube/errors.ts';
import { HttpServer, type Received, sendJson, status } from './httpServer.ts';
import { transportTo } from './transportFixture.ts';

const event = (over: Partial<EventInput> = {}, name = 'web'): EventInput => ({
  regarding: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
  },
  type: 'Normal',
  reason: 'WaveReady',
  action: 'Sync',
  message: 'wave 0 is ready',
  ...over,
});

interface Sent {
  method: string;
  path: string;
  body: {
    metadata: { name: string };
    note?: string;
    series?: { count: number; lastObservedTime: string };
    [field: string]: unknown;
  };
}

const sentBy = ({ received }: HttpServer): Sent[] =>
  received.map(({ method, url, body }) => ({
    method,
    path: url.replace(/\?.*/, ''),
    body: JSON.parse(body) as Sent['body'],
  }));

interface Setup {
  server: HttpServer;
  recorder: EventRecorder;
  pass: (ms: number) => void;
}

async function setUp(
  options: Partial<EventRecorderOptions> = {},
  refuse: (request: Received) => number = () => 0,
): Promise<Setup> {
  const server = await HttpServer.start((request, response) => {
    const code = refuse(request);
    if (code === 0) sendJson(response, 201, JSON.parse(request.body));
    else sendJson(response, code, status(code, '', 'refused'));
  });
  let now = Date.parse('2026-01-01T00:00:00Z');
  const client = new KubeClient(transportTo(server.url));
  const reporter = { controller: 'convoy.kumodo.io/controller', instance: 'pod-1' };
  const recorder = new EventRecorder({ client, reporter, now: () => now, ...options });
  return { server, recorder, pass: (ms) => (now += ms) };
}

describe('an event that happens again', () => {
  it('is the same Event, counted on at intervals, and the rest by flush', async () => {
    const { server, recorder, pass } = await setUp();
    recorder.record(event());
    await recorder.flush();
    for (let i = 0; i < 5; i++) {
      pass(10_000);
      recorder.record(event());
    }
    await recorder.flush();
    const [created, ...patches] = sentBy(server);
    expect(created).toMatchObject({ method: 'POST', path: '/apis/events.k8s.io/v1/namespaces/shop/events' });
    expect(created?.body.series).toBeUndefined();
    const path = `/apis/events.k8s.io/v1/namespaces/shop/events/${created?.body.metadata.name ?? ''}`;
    expect(patches.map((sent) => sent.path)).toEqual(patches.map(() => path));
    expect(patches.at(-1)?.body.series).toEqual({
      count: 6,
      lastObservedTime: '2026-01-01T00:00:50.000000Z',
    });
    expect(patches.length).toBeLessThanOrEqual(2);
  });

  it('is another Event after six minutes of quiet', async () => {
    const { server, recorder, pass } = await setUp();
    recorder.record(event());
    pass(6 * 60_000);
    recorder.record(event());
    await recorder.flush();
    const [first, second] = sentBy(server);
    expect([first?.method, second?.method]).toEqual(['POST', 'POST']);
    expect(first?.body.metadata.name).not.toBe(second?.body.metadata.name);
  });

  it('is created again where the API server has let it go', async () => {
    const { server, recorder } = await setUp({}, ({ method }) => (method === 'PATCH' ? 404 : 0));
    recorder.record(event());
    await recorder.flush();
    recorder.record(event());
    await recorder.flush();
    expect(sentBy(server).map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST']);
    expect(sentBy(server).at(-1)?.body.series).toMatchObject({ count: 2 });
    expect(recorder.counts).toEqual({ sent: 2, failed: 0, dropped: 0 });
  });

  it.each([
    ['object', event({}, 'api')],
    ['reason', event({ reason: 'WaveFailed' })],
    ['message', event({ message: 'wave 1 is ready' })],
    ['type', event({ type: 'Warning' })],
  ])('is another one with another %s', async (_, other) => {
    const { server, recorder } = await setUp();
    recorder.record(event());
    recorder.record(other);
    await recorder.flush();
    expect(sentBy(server).map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});

describe('too many events', () => {
  it('about one object are dropped and counted, and come again with time', async () => {
    const { server, recorder, pass } = await setUp({ burst: 3, perMinute: 1 });
    for (let i = 0; i < 10; i++) recorder.record(event({ message: `try ${i}` }));
    recorder.record(event({}, 'other'));
    await recorder.flush();
    expect(sentBy(server).map(({ body }) => body.note)).toEqual([
      'try 0',
      'try 1',
      'try 2',
      'wave 0 is ready',
    ]);
    expect(recorder.counts.dropped).toBe(7);
    pass(60_000);
    recorder.record(event({ message: 'later' }));
    await recorder.flush();
    expect(sentBy(server).at(-1)?.body.note).toBe('later');
  });

  it('in the queue are dropped and counted', async () => {
    const { server, recorder } = await setUp({ maxQueued: 5 });
    for (let i = 0; i < 20; i++) recorder.record(event({}, `web-${i}`));
    await recorder.flush();
    expect(server.received.length + recorder.counts.dropped).toBe(20);
    expect(recorder.counts.dropped).toBe(14);
  });
});

describe('a failure', () => {
  it('is told and counted, and stops neither the caller nor the next event', async () => {
    const told: unknown[] = [];
    const { server, recorder } = await setUp(
      { onError: (error, { regarding }) => told.push([isForbidden(error), regarding.metadata.name]) },
      ({ body }) => (body.includes('uid-web') ? 403 : 0),
    );
    recorder.record(event());
    recorder.record(event({}, 'api'));
    await recorder.flush();
    expect(told).toEqual([[true, 'web']]);
    expect(recorder.counts).toEqual({ sent: 1, failed: 1, dropped: 0 });
    expect(server.received).toHaveLength(2);
  });

  it('of a series that was never written ends with flush', async () => {
    const { recorder } = await setUp({}, () => 500);
    recorder.record(event());
    recorder.record(event());
    await recorder.flush();
    expect(recorder.counts).toEqual({ sent: 0, failed: 2, dropped: 0 });
  });
});

describe('what the API server would refuse', () => {
  it('is cut to fit, between characters', async () => {
    const { server, recorder } = await setUp();
    recorder.record(event({ message: `x${'ü'.repeat(1000)}`, reason: 'R'.repeat(200) }));
    await recorder.flush();
    const [sent] = sentBy(server);
    expect(Buffer.byteLength(sent?.body.note ?? '')).toBeLessThanOrEqual(1024);
    expect(sent?.body.note).toMatch(/^xü+…$/);
    expect(sent?.body['reason']).toHaveLength(126);
  });

  it.each(['system:controller:Token', 'a'.repeat(253), '...', 'A_b.-c.'])(
    'is not the name made for an object named %s',
    async (name) => {
      const { server, recorder } = await setUp();
      recorder.record(event({}, name));
      await recorder.flush();
      const made = sentBy(server)[0]?.body.metadata.name ?? '';
      expect(made).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      expect(made.length).toBeLessThanOrEqual(253);
    },
  );
});
