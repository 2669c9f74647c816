import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../kube/errors.ts';
import { withRetry } from '../../../kube/retry.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../../kube/transport.ts';
import { ManualClock } from './manualClock.ts';
import { errorOf } from './transportFixture.ts';

const GET: ApiRequest = { method: 'GET', path: '/version' };
const OK: ApiResponse = { status: 200, headers: {}, body: {} };

const refusal = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError({
    status,
    reason: '',
    serverMessage: 'no',
    request: 'GET /version',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

const cut = new ConnectionError('GET /version', Object.assign(new Error('gone'), { code: 'ECONNRESET' }));

/** Fails with the given errors one after another, then answers. */
function failing(errors: Error[]): Transport & { sent: number } {
  const next = (): void => {
    const error = errors[transport.sent++];
    if (error !== undefined) throw error;
  };
  const transport = {
    sent: 0,
    request: () => Promise.try(next).then(() => OK),
    stream: () => Promise.try(next).then(() => (async function* () {})()),
    close: () => Promise.resolve(),
  };
  return transport;
}

describe('a request that the server puts off', () => {
  it.each([
    ['429', 429],
    ['503 with Retry-After', 503],
  ])('waits as long as asked after %s, jittered upwards', async (_, code) => {
    const clock = new ManualClock();
    const transport = failing([refusal(code, 2000)]);
    const answer = withRetry(transport, { clock, random: () => 0.5 }).request(GET);
    await clock.settle();
    expect(clock.nextIn).toBe(2250);
    await clock.advance(2250);
    expect(await answer).toBe(OK);
    expect(transport.sent).toBe(2);
  });

  it('backs off where the server does not say for how long', async () => {
    const clock = new ManualClock();
    const transport = failing([refusal(429), refusal(429), refusal(429)]);
    const answer = withRetry(transport, { clock, random: () => 0 }).request(GET);
    const pauses: (number | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      await clock.settle();
      pauses.push(clock.nextIn);
      await clock.advance(clock.nextIn ?? 0);
    }
    expect(await answer).toBe(OK);
    expect(pauses).toEqual([250, 500, 1000]);
  });

  it("is the caller's after the last attempt", async () => {
    const clock = new ManualClock();
    const last = refusal(429, 10);
    const transport = failing([refusal(429, 10), refusal(429, 10), last]);
    const error = errorOf(withRetry(transport, { clock, random: () => 0, attempts: 3 }).request(GET));
    await clock.advance(1000);
    expect(await error).toBe(last);
    expect(transport.sent).toBe(3);
  });

  it("is the caller's at once where the pause is too long to hold a request for", async () => {
    const clock = new ManualClock();
    const error = refusal(503, 600_000);
    expect(await errorOf(withRetry(failing([error]), { clock }).request(GET))).toBe(error);
    expect(clock.timers).toBe(0);
  });

  it('stops waiting when its signal is aborted', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const transport = failing([refusal(429, 5000)]);
    const error = errorOf(withRetry(transport, { clock }).request({ ...GET, signal: stop.signal }));
    await clock.settle();
    const reason = new Error('stop');
    stop.abort(reason);
    expect(await error).toBe(reason);
    expect(clock.timers).toBe(0);
    expect(transport.sent).toBe(1);
  });

  it('may be the opening of a stream', async () => {
    const clock = new ManualClock();
    const transport = failing([refusal(429, 100)]);
    const lines = withRetry(transport, { clock }).stream(GET);
    await clock.advance(1000);
    expect(await Array.fromAsync(await lines)).toEqual([]);
  });
});

describe('other failures', () => {
  it.each([
    ['a 500 without Retry-After', refusal(500)],
    ['a conflict', refusal(409, 1000)],
    [
      'a refused connection',
      new ConnectionError('GET /version', Object.assign(new Error('no'), { code: 'ECONNREFUSED' })),
    ],
    ['an error of ours', new TypeError('bug')],
  ])("are the caller's: %s", async (_, error) => {
    const transport = failing([error]);
    expect(await errorOf(withRetry(transport, { clock: new ManualClock() }).request(GET))).toBe(error);
    expect(transport.sent).toBe(1);
  });

  it('of a connection that closes underway are repeated once for a GET and never for a write', async () => {
    const reading = failing([cut, cut]);
    expect(await errorOf(withRetry(reading).request(GET))).toBe(cut);
    expect(reading.sent).toBe(2);
    const writing = failing([cut]);
    expect(await errorOf(withRetry(writing).request({ ...GET, method: 'PATCH' }))).toBe(cut);
    expect(writing.sent).toBe(1);
  });
});
