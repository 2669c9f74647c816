import { Problems } from './errors.ts';

/** One file of a source. */
export interface SourceFile {
  /** Relative to the source's root, with forward slashes. */
  path: string;
  content: string | Uint8Array;
}

/** A file to read as YAML. */
export interface TextFile {
  path: string;
  text: string;
}

const YAML_FILE = /\.(?:ya?ml|json)$/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Picks what a plain YAML render reads: all .yaml, .yml and .json files at or below the content path, in order of path.
 * @param contentPath a folder or a file of the source; `.` is its root
 * @throws RenderError for a path that leaves the source, a file that is no UTF-8, or a content path with no such file
 */
export function selectFiles(files: readonly SourceFile[], contentPath = '.'): TextFile[] {
  const problems = new Problems();
  const base = safePath(contentPath);
  if (base === undefined) {
    problems.add({
      where: `content.path ${JSON.stringify(contentPath)}`,
      what: 'leaves the source',
      remedy: 'give a path relative to its root, without ".."',
    });
    problems.throwIfAny();
    return [];
  }
  const selected = files
    .map((file) => ({ file, path: checkedPath(file.path, problems) }))
    .filter(({ path }) => path !== undefined && isBelow(path, base) && YAML_FILE.test(path))
    .map(({ file, path = '' }) => ({ path, text: decode(path, file.content, problems) }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  checkTwice(selected, problems);
  if (selected.length === 0 && files.length > 0) {
    problems.add({
      where: `content.path ${JSON.stringify(contentPath)}`,
      what: 'there is no .yaml, .yml or .json file at or below it',
      remedy: `correct the path; the source has ${listSome(files.map((file) => file.path))}`,
    });
  }
  problems.throwIfAny();
  return selected;
}

/** @returns the path without `.` segments, `` for the root; undefined where it is absolute, leaves the root, or is no plain path */
function safePath(path: string): string | undefined {
  if (path.startsWith('/') || /[\\\u0000-\u001f]/.test(path) || /^[A-Za-z]:/.test(path)) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? undefined : segments.join('/');
}

function checkedPath(path: string, problems: Problems): string | undefined {
  const safe = safePath(path);
  if (safe !== undefined && safe !== '') return safe;
  problems.add({
    where: JSON.stringify(path.slice(0, 200)),
    what: 'this path leaves the source',
    remedy: 'pack files by paths relative to its root, without ".."',
  });
  return undefined;
}

function isBelow(path: string, base: string): boolean {
  return base === '' || path === base || path.startsWith(`${base}/`);
}

function decode(path: string, content: string | Uint8Array, problems: Problems): string {
  if (typeof content === 'string') return content;
  try {
    return UTF8.decode(content);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    problems.add({ where: path, what: 'it is not UTF-8 text', remedy: 'save it as UTF-8' });
    return '';
  }
}

/** `a.yaml` and `./a.yaml` are one file. */
function checkTwice(sorted: readonly TextFile[], problems: Problems): void {
  for (const [index, { path }] of sorted.entries()) {
    if (sorted[index + 1]?.path !== path) continue;
    problems.add({ where: path, what: 'the source has this path twice', remedy: 'pack it once' });
  }
}

const LISTED = 5;

function listSome(paths: readonly string[]): string {
  const more = paths.length - LISTED;
  return paths.slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
