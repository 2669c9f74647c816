import { describe, expect, test } from 'vitest';
import { render } from '../../../../engine/render/render.ts';
import { file, messageOf, OPTIONS } from './support.ts';

const rendered = (text: string, options = OPTIONS) => render(file(text), {}, options);
const refusal = (text: string, options = OPTIONS) => messageOf(() => rendered(text, options));
const config = (name: string, rest = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${rest}}\n`;
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  scope: Cluster
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true}]
`;
const WIDGET = 'apiVersion: x.io/v1\nkind: Widget\nmetadata: {name: w}\n';

describe('namespaces', () => {
  test('a namespaced object without one gets the target namespace', () => {
    expect(rendered(config('a')).objects[0]?.metadata.namespace).toBe('apps');
  });

  test('an empty one counts as none', () => {
    expect(rendered(config('a', ', namespace: ""')).objects[0]?.metadata.namespace).toBe('apps');
  });

  test('one that is written stays', () => {
    expect(rendered(config('a', ', namespace: b')).objects[0]?.metadata.namespace).toBe('b');
  });

  test('a cluster-scoped object loses its own, with a warning', () => {
    const { objects, warnings } = rendered(
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a, namespace: b}\n',
    );
    expect(objects[0]?.metadata).toEqual({ name: 'a' });
    expect(warnings).toEqual([
      'f.yaml:1: Namespace a in b: the kind has no namespace, so metadata.namespace is left out',
    ]);
  });

  test('a CRD of the render tells the scope of its instances', () => {
    const { objects } = rendered(`${CRD}---\n${WIDGET}`);
    expect(objects.map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
      ['CustomResourceDefinition', undefined],
      ['Widget', undefined],
    ]);
  });

  test('a kind that neither the cluster nor the render knows is refused', () => {
    expect(refusal(WIDGET)).toBe(
      'f.yaml:1: x.io/Widget w: the cluster has no kind Widget in x.io/v1: correct apiVersion and kind, or bring its CustomResourceDefinition in this render',
    );
  });

  test('or kept and handed back, where somebody can wait for it', () => {
    const { objects, unknown } = rendered(WIDGET, { ...OPTIONS, unknownKinds: 'keep' });
    expect(unknown).toEqual(objects);
    expect(unknown.map(({ metadata }) => metadata)).toEqual([{ name: 'w' }]);
  });

  test('and given a namespace, where it is to be applied as soon as something brings it', () => {
    const { unknown } = rendered(WIDGET, { ...OPTIONS, unknownKinds: 'assume' });
    expect(unknown.map(({ metadata }) => metadata)).toEqual([{ name: 'w', namespace: 'apps' }]);
  });
});

describe('duplicates', () => {
  test('two documents of one object are refused, and both are named', () => {
    expect(refusal(`${config('a')}---\n${config('a')}`)).toBe(
      'f.yaml:5: ConfigMap a in apps stands in this render twice, the first time at f.yaml:1: remove one of the two, or give it another name',
    );
  });

  test('also where the target namespace makes them one', () => {
    expect(refusal(`${config('a')}---\n${config('a', ', namespace: apps')}`)).toMatch(/twice/);
  });

  test('also in two API versions', () => {
    const hpa = (version: string) =>
      `apiVersion: autoscaling/${version}\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\n`;
    expect(refusal(`${hpa('v1')}---\n${hpa('v2')}`)).toMatch(
      /autoscaling\/HorizontalPodAutoscaler a in apps stands/,
    );
  });

  test('the same name in two namespaces, groups or kinds is none', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n';
    expect(
      rendered(`${config('a')}---\n${config('a', ', namespace: b')}---\n${secret}`).objects,
    ).toHaveLength(3);
  });
});

describe('what server-side apply needs written out', () => {
  test('stringData of a Secret is folded into data and wins over it', () => {
    const [secret] = rendered(
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {k: b2xk, l: bA==}\nstringData: {k: "né"}\n',
    ).objects;
    expect(secret).not.toHaveProperty('stringData');
    expect(secret?.['data']).toEqual({ k: Buffer.from('né').toString('base64'), l: 'bA==' });
  });

  test('an empty stringData leaves no trace', () => {
    const [secret] = rendered('apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n').objects;
    expect(secret).toEqual({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'apps' } });
  });

  test('stringData that is no text is refused', () => {
    expect(refusal('apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {port: 80}\n')).toMatch(
      /^f\.yaml:1: stringData "port" is not text: put it in quotes$/,
    );
  });

  test('a kind of another group that is called Secret is left alone', () => {
    const [secret] = rendered(
      'apiVersion: apps/v1\nkind: Secret\nmetadata: {name: a}\nstringData: {k: v}\n',
    ).objects;
    expect(secret?.['stringData']).toEqual({ k: 'v' });
  });

  test('ports of a Service without a protocol get TCP', () => {
    const [service] = rendered(
      'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 80\n  - {port: 53, protocol: UDP}\n',
    ).objects;
    expect(service?.['spec']).toEqual({
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
    });
  });

  test.each([
    ['v1', 'Pod', ''],
    ['apps/v1', 'Deployment', 'template: {spec: '],
    ['apps/v1', 'StatefulSet', 'template: {spec: '],
    ['apps/v1', 'DaemonSet', 'template: {spec: '],
    ['batch/v1', 'Job', 'template: {spec: '],
    ['batch/v1', 'CronJob', 'jobTemplate: {spec: {template: {spec: '],
  ])('container ports of a %s %s without a protocol get TCP', (apiVersion, kind, open) => {
    const spec = `${open}{initContainers: [{name: i, ports: [{containerPort: 1}]}], containers: [{name: c}, {name: d, ports: [{containerPort: 2}]}]}`;
    const braces = '}'.repeat(open.split('{').length - 1);
    const [object] = rendered(
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: ${open === '' ? spec : `{${spec}${braces}}`}\n`,
    ).objects;
    expect(JSON.stringify(object).match(/"protocol":"TCP"/g)).toHaveLength(2);
  });
});

describe('the render as a whole', () => {
  test('objects come in the order of group, kind, namespace, name, whatever file they are in', () => {
    const files = [
      { path: 'a.yaml', content: config('z') },
      {
        path: 'b.yaml',
        content: `${config('a')}---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n`,
      },
    ];
    expect(render(files, {}, OPTIONS).objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'z', 'd']);
  });

  test('problems of all files come in one error', () => {
    const files = [
      { path: 'a.yaml', content: 'a: b\n' },
      { path: 'b.yaml', content: 'x: [\n' },
      { path: 'c.yaml', content: WIDGET },
    ];
    const lines = messageOf(() => render(files, {}, OPTIONS)).split('\n');
    expect(lines.map((line) => line.slice(0, 6))).toEqual(['a.yaml', 'a.yaml', 'a.yaml', 'b.yaml', 'c.yaml']);
  });

  test('an empty render is refused unless it is meant', () => {
    expect(refusal('# nothing\n')).toMatch(/^the source: there is no object in it, .*allow-empty: "true"/);
    const hook =
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, annotations: {convoy.kumodo.io/hook: preSync}}\n';
    expect(refusal(hook)).toMatch(/^the source: there is nothing but hooks in it, .*allow-empty: "true"/);
    expect(rendered('# nothing\n', { ...OPTIONS, allowEmpty: true }).objects).toEqual([]);
  });

  test('another content type is refused', () => {
    expect(messageOf(() => render(file(config('a')), { type: 'cue' }, OPTIONS))).toMatch(
      /^content\.type: "cue"/,
    );
  });

  test('more text or objects than the limit are refused', () => {
    const limited = (limits: object) => refusal(`${config('a')}---\n${config('b')}`, { ...OPTIONS, limits });
    expect(limited({ objects: 1 })).toMatch(/^f\.yaml: there are more than 1 objects/);
    expect(limited({ text: 20 })).toMatch(/^f\.yaml: the source is over the limit of 20 characters/);
  });
});
