import { expect, test } from 'vitest';
import { duringTerm, LeadershipOver, Term } from '../../../../kube/lease/term.ts';
import { HttpServer, sendJson } from '../httpServer.ts';
import { ManualClock } from '../manualClock.ts';
import { errorOf, transportTo } from '../transportFixture.ts';

/** A clock whose timers are as late as those of a process that was frozen: they have not fired when it goes on. */
class FrozenClock extends ManualClock {
  lateMs = 0;
  override now(): number {
    return super.now() + this.lateMs;
  }
}

test('a term ends when it is not extended, and stays over', async () => {
  const clock = new ManualClock();
  const term = new Term(clock, 'ops/convoy', 1_000);
  await clock.advance(600);
  term.extend(1_600);
  await clock.advance(900);
  term.check();
  expect(term.isOver).toBe(false);
  await clock.advance(100);
  expect(term.signal.aborted).toBe(true);
  expect(clock.timers).toBe(0);
  term.extend(99_000);
  expect(() => term.check()).toThrow(
    new LeadershipOver('Lease ops/convoy: this process leads no longer: it was not renewed in time'),
  );
});

test('a process that was frozen sends no write when it goes on, before any timer has fired', async () => {
  const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
  const clock = new FrozenClock();
  const term = new Term(clock, 'ops/convoy', 1_000);
  const transport = duringTerm(transportTo(server.url), term);
  await transport.request({ method: 'PATCH', path: '/a', body: {} });

  clock.lateMs = 60_000;
  expect(await errorOf(transport.request({ method: 'PATCH', path: '/b', body: {} }))).toBeInstanceOf(
    LeadershipOver,
  );
  await transport.request({ method: 'GET', path: '/c' });
  expect(server.received.map(({ url }) => url)).toEqual(['/a', '/c']);
  expect(term.signal.aborted).toBe(true);
});

test('a write that waits for a connection is not sent when the term is over by then', async () => {
  const answer = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<undefined>();
  const server = await HttpServer.start((_, response) => {
    arrived.resolve(undefined);
    void answer.promise.then(() => sendJson(response, 200, {}));
  });
  const clock = new FrozenClock();
  const term = new Term(clock, 'ops/convoy', 1_000);
  const transport = duringTerm(transportTo(server.url, {}, { connections: 1 }), term);
  const first = transport.request({ method: 'PATCH', path: '/first', body: {} });
  const second = errorOf(transport.request({ method: 'PATCH', path: '/second', body: {} }));
  await arrived.promise;

  clock.lateMs = 60_000;
  answer.resolve(undefined);
  await first;
  expect(await second).toBeInstanceOf(LeadershipOver);
  expect(server.received.map(({ url }) => url)).toEqual(['/first']);
});
