import { expect, test } from 'vitest';
import { type RenderJob, runRender } from '../../../../engine/render/job.ts';

function job(content: string, password: string): RenderJob {
  return {
    source: { files: [{ path: 'a.yaml', content }], content: {} },
    targetNamespace: 'shop',
    mutations: [],
    allowEmpty: false,
    variables: new Map([['password', password]]),
    secret: new Set(['password']),
    scopes: new Map([['/ConfigMap', 'Namespaced']]),
    labels: { always: {}, defaults: {} },
  };
}

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n';

test('what is wrong with a source is told without the values of Secrets', () => {
  const outcome = runRender(job(`${HEAD}data: [\${password}\n`, 'hunter2'));
  expect(outcome).toEqual({ refused: expect.stringContaining('a.yaml:') as string });
  expect(JSON.stringify(outcome)).not.toContain('hunter2');
});

test('a value of a Secret that breaks the source is not told, only whose it is', () => {
  const outcome = runRender(job(`${HEAD}data: {text: \${password}}\n`, 'hunter2}: ['));
  expect(JSON.stringify(outcome)).not.toContain('hunter2');
  expect(outcome).toEqual({ refused: expect.stringContaining('Secrets give to password') as string });
});
