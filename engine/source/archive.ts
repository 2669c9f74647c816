import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import type { SourceFile } from '../render/files.ts';
import { SourceError } from './fetched.ts';

const inflate = promisify(gunzip);

/** Limits of sources.md on what the archives of one source unpack to. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;
/** What a tar adds to each of its entries, at most: headers and padding. */
const ENTRY_OVERHEAD = 4096;

/** What is left of the limits: the archives of one source share it. */
export interface SourceRoom {
  bytes: number;
  files: number;
}

/** The room of a source of which nothing is read yet. */
export function sourceRoom(): SourceRoom {
  return { bytes: MAX_BYTES, files: MAX_FILES };
}

/** True for the names that are unpacked: `.tar.gz` and `.tgz`. */
export function isArchive(name: string): boolean {
  return /\.(tar\.gz|tgz)$/.test(name);
}

/**
 * Unpacks a gzipped tar in memory; nothing touches the disk.
 * @param options.folder prefix of the paths, '' or with a closing slash
 * @param options.label how errors name the archive
 * @param options.room is lowered by what the archive takes
 * @throws SourceError for links, paths that leave the archive, too many files or bytes, and broken archives
 */
export async function unpack(
  archive: Buffer,
  { folder, label, room }: { folder: string; label: string; room: SourceRoom },
): Promise<SourceFile[]> {
  const refuse = (what: string, cause?: unknown): SourceError =>
    new SourceError(`${label}: ${what}`, { cause });
  const tar = await decompress(archive, refuse);
  const files: SourceFile[] = [];
  const done = Promise.withResolvers<undefined>();
  const parser = new Parser({ strict: true, gzip: false });
  parser.on('entry', (entry: ReadEntry) => {
    room.bytes -= entry.size;
    if (entry.type !== 'Directory') room.files--;
    const problem = entryProblem(entry) ?? limitProblem(room);
    if (problem !== undefined) {
      done.reject(refuse(problem));
      parser.abort(new Error(problem));
    } else if (entry.type === 'Directory') {
      entry.resume();
    } else {
      collect(entry, (content) => files.push({ path: folder + entry.path.replace(/^(\.\/)+/, ''), content }));
    }
  });
  parser.on('error', (error: Error) => done.reject(refuse(unreadable(error), error)));
  parser.on('end', () => done.resolve(undefined));
  parser.end(tar);
  await done.promise;
  return files;
}

/**
 * On its own and not by the parser, which takes time in the square of the size, on the event loop, where a small
 * archive unpacks to much.
 */
async function decompress(
  archive: Buffer,
  refuse: (what: string, cause: unknown) => SourceError,
): Promise<Buffer> {
  try {
    return await inflate(archive, { maxOutputLength: MAX_BYTES + MAX_FILES * ENTRY_OVERHEAD });
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw refuse(tooLarge ? TOO_LARGE : unreadable(error), error);
  }
}

function unreadable(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `it is no readable tar.gz: ${reason}: pack it again, as with tar -czf`;
}

function collect(entry: ReadEntry, take: (content: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A copy: the chunks are views of the whole archive.
  entry.on('end', () => take(new Uint8Array(Buffer.concat(chunks))));
}

const TOO_LARGE = `it unpacks to more than ${MAX_BYTES >> 20} MiB: leave out what the Release does not need`;

function limitProblem({ bytes, files }: SourceRoom): string | undefined {
  if (bytes < 0) return TOO_LARGE;
  if (files < 0) return `it holds more than ${MAX_FILES} files: leave out what the Release does not need`;
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
