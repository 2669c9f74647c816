import { expect, test } from 'vitest';
import { parseChallenge } from '../../../../controller/registry/challenge.ts';

test.each([
  ['Basic realm="a b"', { scheme: 'basic', parameters: { realm: 'a b' } }],
  [
    'Bearer realm="https://auth.example/token",service=registry, Scope="repository:a/b:pull,push"',
    {
      scheme: 'bearer',
      parameters: {
        realm: 'https://auth.example/token',
        service: 'registry',
        scope: 'repository:a/b:pull,push',
      },
    },
  ],
  ['Bearer realm="say \\"hi\\""', { scheme: 'bearer', parameters: { realm: 'say "hi"' } }],
  ['Negotiate', { scheme: 'negotiate', parameters: {} }],
  ['', undefined],
])('the challenge %j is read', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected);
});
