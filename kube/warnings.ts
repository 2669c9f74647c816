import type { ResponseHeaders } from './transport.ts';

/** `299 agent "text"` of RFC 7234, with `\"` inside the text; several may share a line. */
const WARNING = /\b299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of the API server's Warning headers (deprecated versions, duplicate fields, policies). */
export function warningsOf(headers: ResponseHeaders): string[] {
  const value = headers['warning'];
  const lines = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return lines.flatMap((line) =>
    Array.from(line.matchAll(WARNING), ([, text = '']) => text.replaceAll(/\\(.)/g, '$1')),
  );
}
