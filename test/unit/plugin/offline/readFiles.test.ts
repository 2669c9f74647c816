import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFiles } from '../../../../plugin/offline/readFiles.ts';
import { bytes } from '../cli/io.ts';

async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-plan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

describe('files to plan', () => {
  it('are all manifests below a folder, in order of path', async () => {
    const folder = await folderWith({
      'b.yaml': 'b',
      'a/z.yml': 'z',
      'a/y.json': 'y',
      'README.md': 'no',
      '.git/x.yaml': 'no',
      'node_modules/x.yaml': 'no',
    });
    await symlink(join(folder, 'b.yaml'), join(folder, 'link.yaml'));
    const files = await readFiles([folder], bytes());
    expect(files.map(({ path, text }) => [path.slice(folder.length + 1), text])).toEqual([
      ['a/y.json', 'y'],
      ['a/z.yml', 'z'],
      ['b.yaml', 'b'],
    ]);
  });

  it('are a file of any name, and the standard input', async () => {
    const folder = await folderWith({ manifests: 'one' });
    const files = await readFiles([join(folder, 'manifests'), '-'], bytes('tw', 'o'));
    expect(files.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(files[1]?.path).toBe('stdin');
  });

  it.each([
    ['a file that is not there', 'missing.yaml', /cannot read .*missing\.yaml/, /ENOENT/],
    ['a folder without manifests', '.', /no manifests in/, /\.yaml, \.yml or \.json/],
    ['a file that is no text', 'binary', /no UTF-8/, /^$/],
  ])('are refused: %s', async (_, name, what, why) => {
    const folder = await folderWith({ binary: Uint8Array.of(0xff, 0xfe) });
    const error = await readFiles([join(folder, name)], bytes()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'CliProblem', message: expect.stringMatching(what) as string });
    expect((error as { why: string[] }).why.join('\n')).toMatch(why);
  });

  it('are refused where the standard input is named twice', async () => {
    await expect(readFiles(['-', '-'], bytes('x'))).rejects.toMatchObject({ exitCode: 2 });
  });

  it('are refused where they are larger than a source may be', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      const megabyte = new Uint8Array(1024 * 1024).fill(32);
      for (;;) yield await Promise.resolve(megabyte);
    }
    await expect(readFiles(['-'], endless())).rejects.toThrow(/larger than 64 MiB/);
  });
});
