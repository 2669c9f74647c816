import { readFile } from 'node:fs/promises';
import type { ConnectionConfig, Credentials } from './connection.ts';

/** Bound service account tokens are written anew long before they end; client-go reads them each minute too. */
const TOKEN_FILE_AGE_MS = 60_000;

/** The Authorization header of a connection. `now`: milliseconds on a scale that never goes back. */
export function credentialsOf(config: ConnectionConfig, now: () => number): Credentials {
  if (config.credentials !== undefined) return config.credentials;
  if (config.tokenFile !== undefined) return tokenFileCredentials(config.tokenFile, now);
  return fixedCredentials(fixedAuthorization(config));
}

function fixedAuthorization({ token, username, password = '' }: ConnectionConfig): string | undefined {
  if (token !== undefined) return bearer(token);
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function fixedCredentials(authorization: string | undefined): Credentials {
  return { authorization: () => Promise.resolve(authorization), renew: () => Promise.resolve(false) };
}

/**
 * A token from a file that somebody else rotates. While the file cannot be read the last token stays in use, since it
 * mostly still holds; when the server refuses that one too, `renew` throws why the file cannot be read.
 */
function tokenFileCredentials(file: string, now: () => number): Credentials {
  let current: Promise<string> | undefined;
  let readAt = 0;
  const read = async (): Promise<string> => bearer(await readFile(file, 'utf8'));
  return {
    async authorization() {
      if (current === undefined) {
        const first = read();
        first.catch(() => (current = undefined));
        [current, readAt] = [first, now()];
      } else if (now() - readAt >= TOKEN_FILE_AGE_MS) {
        const last = current;
        [current, readAt] = [read().catch(() => last), now()];
      }
      return current;
    },
    async renew() {
      const refused = await current?.catch(() => undefined);
      const fresh = await read();
      [current, readAt] = [Promise.resolve(fresh), now()];
      return fresh !== refused;
    },
  };
}

function bearer(token: string): string {
  return `Bearer ${token.trim()}`;
}
