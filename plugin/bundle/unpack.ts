import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';

type ModuleFunction = (exports: object, require: NodeJS.Require, module: { exports: object }) => void;

/**
 * Runs a CommonJS module that the bundle carries along compressed (see `packed.ts`).
 * @returns its exports
 */
export function unpack(base64: string, name: string): object {
  const source = brotliDecompressSync(Buffer.from(base64, 'base64')).toString('utf8');
  const wrapped = `(function (exports, require, module) {${source}\n})`;
  const load = runInThisContext(wrapped, { filename: name }) as ModuleFunction;
  const module = { exports: {} };
  load(module.exports, createRequire(__filename), module);
  return module.exports;
}
