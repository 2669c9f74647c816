import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyString } from '../../../api/object.ts';
import { orderProblems } from '../../../engine/plan/order.ts';
import { planOf } from '../../../engine/plan/plan.ts';
import { renderRefOf } from '../../../engine/render/digest.ts';
import type { SourceFile } from '../../../engine/render/files.ts';
import { parseJson, toJson } from '../../../engine/render/json.ts';
import { render } from '../../../engine/render/render.ts';
import { OPTIONS } from './render/support.ts';

/** Manifests that people really use; they lie beside the repository. */
const DATA = join(import.meta.dirname, '../../../../shared/data/manifests');
const isMissing = !existsSync(DATA);

test.runIf(isMissing)('the manifests to test with are there', ({ skip }) => {
  expect(process.env['CI'], `${DATA} is missing`).toBeUndefined();
  skip(`${DATA} is missing: the tests on real manifests do not run`);
});

function load(name: string): SourceFile[] {
  const folder = join(DATA, name);
  return globSync('**/*.{yaml,yml,json}', { cwd: folder }).map((path) => ({
    path,
    content: readFileSync(join(folder, path)),
  }));
}

describe.skipIf(isMissing)('kube-prometheus', () => {
  let files: SourceFile[] = [];
  beforeAll(() => {
    files = load('kube-prometheus');
  });

  test('its 131 objects are planned once each, CRDs and namespaces before what needs them', () => {
    const { objects } = render(files, {}, OPTIONS);
    expect(objects).toHaveLength(131);
    expect(orderProblems(objects)).toEqual([]);
    const { waves } = planOf(objects);
    expect(
      waves.map(({ number, stages }) => [
        number,
        ...stages.map(({ name, objects: inStage }) => `${name} ${inStage.length}`),
      ]),
    ).toEqual([
      [
        0,
        'Namespaces 1',
        'Types 10',
        expect.stringMatching(/^Prerequisites/),
        expect.stringMatching(/^Regular/),
        'Late 1',
        expect.stringMatching(/^Instances/),
      ],
    ]);
    const planned = waves.flatMap(({ stages }) => stages.flatMap((stage) => stage.objects));
    expect(new Set(planned.map(({ key }) => keyString(key))).size).toBe(131);
  });

  test('each object survives the way through JSON text', () => {
    const { objects } = render(files, {}, OPTIONS);
    const copies = objects.map((object) => parseJson(toJson(object)) as typeof object);
    expect(renderRefOf(copies)).toBe(renderRefOf(objects));
  });
});

describe.skipIf(isMissing).each([
  ['online-boutique', 30],
  ['podinfo', 3],
  ['ingress-nginx', 15],
])('%s', (name, atLeast) => {
  test('every object has its place', () => {
    const { objects } = render(load(name), {}, OPTIONS);
    expect(objects.length).toBeGreaterThanOrEqual(atLeast);
    expect(orderProblems(objects)).toEqual([]);
    const planned = planOf(objects).waves.flatMap(({ stages }) => stages.flatMap((stage) => stage.objects));
    expect(planned).toHaveLength(objects.length);
  });
});
