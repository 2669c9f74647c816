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
export async function unpack(archive: Buffer, options: { folder: string; label: string }): Promise<SourceFile[]> {
  const refuse = (what: string) => new SourceError(`${options.label}: ${what}`);
  const files: SourceFile[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({ strict: true });
    const fail = (error: Error) => {
      reject(error);
      parser.abort(error);
    };
    parser.on('entry', (entry: ReadEntry) => {
      const problem = entryProblem(entry);
      bytes += entry.size;
      if (problem !== undefined) return fail(refuse(problem));
      if (bytes > MAX_BYTES) return fail(refuse(`it unpacks to more than ${MAX_BYTES >> 20} MiB: leave out what the Release does not need`));
      if (files.length >= MAX_FILES) return fail(refuse(`it holds more than ${MAX_FILES} files`));
      if (entry.type === 'Directory') return entry.resume();
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        files.push({ path: options.folder + entry.path.replace(/^(\.\/)+/, ''), content: Buffer.concat(chunks).toString('utf8') });
      });
    });
    parser.on('error', (error: Error) => reject(error instanceof SourceError ? error : refuse(`it is no readable tar.gz: ${error.message}`)));
    parser.on('end', () => resolve());
    parser.end(archive);
  });
  return files;
}

const PLAIN_TYPES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir']);

function entryProblem(entry: ReadEntry): string | undefined {
  const path = entry.path;
  if (!PLAIN_TYPES.has(entry.type)) return `"${path}" is a ${entry.type}: only files and folders are taken`;
  if (path.startsWith('/') || path.includes('\\') || path.split('/').includes('..')) return `"${path}" leaves the archive: use paths below its root`;
  return undefined;
}
