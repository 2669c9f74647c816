import { describe, expect, it } from 'vitest';
import type { Source } from '../../../../api/release.ts';
import { shortDigest, sourceText } from '../../../../plugin/views/sourceText.ts';

describe('a source', () => {
  it.each<[Source, string]>([
    [{ inline: 'é' }, 'inline, 2 bytes'],
    [{ inline: 'x'.repeat(2048) }, 'inline, 2.0 KiB'],
    [{ configMap: { name: 'web' } }, 'ConfigMap web'],
    [{ configMap: { name: 'web', key: 'all.yaml' } }, 'ConfigMap web, key all.yaml'],
    [
      { configMap: { selector: { matchLabels: { app: 'web', tier: 'a' } } } },
      'ConfigMaps selected by app=web,tier=a',
    ],
    [{ oci: { url: 'oci://r/web', tag: '1.2' } }, 'oci://r/web (tag 1.2)'],
    [{ git: { url: 'https://g/web', branch: 'main' } }, 'git https://g/web (branch main)'],
    [{ http: { url: 'https://h/web.tar.gz' } }, 'https://h/web.tar.gz'],
    [{ flux: { kind: 'GitRepository', name: 'web' } }, 'GitRepository web'],
    [{}, 'none: spec.source names no source'],
  ])('%j reads %s', (source, text) => {
    expect(sourceText(source)).toBe(text);
  });
});

describe('a digest', () => {
  it.each([
    [`sha256:${'a1'.repeat(32)}`, 'sha256:a1a1a1a1a1a1'],
    [`main@sha1:${'b2'.repeat(20)}`, 'main@sha1:b2b2b2b2b2b2'],
    ['1.2.3', '1.2.3'],
    ['deadbeef', 'deadbeef'],
  ])('%s is shown as %s', (digest, text) => {
    expect(shortDigest(digest)).toBe(text);
  });
});
