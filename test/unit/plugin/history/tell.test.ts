import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { secrecyOf } from '../../../../plugin/diff/secrecy.ts';
import { diffOfRenders, toldObject } from '../../../../plugin/history/tell.ts';
import { historyDiffPage } from '../../../../plugin/views/historyDiffPage.ts';
import { digest, NOW } from '../release.ts';

function map(name: string, data: object): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'apps' }, data };
}

const PLAIN = secrecyOf({ blind: undefined, secrets: [] });
const NOTHING_TOLD = secrecyOf({ blind: undefined, secrets: [], source: [] });

describe('a stored render', () => {
  it('is told as it is where nothing comes from Secrets, but for Secrets', () => {
    const settings = map('settings', { colour: 'red' });
    expect(toldObject(settings, PLAIN)).toEqual(settings);
    const secret = { ...map('shop', { password: 'aHVudGVyMg==' }), kind: 'Secret' };
    expect(toldObject(secret, PLAIN)).toMatchObject({ data: { password: '(hidden)' } });
  });

  it('is told by its keys alone where nobody can say what comes from Secrets', () => {
    expect(toldObject(map('settings', { colour: 'red' }), NOTHING_TOLD)).toEqual({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', hidden: '(hidden)' },
      metadata: { name: 'settings', namespace: 'apps' },
    });
  });

  it('hides what its source takes from Secrets, and what its source has no more', () => {
    const source = [map('settings', { url: 'new-value', colour: 'red' })];
    const blind = [map('settings', { url: 'xxx-xxxxx', colour: 'red' })];
    const secrecy = secrecyOf({
      ...{ secrets: ['new-value'], source },
      blind: { renderRef: '', objects: blind, bodies: new Map(), warnings: [], unknown: new Set() },
    });
    const was = [map('settings', { url: 'old-value', colour: 'blue' }), map('gone', { key: 'old-value' })];
    expect(was.map((object) => toldObject(object, secrecy))).toEqual([
      map('settings', { url: '(hidden)', colour: 'blue' }),
      expect.objectContaining({ hidden: '(hidden)' }) as unknown,
    ]);
    const differ = diffOfRenders(was, source, secrecy);
    expect(JSON.stringify(differ)).not.toMatch(/old-value|new-value/);
  });
});

describe('two renders against each other', () => {
  const before = [map('a', { v: '1' }), map('b', { v: '1' }), map('c', { v: '1' })];
  const after = [map('b', { v: '2' }), map('c', { v: '1' }), map('d', { v: '1' })];

  it('are told object by object', () => {
    const objects = diffOfRenders(before, after, PLAIN);
    expect(objects.map(({ key, action }) => [key.name, action])).toEqual([
      ['a', 'removed'],
      ['b', 'changed'],
      ['c', 'unchanged'],
      ['d', 'added'],
    ]);
    const [from, to] = [
      { renderRef: digest('a'), number: 1 },
      { renderRef: digest('b'), number: undefined },
    ];
    const page = historyDiffPage(
      { before: from, after: to, objects, notes: ['a note'] },
      { now: NOW, width: 100, paint: plain },
    );
    const text = page.join('\n');
    expect(text).toContain(
      'ConfigMap b in apps: changed\n--- history 1 (sha256:aaaaaaaaaaaa)\n+++ sha256:bbbbbbbbbbbb\n',
    );
    expect(text).toContain('-  v: "1"\n+  v: "2"');
    expect(page.at(-1)).toBe(
      '1 added, 1 removed, 1 changed from history 1 (sha256:aaaaaaaaaaaa) to sha256:bbbbbbbbbbbb; 1 object the same',
    );
  });
});
