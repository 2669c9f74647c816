import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../../plugin/cli/commandLine.ts';
import { readFlags } from '../../../../plugin/cli/flags.ts';
import { CliProblem } from '../../../../plugin/cli/problem.ts';

function call(line: string) {
  const found = commandLine(line.split(' ').filter((word) => word !== ''));
  if ('help' in found) throw new Error('help was found');
  return { path: found.verb.path.join(' '), name: found.name, flags: readFlags(found.parsed) };
}

function problem(line: string): CliProblem {
  try {
    call(line);
  } catch (error) {
    if (error instanceof CliProblem) return error;
    throw error;
  }
  throw new Error('it was understood');
}

describe('a command line', () => {
  it.each([
    ['release get', 'release get', undefined],
    ['releases get', 'release get', undefined],
    ['rel get web', 'release get', 'web'],
    ['release get 123', 'release get', '123'],
    ['-n apps release status web', 'release status', 'web'],
    ['release -n apps status web', 'release status', 'web'],
    ['release status web --context release', 'release status', 'web'],
    ['waves plan', 'waves plan', undefined],
    ['version', 'version', undefined],
    ['release status -- -web', 'release status', '-web'],
  ])('%j runs %s of %s', (line, path, name) => {
    expect(call(line)).toMatchObject({ path, name });
  });

  it.each([
    ['', []],
    ['--help', []],
    ['help', []],
    ['release', ['release']],
    ['release -h', ['release']],
    ['release get --help', ['release', 'get']],
    ['help rel status', ['release', 'status']],
    ['release status --help --nonsense', ['release', 'status']],
    ['version -h', ['version']],
  ])('%j asks for help about %j', (line, help) => {
    expect(commandLine(line.split(' ').filter((word) => word !== ''))).toEqual({ help });
  });

  it.each([
    ['relese get', 'there is no command relese', 'kubectl convoy release'],
    ['release gett', 'there is no command release gett', 'kubectl convoy release get'],
    ['frobnicate', 'there is no command frobnicate', 'kubectl convoy --help'],
    ['status shop', 'there is no command status', 'kubectl convoy release status'],
    ['stauts', 'there is no command stauts', 'kubectl convoy release status'],
    ['release status', 'release status needs a NAME', 'kubectl convoy release status --help'],
    ['release get a b', 'release get does not take "b"', 'kubectl convoy release get --help'],
    ['version now', 'version does not take "now"', 'kubectl convoy version --help'],
    ['release get --outptu json', 'there is no flag --outptu', '--output'],
    ['release get -x', 'there is no flag -x', 'kubectl convoy release get --help'],
    ['release get -n', '-n needs a value', 'kubectl convoy release get --help'],
    [
      'release status web -A',
      'release status does not take --all-namespaces',
      'kubectl convoy release status --help',
    ],
    ['release get -o xml', '--output "xml"', 'it takes table, wide, json, yaml, name'],
    ['release get --color maybe', '--color "maybe"', 'it takes auto, always, never'],
    [
      'release get --request-timeout soon',
      '--request-timeout "soon"',
      'it takes a time such as 10s or 1m; 0 is no limit',
    ],
  ])('%j is refused: %s', (line, what, hint) => {
    expect(problem(line)).toMatchObject({ message: what, hints: [hint], exitCode: 2 });
  });
});

describe('flags', () => {
  it('have the defaults of kubectl', () => {
    expect(call('release get').flags).toEqual({
      namespace: undefined,
      allNamespaces: false,
      selector: undefined,
      filenames: [],
      rules: [],
      output: 'table',
      headers: true,
      watch: false,
      force: false,
      wait: false,
      timeoutMs: undefined,
      logs: false,
      live: false,
      client: false,
      color: 'auto',
      context: undefined,
      kubeconfig: undefined,
      cluster: undefined,
      user: undefined,
      as: undefined,
      asGroups: [],
      requestTimeoutMs: undefined,
    });
  });

  it.each([
    ['release get -n apps', { namespace: 'apps' }],
    ['release get -napps', { namespace: 'apps' }],
    ['release get -n=apps', { namespace: 'apps' }],
    ['release get -ojson', { output: 'json' }],
    ['release get -Aojson', { allNamespaces: true, output: 'json' }],
    ['release get --namespace=apps -n shop', { namespace: 'shop' }],
    ['release get -n 007', { namespace: '007' }],
    ['release get -Ao wide', { allNamespaces: true, output: 'wide' }],
    ['release get -l app=web,tier!=a', { selector: 'app=web,tier!=a' }],
    ['release get --no-headers', { headers: false }],
    ['waves plan -f a.yaml -f b/', { filenames: ['a.yaml', 'b/'] }],
    ['waves plan -f -', { filenames: ['-'] }],
    ['version --client', { client: true }],
    ['version --as jane --as-group a --as-group b', { as: 'jane', asGroups: ['a', 'b'] }],
    ['version --request-timeout 5', { requestTimeoutMs: 5000 }],
    ['version --request-timeout 1m30s', { requestTimeoutMs: 90_000 }],
    ['version --request-timeout 0', { requestTimeoutMs: 0 }],
    [
      'version --kubeconfig k --context c --cluster l --user u',
      { kubeconfig: 'k', context: 'c', cluster: 'l', user: 'u' },
    ],
  ])('%j', (line, expected) => {
    expect(call(line).flags).toMatchObject(expected);
  });
});
