import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TextFile } from '../../engine/render/files.ts';
import { CliProblem } from '../cli/problem.ts';

const YAML_FILE = /\.(?:ya?ml|json)$/i;
/** As for a Release's source: what is larger is no set of manifests. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;
const MAX_DEPTH = 50;
/** Never part of a source, and large. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Reads what `-f` names: a file, a folder with all that is below it, or `-` for the standard input.
 * Links in a folder are not followed, as in a Release's source.
 * @throws CliProblem that names the path
 */
export async function readFiles(
  names: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<TextFile[]> {
  const budget = new Budget();
  const files: TextFile[] = [];
  if (names.filter((name) => name === '-').length > 1) {
    throw new CliProblem('-f - is given twice', {
      why: ['the standard input can be read once'],
      exitCode: 2,
    });
  }
  for (const name of names) {
    if (name === '-') files.push({ path: 'stdin', text: await readAll(stdin, budget) });
    else files.push(...(await readPath(name, budget)));
  }
  return files;
}

async function readPath(name: string, budget: Budget): Promise<TextFile[]> {
  try {
    if (!(await stat(name)).isDirectory()) return [await readOne(name, budget)];
    const paths = (await listFolder(name, 0)).sort();
    if (paths.length === 0) {
      throw new CliProblem(`no manifests in ${name}`, {
        why: ['no file at or below it ends in .yaml, .yml or .json'],
        hints: ['name the folder that holds them, or a file of any name'],
      });
    }
    const files: TextFile[] = [];
    for (const path of paths) files.push(await readOne(join(name, path), budget));
    return files;
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    throw new CliProblem(`cannot read ${name}`, {
      why: [error instanceof Error ? error.message : String(error)],
      hints: ['-f takes a file, a folder, or - for the standard input'],
      cause: error,
    });
  }
}

/** Paths relative to the folder of all manifests below it. */
async function listFolder(folder: string, depth: number): Promise<string[]> {
  if (depth > MAX_DEPTH) throw new CliProblem(`${folder} lies more than ${MAX_DEPTH} folders deep`);
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
      found.push(...(await listFolder(path, depth + 1)).map((inner) => join(entry.name, inner)));
    } else if (entry.isFile() && YAML_FILE.test(entry.name)) {
      found.push(relative(folder, path));
    }
  }
  return found;
}

async function readOne(path: string, budget: Budget): Promise<TextFile> {
  const bytes = await readFile(path);
  budget.spend(bytes.length, path);
  return { path, text: decode(bytes, path) };
}

async function readAll(stdin: AsyncIterable<Uint8Array>, budget: Budget): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stdin) {
    budget.grow(part.length, 'the standard input');
    parts.push(part);
  }
  return decode(Buffer.concat(parts), 'the standard input');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, path: string): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new CliProblem(`${path} is no UTF-8 text`, { hints: ['save it as UTF-8'], cause });
  }
}

/** What all files together may cost. */
class Budget {
  #bytes = 0;
  #files = 0;

  spend(bytes: number, path: string): void {
    this.#files++;
    if (this.#files > MAX_FILES) throw new CliProblem(`there are more than ${MAX_FILES} files`);
    this.grow(bytes, path);
  }

  grow(bytes: number, path: string): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES) {
      throw new CliProblem(`the files are larger than ${MAX_BYTES / 1024 / 1024} MiB together`, {
        why: [`that was passed at ${path}`],
      });
    }
  }
}
