import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { packed } from './bundle/packed.ts';

const FOLDER = import.meta.dirname;

/** Where the program is built to. */
export const PLUGIN_FILE = join(FOLDER, '..', 'dist', 'kubectl-convoy');

/** What a kubeconfig with a credential plugin or a proxy needs, and nobody else. */
const RARELY_NEEDED = ['@kubernetes/client-node', 'undici'];

/**
 * Bundles the plugin into one executable file.
 *
 * CommonJS, since Node starts it some milliseconds faster than a module, and each `await import()` stays lazy inside it.
 * string-width is replaced: its regular expression of all emoji costs 60 ms to compile, as much as all else together.
 */
export async function buildPlugin(outfile = PLUGIN_FILE): Promise<void> {
  await build({
    entryPoints: [join(FOLDER, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    alias: { 'string-width': join(FOLDER, 'bundle', 'stringWidth.ts') },
    inject: [join(FOLDER, 'bundle', 'groupBy.ts')],
    plugins: [packed(RARELY_NEEDED, true)],
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: '#!/usr/bin/env node\nconst bundleUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
  // A file without an extension is what the package.json next to it says; elsewhere it is CommonJS anyway.
  await writeFile(join(dirname(outfile), 'package.json'), '{ "type": "commonjs" }\n');
}

if (import.meta.main) {
  await mkdir(dirname(PLUGIN_FILE), { recursive: true });
  await buildPlugin();
}
