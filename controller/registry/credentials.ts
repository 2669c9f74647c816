import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { RegistryError } from './errors.ts';
import type { Repository } from './reference.ts';

/** Who asks a registry. */
export interface Credentials {
  username: string;
  password: string;
}

/** An entry of `auths` in a file as `docker login` and Secrets of type `kubernetes.io/dockerconfigjson` have it. */
interface Entry {
  auth?: string;
  username?: string;
  password?: string;
  identitytoken?: string;
}

/** Where `docker login` keeps what it is told. */
export function defaultCredentialsFile(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env['DOCKER_CONFIG'] ?? '';
  return join(folder === '' ? join(homedir(), '.docker') : folder, 'config.json');
}

/**
 * The credentials for a repository in a docker configuration file, which is read anew each time: they may be rotated.
 * @param isGiven the file must be there; the default one need not
 * @returns undefined where it has none for the repository
 * @throws RegistryError that names the file, and nothing that stands in it
 */
export async function readCredentials(
  file: string,
  repository: Pick<Repository, 'host' | 'name'>,
  { isGiven }: { isGiven: boolean },
): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!isGiven && (code === 'ENOENT' || code === 'EACCES')) return undefined;
    throw new RegistryError(
      `the credentials file ${file} cannot be read (${code}): correct its path or its rights`,
    );
  }
  return credentialsIn(text, file, repository);
}

/**
 * The same of the text of such a file. Of several entries that fit, the one with the longest path counts.
 * @param from names it in messages
 * @throws RegistryError
 */
export function credentialsIn(
  text: string,
  from: string,
  { host, name }: Pick<Repository, 'host' | 'name'>,
): Credentials | undefined {
  const { auths = {} } = parse(text, from);
  const wanted = `${host}/${name}/`;
  const [found] = Object.entries(auths)
    .map(([key, entry]) => ({ key: normalised(key), entry }))
    .filter(({ key }) => wanted.startsWith(`${key}/`))
    .sort((a, b) => b.key.length - a.key.length);
  return found === undefined ? undefined : read(found.entry, `${from}: the entry for ${found.key}`);
}

function parse(text: string, from: string): { auths?: Record<string, Entry> } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    // What JSON.parse says quotes the text.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RegistryError(`${from} is no JSON object: it must be as docker login writes it, with "auths"`);
}

/** `https://index.docker.io/v1/` and the like are hosts as well. */
function normalised(key: string): string {
  const bare = key
    .replace(/^https?:\/\//, '')
    .replace(/\/v[12]\/?$/, '')
    .replace(/\/+$/, '');
  return /^(?:index|registry-1)\.docker\.io$/.test(bare) ? 'docker.io' : bare;
}

function read(
  { auth = '', username = '', password = '', identitytoken = '' }: Entry,
  what: string,
): Credentials {
  if (identitytoken !== '')
    throw new RegistryError(
      `${what} has an identity token, which is not used: give it a user name and a password`,
    );
  if (username !== '') return { username, password };
  const decoded = Buffer.from(auth, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1)
    throw new RegistryError(
      `${what} has no user name and password: docker login keeps them elsewhere where "credsStore" is set, and no such program is run`,
    );
  // docker has been seen to end it with NUL.
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1).replaceAll('\0', '') };
}
