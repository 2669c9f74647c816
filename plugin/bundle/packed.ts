import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build as bundle, type Plugin } from 'esbuild';

const NAMESPACE = 'packed';

/**
 * An esbuild plugin that carries whole packages along compressed, as text. Node scans all of a program before it runs the
 * first line, so that a megabyte that hardly anybody needs costs everybody some 30 ms; of a text it reads only the bytes.
 */
export function packed(packages: readonly string[], minify: boolean): Plugin {
  const filter = new RegExp(`^(?:${packages.join('|')})$`);
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: NAMESPACE }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
        contents: [
          `import { unpack } from './unpack.ts';`,
          `module.exports = unpack(${JSON.stringify(await pack(path, minify))}, ${JSON.stringify(path)});`,
        ].join('\n'),
        resolveDir: import.meta.dirname,
        loader: 'js',
      }));
    },
  };
}

async function pack(name: string, minify: boolean): Promise<string> {
  const { outputFiles } = await bundle({
    stdin: {
      contents: `module.exports = require(${JSON.stringify(name)});`,
      resolveDir: join(import.meta.dirname, '..'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify,
    write: false,
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'warning',
  });
  return brotliCompressSync(outputFiles[0]?.contents ?? new Uint8Array()).toString('base64');
}
