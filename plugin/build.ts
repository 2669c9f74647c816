import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { packed } from './bundle/packed.ts';

const FOLDER = import.meta.dirname;

/** Where the program is built to. */
export const PLUGIN_FILE = join(FOLDER, '..', 'dist', 'kubectl-convoy');

/** What kubectl runs for completion, where it lies on the PATH. */
const COMPLETION = 'kubectl_complete-convoy';

/** CEL, for health rules: its parts know one another's types. */
const CEL = {
  name: 'cel',
  modules: [
    '@bufbuild/cel',
    '@bufbuild/cel/ext',
    '@bufbuild/re2',
    ...['', '/reflect', '/wkt'].map((part) => `@bufbuild/protobuf${part}`),
  ],
};

/** Packages that most calls do without: credential plugins, proxies, checking a Release, archives, diffs, health rules, zstd. */
const RARELY_NEEDED = [
  '@kubernetes/client-node',
  'undici',
  'typebox',
  'ajv',
  'tar/parse',
  'diff',
  'fzstd',
  CEL,
];

/**
 * Bundles the plugin into one executable file.
 *
 * CommonJS, since Node starts it some milliseconds faster than a module, and each `await import()` stays lazy inside it.
 * ASCII alone, since Node reads a file faster that is; esbuild leaves other characters in regular expressions.
 */
export async function buildPlugin(outfile = PLUGIN_FILE): Promise<void> {
  const packs = packed(RARELY_NEEDED);
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'main.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    inject: [join(FOLDER, 'bundle', 'olderNode.ts')],
    plugins: [packs.plugin],
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: '#!/usr/bin/env node\nconst bundleUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    logLevel: 'warning',
    write: false,
  });
  await mkdir(dirname(outfile), { recursive: true });
  await writeFile(outfile, inAscii(outputFiles[0]?.text ?? '') + packs.comments());
  await chmod(outfile, 0o755);
  const completion = join(dirname(outfile), COMPLETION);
  await writeFile(completion, '#!/bin/sh\nexec kubectl-convoy __complete "$@"\n');
  await chmod(completion, 0o755);
  // A file without an extension is what the package.json next to it says; elsewhere it is CommonJS anyway.
  await writeFile(join(dirname(outfile), 'package.json'), '{ "type": "commonjs" }\n');
}

function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

if (import.meta.main) await buildPlugin();
