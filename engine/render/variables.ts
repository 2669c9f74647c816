import type { Problems } from './errors.ts';
import type { TextFile } from './files.ts';
import { countLines, quote } from './syntax.ts';

/** Values by name. */
export type Variables = ReadonlyMap<string, string>;

/** `$$`; `${name}` or `${name:=default}`; or what looks like one and is none. */
const REFERENCE = /\$(?:\$|\{(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::=(?<standard>[^}\n]*))?\}|[^}\n]*\}?))/g;

/**
 * Replaces `${name}` and `${name:=default}` in a file; `$$` stands for a dollar sign (sources.md). A value is put in as it
 * is: what stands in it is not looked at again.
 * @param problems gets each name that has neither value nor default, with its line
 */
export function substitute({ path, text }: TextFile, variables: Variables, problems: Problems): TextFile {
  const replaced = text.replace(REFERENCE, (found: string, ...rest: unknown[]) => {
    if (found === '$$') return '$';
    const { name, standard } = rest.at(-1) as { name?: string; standard?: string };
    const value = name === undefined ? undefined : (variables.get(name) ?? standard);
    if (value !== undefined) return value;
    const line = countLines(text, 0, rest.at(-3) as number) + 1;
    problems.add({
      where: `${path}:${line}`,
      ...(name === undefined ? malformed(found) : undefinedName(name)),
    });
    return found;
  });
  return { path, text: replaced };
}

function undefinedName(name: string): { what: string; remedy: string } {
  return {
    what: `the variable ${name} has no value`,
    remedy: `set it in spec.content.variables or variablesFrom, give a default (\${${name}:=…}), or write $\${${name}} where it is meant as it stands`,
  };
}

function malformed(found: string): { what: string; remedy: string } {
  return {
    what: `${quote(found)} is no variable`,
    remedy: 'write ${NAME} or ${NAME:=default}, and $$ for a dollar sign that is meant as it stands',
  };
}
