import { expect, test } from 'vitest';
import { credentialsIn, readCredentials } from '../../../../controller/registry/credentials.ts';

const REPOSITORY = { host: 'registry.example', name: 'team/renders' };
const PASSWORD = 'k4n4r1-of-the-registry';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const read = (auths: object, repository = REPOSITORY) =>
  credentialsIn(JSON.stringify({ auths }), 'the file', repository);

test.each([
  ['a host', { 'registry.example': { auth: base64('jo:se:cret') } }, { username: 'jo', password: 'se:cret' }],
  [
    'an address',
    { 'https://registry.example/v2/': { auth: base64('jo:x') } },
    { username: 'jo', password: 'x' },
  ],
  [
    'the longest path',
    {
      'registry.example': { auth: base64('host:x') },
      'registry.example/team': { username: 'team', password: 'y' },
      'registry.example/te': { username: 'other', password: 'z' },
    },
    { username: 'team', password: 'y' },
  ],
  ['none of others', { 'registry.example.com': { auth: base64('jo:x') } }, undefined],
])('credentials are found by %s', (_, auths, expected) => {
  expect(read(auths)).toEqual(expected);
});

test('credentials of the hub of Docker stand under its old address', () => {
  const auths = { 'https://index.docker.io/v1/': { auth: base64('jo:x') } };
  expect(read(auths, { host: 'docker.io', name: 'team/renders' })).toEqual({ username: 'jo', password: 'x' });
});

test.each([
  ['no JSON', `{"auths": ${PASSWORD}`, 'the file is no JSON object'],
  ['no password', JSON.stringify({ auths: { 'registry.example': {} } }), 'has no user name and password'],
  [
    'an identity token',
    JSON.stringify({ auths: { 'registry.example': { identitytoken: PASSWORD } } }),
    'has an identity token, which is not used',
  ],
])('a file with %s is told, and not what stands in it', (_, text, told) => {
  const act = () => credentialsIn(text, 'the file', REPOSITORY);
  expect(act).toThrow(told);
  expect(act).not.toThrow(PASSWORD);
});

test('a file need not be there, unless it is named', async () => {
  const path = '/nowhere/config.json';
  expect(await readCredentials(path, REPOSITORY, { isGiven: false })).toBeUndefined();
  await expect(readCredentials(path, REPOSITORY, { isGiven: true })).rejects.toThrow(
    'the credentials file /nowhere/config.json cannot be read (ENOENT)',
  );
});
