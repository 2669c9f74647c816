import { Parser, type ReadEntry } from 'tar';
import type { SourceFile } from '../../engine/render/files.ts';
import { SourceError } from './source.ts';

/** Limits of sources.md on what an archive unpacks to. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;

/** True for the names that are unpacked: `.tar.gz` and `.tgz`. */
export function isArchive(name: string): boolean {
  return /\.(tar\.gz|tgz)$/.test(name);
}

/**
 * Unpacks a gzipped tar in memory; nothing touches the disk.
 * @param options.folder prefix of the paths, '' or with a closing slash
 * @param options.label how errors name the archive
 * @throws SourceError for links, paths that leave the archive, too many files or bytes, and broken archives
 */
export async function unpack(
  archive: Buffer,
  options: { folder: string; label: string },
): Promise<SourceFile[]> {
  const refuse = (what: string): SourceError => new SourceError(`${options.label}: ${what}`);
  const files: SourceFile[] = [];
  const done = Promise.withResolvers<undefined>();
  const parser = new Parser({ strict: true });
  let bytes = 0;
  parser.on('entry', (entry: ReadEntry) => {
    bytes += entry.size;
    const problem = entryProblem(entry) ?? limitProblem(bytes, files.length);
    if (problem !== undefined) {
      done.reject(refuse(problem));
      parser.abort(new Error(problem));
    } else if (entry.type === 'Directory') {
      entry.resume();
    } else {
      collect(entry, (content) =>
        files.push({ path: options.folder + entry.path.replace(/^(\.\/)+/, ''), content }),
      );
    }
  });
  parser.on('error', (error: Error) => done.reject(refuse(`it is no readable tar.gz: ${error.message}`)));
  parser.on('end', () => done.resolve(undefined));
  parser.end(archive);
  await done.promise;
  return files;
}

function collect(entry: ReadEntry, take: (content: string) => void): void {
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => take(Buffer.concat(chunks).toString('utf8')));
}

function limitProblem(bytes: number, files: number): string | undefined {
  if (bytes > MAX_BYTES)
    return `it unpacks to more than ${MAX_BYTES >> 20} MiB: leave out what the Release does not need`;
  if (files >= MAX_FILES) return `it holds more than ${MAX_FILES} files`;
  return undefined;
}

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'File',
  'OldFile',
  'ContiguousFile',
  'Directory',
  'GNUDumpDir',
]);

function entryProblem(entry: ReadEntry): string | undefined {
  const path = entry.path;
  if (!PLAIN_TYPES.has(entry.type)) return `"${path}" is a ${entry.type}: only files and folders are taken`;
  if (path.startsWith('/') || path.includes('\\') || path.split('/').includes('..'))
    return `"${path}" leaves the archive: use paths below its root`;
  return undefined;
}
