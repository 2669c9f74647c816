/** What a registry asks for with 401 (RFC 9110, 11.6.1). */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  scheme: string;
  /** By name in lower case: `realm`, `service`, `scope`. */
  parameters: Readonly<Record<string, string>>;
}

const SCHEME = /^\s*([a-z][a-z0-9-]*)\s*/i;
const PARAMETER = /^([a-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*,?\s*/i;

/** Reads a `WWW-Authenticate` header, of which only the first challenge counts; undefined where it has none. */
export function parseChallenge(header: string): Challenge | undefined {
  const [start, scheme] = SCHEME.exec(header) ?? [];
  if (start === undefined || scheme === undefined) return undefined;
  const parameters: Record<string, string> = {};
  let rest = header.slice(start.length);
  for (;;) {
    const found = PARAMETER.exec(rest);
    if (found === null) return { scheme: scheme.toLowerCase(), parameters };
    const [whole, name = '', quoted, bare = ''] = found;
    parameters[name.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
    rest = rest.slice(whole.length);
  }
}
