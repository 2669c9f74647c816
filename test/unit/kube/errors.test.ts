import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isRetryable,
  isTooManyRequests,
  isTypedPatchError,
  isUnauthorized,
  KubeError,
  ProtocolError,
} from '../../../kube/errors.ts';

const refusal = (status: number, reason = '', serverMessage = 'no'): ApiError =>
  new ApiError({ status, reason, serverMessage, request: 'GET /x' });

const TYPED_PATCH =
  'failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema';

describe('what heals by itself', () => {
  it.each([
    [408, '', true],
    [429, 'TooManyRequests', true],
    [500, 'InternalError', true],
    [502, '', true],
    [503, 'ServiceUnavailable', true],
    [504, 'Timeout', true],
    [400, 'BadRequest', false],
    [401, 'Unauthorized', false],
    [403, 'Forbidden', false],
    [404, 'NotFound', false],
    [409, 'Conflict', false],
    [409, 'AlreadyExists', false],
    [410, 'Expired', false],
    [413, 'RequestEntityTooLarge', false],
    [415, 'UnsupportedMediaType', false],
    [422, 'Invalid', false],
    [501, '', false],
    [505, '', false],
  ])('%i %s: %s', (status, reason, expected) => {
    expect(isRetryable(refusal(status, reason))).toBe(expected);
  });

  it('is a conflict for those who say so, never a name that is taken', () => {
    expect(isRetryable(refusal(409, 'Conflict'), { conflict: true })).toBe(true);
    expect(isRetryable(refusal(409, 'AlreadyExists'), { conflict: true })).toBe(false);
  });

  it('is not the 500 of a misspelt field', () => {
    const error = refusal(500, 'InternalError', TYPED_PATCH);
    expect(isTypedPatchError(error)).toBe(true);
    expect(isRetryable(error)).toBe(false);
  });

  it('is a lost connection, not a strange answer or a mistake of ours', () => {
    expect(isRetryable(new ConnectionError('GET /x', new Error('lost')))).toBe(true);
    expect(isRetryable(new ProtocolError('too large'))).toBe(false);
    expect(isRetryable(new TypeError('bug'))).toBe(false);
    expect(isRetryable('text')).toBe(false);
  });
});

describe('kinds of refusals', () => {
  it.each([
    ['isNotFound', isNotFound, 404, 'NotFound'],
    ['isForbidden', isForbidden, 403, 'Forbidden'],
    ['isUnauthorized', isUnauthorized, 401, 'Unauthorized'],
    ['isGone', isGone, 410, 'Expired'],
    ['isInvalid', isInvalid, 422, 'Invalid'],
    ['isTooManyRequests', isTooManyRequests, 429, 'TooManyRequests'],
    ['isConflict', isConflict, 409, 'Conflict'],
    ['isAlreadyExists', isAlreadyExists, 409, 'AlreadyExists'],
  ])('%s', (_, is, status, reason) => {
    expect(is(refusal(status, reason))).toBe(true);
    expect(is(refusal(418))).toBe(false);
    expect(is(new Error('404'))).toBe(false);
  });

  it('tell a taken name from a conflict', () => {
    expect(isConflict(refusal(409, 'AlreadyExists'))).toBe(false);
    expect(isAlreadyExists(refusal(409, 'Conflict'))).toBe(false);
  });
});

describe('messages', () => {
  it('name the request, what the server said and the code', () => {
    expect(refusal(404, 'NotFound', 'configmaps "a" not found').message).toBe(
      'GET /x: configmaps "a" not found (404 NotFound)',
    );
    expect(refusal(502).message).toBe('GET /x: no (502)');
  });

  it('of lost connections say it in words and keep the cause', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND api.example.org'), { code: 'ENOTFOUND' });
    const error = new ConnectionError('GET /x', cause);
    expect(error.message).toBe('GET /x: host name not found (ENOTFOUND)');
    expect(error.cause).toBe(cause);
    expect(error).toBeInstanceOf(KubeError);
    expect(new ConnectionError('GET /x', new Error('self-signed certificate')).message).toBe(
      'GET /x: self-signed certificate',
    );
  });
});
