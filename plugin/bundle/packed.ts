import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build as bundle, type Plugin } from 'esbuild';

const NAMESPACE = 'packed';
/** The highest (11) takes ten seconds for a tenth less. */
const QUALITY = 7;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Modules that share parts, and so are unpacked together. */
export interface Family {
  name: string;
  modules: readonly string[];
}

/** Packages that a program carries along compressed, in comments behind its code. */
export interface Packs {
  plugin: Plugin;
  /** The comments, once esbuild has run. */
  comments(): string;
}

/**
 * Packs whole packages. Node parses all of a program before it runs the first line, so that a megabyte that hardly anybody
 * needs costs everybody some 30 ms; of a comment it reads only the bytes.
 */
export function packed(packages: readonly (string | Family)[]): Packs {
  const families = packages.map((one) => (typeof one === 'string' ? { name: one, modules: [one] } : one));
  const familyOf = new Map(families.flatMap((one) => one.modules.map((module) => [module, one] as const)));
  const filter = new RegExp(`^(?:${[...familyOf.keys()].join('|')})$`);
  const packs = new Map<string, string>();
  const plugin: Plugin = {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: NAMESPACE }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => {
        const { name, modules } = familyOf.get(path) ?? { name: path, modules: [path] };
        if (!packs.has(name)) packs.set(name, await pack(modules));
        return { contents: await wrapper(name, path), resolveDir: import.meta.dirname, loader: 'js' };
      });
    },
  };
  return {
    plugin,
    comments: () => [...packs].map(([name, base64]) => `//pack:${name}:${base64}\n`).join(''),
  };
}

/** A module with the exports of another one, whose family is unpacked as soon as something imports it. */
async function wrapper(family: string, name: string): Promise<string> {
  const exported = Object.keys((await import(name)) as object);
  const names = exported.filter((key) => IDENTIFIER.test(key) && key !== 'default');
  return [
    `import { unpack } from './unpack.ts';`,
    `const unpacked = unpack(${JSON.stringify(family)})[${JSON.stringify(name)}];`,
    `export const { ${names.join(', ')} } = unpacked;`,
    `export default unpacked.default ?? unpacked;`,
  ].join('\n');
}

async function pack(modules: readonly string[]): Promise<string> {
  const named = modules.map((name) => `${JSON.stringify(name)}: require(${JSON.stringify(name)})`);
  const { outputFiles } = await bundle({
    stdin: {
      contents: `module.exports = {${named.join(', ')}};`,
      resolveDir: join(import.meta.dirname, '..'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    write: false,
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'warning',
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return brotliCompressSync(outputFiles[0]?.contents ?? new Uint8Array(), { params }).toString('base64');
}
