import { gzipSync } from 'node:zlib';
import { Header, type types } from 'tar';

/** One entry of a tar archive, hostile ones too. */
export interface ArchiveEntry {
  path: string;
  content?: string;
  type?: types.EntryTypeName;
  linkpath?: string;
}

const BLOCK = 512;

/** A tar of the entries as they are: nothing is checked, so that the reader has to. */
export function tarOf(entries: readonly ArchiveEntry[]): Buffer {
  return Buffer.concat([...entries.map(encode), Buffer.alloc(2 * BLOCK)]);
}

/** The same, compressed. */
export function tarGzOf(entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

function encode({ path, content = '', type = 'File', linkpath }: ArchiveEntry): Buffer {
  const size = Buffer.byteLength(content);
  const header = new Header({
    path,
    type,
    size,
    mode: 0o644,
    ...(linkpath === undefined ? {} : { linkpath }),
  });
  const bytes = Buffer.alloc(BLOCK + Math.ceil(size / BLOCK) * BLOCK);
  header.encode(bytes, 0);
  bytes.write(content, BLOCK);
  return bytes;
}
