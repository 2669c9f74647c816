import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * The process's logger: JSON lines on stdout, one per decision.
 * @param level pino level; what it redacts never reaches a line, whoever logs the object
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['token', '*.token', 'data', '*.data', 'stringData', '*.stringData', 'authorization'],
      censor: '(redacted)',
    },
  });
}
