import { pino, type Logger } from 'pino';

export type Log = Logger;

/** What would show a private key, a token or the content of an object. */
const SECRETS = ['key', 'token', 'data', 'object', 'oldObject', 'authorization'];

/**
 * The process's logger: JSON lines on stdout, one per decision.
 * @param level pino level
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((field) => [field, `*.${field}`]), censor: '(redacted)' },
  });
}
