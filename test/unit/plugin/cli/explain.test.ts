import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../api/group.ts';
import { RenderError } from '../../../../engine/render/errors.ts';
import { ApiError, ConnectionError, ProtocolError } from '../../../../kube/errors.ts';
import { ConfigError } from '../../../../kube/kubeconfig.ts';
import { resourcePath } from '../../../../kube/resource.ts';
import { explain } from '../../../../plugin/cli/explain.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { problemLines } from '../../../../plugin/cli/printProblem.ts';
import { CliProblem } from '../../../../plugin/cli/problem.ts';

const REQUEST = 'GET /apis/core.convoy.kumodo.io/v1alpha1/releases';

function apiError(status: number, serverMessage: string, details = {}): ApiError {
  return new ApiError({ status, reason: '', serverMessage, details, request: REQUEST });
}

function connectionError(code: string): ConnectionError {
  return new ConnectionError(REQUEST, Object.assign(new Error('it failed'), { code }));
}

describe('an error is told by what failed, why and what to try', () => {
  it.each<[string, Error, RegExp, RegExp, RegExp]>([
    [
      'a kind that is not served',
      apiError(404, '404 page not found'),
      /does not know Convoy/,
      /not found/,
      /get crd/,
    ],
    ['a missing right', apiError(403, 'jane cannot list'), /refuses/, /jane cannot list/, /auth can-i/],
    ['a credential', apiError(401, 'Unauthorized'), /refuses/, /Unauthorized/, /log in again/],
    [
      'a refused connection',
      connectionError('ECONNREFUSED'),
      /cannot be reached/,
      /connection refused/,
      /is the API server running/,
    ],
    ['an unknown host', connectionError('ENOTFOUND'), /cannot be reached/, /host name not found/, /VPN/],
    [
      'a certificate',
      connectionError('SELF_SIGNED_CERT_IN_CHAIN'),
      /cannot be reached/,
      /it failed/,
      /certificate-authority/,
    ],
    [
      'a time limit',
      new ConnectionError(REQUEST, new Error('no answer within 5 ms')),
      /cannot be reached/,
      /within 5 ms/,
      /--request-timeout/,
    ],
    [
      'a missing context',
      new ConfigError('no context "x"'),
      /is not known/,
      /no context "x"/,
      /get-contexts/,
    ],
    [
      'manifests',
      new RenderError([{ where: 'a.yaml:3', what: 'a tab', remedy: 'use spaces' }]),
      /cannot be rendered/,
      /a.yaml:3: a tab: use spaces/,
      /correct/,
    ],
    ['a fault of its own', new TypeError('x is undefined'), /has failed/, /x is undefined/, /report it/],
  ])('%s', (_, error, what, why, hint) => {
    const problem = explain(error);
    expect(problem.exitCode).toBe(1);
    expect(problem.message).toMatch(what);
    expect(problem.why.join('\n')).toMatch(why);
    expect(problem.hints.join('\n')).toMatch(hint);
  });

  it('an object that is not there is not taken for a kind that is not served', () => {
    expect(explain(apiError(404, 'releases "x" not found', { name: 'x' })).message).toBe(
      'the API server refuses',
    );
  });

  it('an answer that is none', () => {
    expect(explain(new ProtocolError('not JSON'))).toMatchObject({ why: ['not JSON'] });
  });

  it('says how many more problems there are', () => {
    const problems = [{ where: 'a', what: 'b', remedy: 'c' }];
    expect(explain(new RenderError(problems, 4)).why).toEqual(['a: b: c', 'and 3 more']);
  });

  it('tells a problem as it is', () => {
    const problem = new CliProblem('so it is', { exitCode: 2 });
    expect(explain(problem)).toBe(problem);
  });
});

describe('a problem', () => {
  it('is printed with its parts below one another', () => {
    const problem = new CliProblem('it failed', {
      why: ['first reason', 'second'],
      hints: ['do this\u001b[2J'],
    });
    expect(problemLines(problem, { width: 80, paint: plain })).toEqual([
      'error: it failed',
      '  why: first reason',
      '       second',
      '  try: do this\ufffd[2J',
    ]);
  });

  it('goes on under itself on a narrow terminal', () => {
    const problem = new CliProblem('something that is long enough to need two lines here');
    expect(problemLines(problem, { width: 40, paint: plain })).toEqual([
      'error: something that is long enough to',
      '       need two lines here',
    ]);
  });
});

it('tells a name that leads elsewhere as a mistake of the command line', () => {
  const path = (): string => resourcePath(RESOURCES.Release, '../kube-system', 'web');
  const problem = explain(thrownBy(path));
  expect(problem.exitCode).toBe(2);
  expect(problem.message).toContain('"../kube-system" cannot be a name');
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
