import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';

const unpackedBefore = new Map<string, Record<string, object>>();

type ModuleFunction = (exports: object, require: NodeJS.Require, module: { exports: object }) => void;

/**
 * Runs the modules of a family that this program carries along behind its code (see `packed.ts`), once.
 * @returns their exports, by module
 */
export function unpack(name: string): Record<string, object> {
  const known = unpackedBefore.get(name) ?? run(name);
  unpackedBefore.set(name, known);
  return known;
}

function run(name: string): Record<string, object> {
  const source = brotliDecompressSync(Buffer.from(packOf(name), 'base64')).toString('utf8');
  const load: unknown = runInThisContext(`(function (exports, require, module) {${source}\n})`, {
    filename: name,
  });
  const module: { exports: Record<string, object> } = { exports: {} };
  (load as ModuleFunction)(module.exports, createRequire(__filename), module);
  return module.exports;
}

function packOf(name: string): string {
  const program = readFileSync(__filename, 'latin1');
  const mark = `\n//pack:${name}:`;
  const start = program.lastIndexOf(mark);
  if (start < 0) throw new Error(`this copy of kubectl-convoy is not whole: it lacks ${name}`);
  return program.slice(start + mark.length, program.indexOf('\n', start + 1));
}
