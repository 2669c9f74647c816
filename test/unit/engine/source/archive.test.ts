import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sourceRoom, unpack } from '../../../../engine/source/archive.ts';
import { type ArchiveEntry, tarGzOf, tarOf } from '../../../support/archive.ts';

const MIB = 1024 * 1024;
const FILES = [
  { path: './deploy/web.yaml', content: 'a: 1\n' },
  { path: 'deploy', type: 'Directory' },
  { path: 'readme.md', content: '' },
] as const satisfies ArchiveEntry[];

const read = (archive: Buffer, room = sourceRoom()) =>
  unpack(archive, { folder: 'map/', label: 'ConfigMap web, key app.tar.gz', room });
const one = (entry: ArchiveEntry): Buffer => tarGzOf([entry]);

// The large ones take some seconds on a busy machine.
describe('an archive', { timeout: 30_000 }, () => {
  test('gives its files below the folder', async () => {
    const files = await read(tarGzOf(FILES));
    expect(files.map(({ path, content }) => [path, Buffer.from(content).toString()])).toEqual([
      ['map/deploy/web.yaml', 'a: 1\n'],
      ['map/readme.md', ''],
    ]);
  });

  test('keeps bytes that are no text as they are', async () => {
    const [file] = await read(tarGzOf([{ path: 'a.yaml', content: 'x' }]));
    expect(file?.content).toBeInstanceOf(Uint8Array);
  });

  test.each([
    ['climbs out', one({ path: '../evil.yaml' }), '"../evil.yaml" leaves the archive'],
    ['climbs out further in', one({ path: 'a/../../evil.yaml' }), '"a/../../evil.yaml" leaves the archive'],
    ['is absolute', one({ path: '/etc/evil.yaml' }), '"/etc/evil.yaml" leaves the archive'],
    [
      'is a symlink',
      one({ path: 'l', type: 'SymbolicLink', linkpath: '/etc/passwd' }),
      '"l" is a SymbolicLink',
    ],
    ['is a hard link', one({ path: 'l', type: 'Link', linkpath: 'x' }), '"l" is a Link'],
    ['is a device', one({ path: 'tty', type: 'CharacterDevice' }), '"tty" is a CharacterDevice'],
  ])('is refused where a path %s', async (_, archive, message) => {
    await expect(read(archive)).rejects.toThrow(`ConfigMap web, key app.tar.gz: ${message}`);
  });

  const whole = tarGzOf(FILES);
  test.each([
    ['empty', Buffer.alloc(0)],
    ['no gzip', Buffer.from('kind: ConfigMap')],
    ['a tar that is not compressed', tarOf(FILES)],
    ['cut off in the gzip', whole.subarray(0, -20)],
    ['cut off in the tar', gzipSync(tarOf(FILES).subarray(0, 600))],
    ['compressed, but no tar', gzipSync('kind: ConfigMap\n'.repeat(100))],
    ['zeros alone', gzipSync(Buffer.alloc(4096))],
  ])('is refused where it is %s', async (_, archive) => {
    await expect(read(archive)).rejects.toThrow('it is no readable tar.gz: ');
  });

  test('that unpacks to more than 64 MiB is refused before it has cost that', async () => {
    const bomb = gzipSync(Buffer.alloc(112 * MIB), { level: 1 });
    await expect(read(bomb)).rejects.toThrow('it unpacks to more than 64 MiB');
  });

  test('of many zeros costs no more than its size', async () => {
    await expect(read(gzipSync(Buffer.alloc(48 * MIB), { level: 1 }))).rejects.toThrow(
      'it is no readable tar.gz',
    );
  });

  test('with more than 10,000 files is refused', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ path: `${index}.yaml` }));
    await expect(read(tarGzOf(entries))).rejects.toThrow('more than 10000 files');
  });

  test('shares its limits with the others of the same source', async () => {
    const room = sourceRoom();
    const large = tarGzOf([{ path: 'a.yaml', content: ' '.repeat(33 * MIB) }]);
    await read(large, room);
    await expect(read(large, room)).rejects.toThrow('more than 64 MiB');
  });
});
