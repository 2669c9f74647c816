import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReleaseSpec } from '../../../api/release.ts';
import type { Cluster } from '../../controlplane/fixture.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { CANARY } from '../../support/canary.ts';
import { useController } from '../../support/controllerProcess.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, NAME, Releases } from '../controller/fixture.ts';
import { type Answer, useConvoy } from './plugin.ts';

const cluster: Cluster = useCluster();
const namespace = useNamespace(cluster);
const releases = new Releases(cluster, namespace, useController(cluster));
const convoy = useConvoy(cluster);

const diff = (...args: string[]): Promise<Answer> =>
  convoy(['release', 'diff', NAME, '-n', namespace(), ...args]);

interface Item {
  object: { kind: string; name: string };
  wave: number;
  action: string;
  message?: string;
  changes: { path: string; before?: unknown; after?: unknown }[];
}

async function items(
  ...args: string[]
): Promise<{ code: number; items: Item[]; differs: boolean; stderr: string }> {
  const { code, stdout, stderr } = await diff('-o', 'json', ...args);
  return { code, stderr, ...(JSON.parse(stdout) as { items: Item[]; differs: boolean }) };
}

/** A Release that is applied, and suspended since, so that what is tested stays as it is. */
async function applied(inline: string, spec: Partial<ReleaseSpec> = {}): Promise<void> {
  const syncPolicy = { prune: { orphaned: true } };
  await releases.create({ source: { inline }, syncPolicy, ...spec });
  await releases.ready('Applied');
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
}

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-diff-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'given.yaml');
  await writeFile(path, text);
  return path;
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {convoy.kumodo.io/sync-wave: "1"}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example/web:1", ports: [{containerPort: 80}]}]}
`;

const groupIn = (home: string): string => `${home.replaceAll(/[^a-z0-9]/g, '')}.example.com`;

function boats(home: string): string {
  const schema = '{type: object, properties: {spec: {type: object, properties: {length: {type: integer}}}}}';
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.${groupIn(home)}}
spec:
  group: ${groupIn(home)}
  scope: Namespaced
  names: {kind: Boat, plural: boats}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]
`;
}

function boat(home: string, spec: string): string {
  return `apiVersion: ${groupIn(home)}/v1\nkind: Boat\nmetadata: {name: tug}\nspec: {${spec}}\n`;
}

describe('kubectl convoy release diff', () => {
  it('finds no difference after a sync, and ends with 0', async () => {
    await releases.create({ source: { inline: documents(configMapYaml('a'), DEPLOYMENT) } });
    await releases.ready('Applied');
    const { code, stdout, stderr } = await diff('--live');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('no difference: a sync would change none of 2 objects\n');
  });

  it('shows what would be created, changed and deleted, in order of waves', async () => {
    await applied(documents(configMapYaml('settings', { LEVEL: 'info' }), configMapYaml('old'), DEPLOYMENT));
    await releases.inline(
      documents(
        configMapYaml('settings', { LEVEL: 'debug' }),
        configMapYaml('fresh'),
        DEPLOYMENT.replace('web:1', 'web:2'),
      ),
    );
    const { code, stdout, stderr } = await diff();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n').filter((line) => /\(wave \d\)/.test(line))).toEqual([
      `ConfigMap fresh in ${namespace()} (wave 0): would be created`,
      `ConfigMap old in ${namespace()} (wave 0): would be deleted: it is no longer in the source`,
      `ConfigMap settings in ${namespace()} (wave 0): would change`,
      `apps/Deployment web in ${namespace()} (wave 1): would change`,
    ]);
    expect(stdout).toContain('-  LEVEL: info\n+  LEVEL: debug\n');
    expect(stdout).toMatch(/- {8}- image: registry.example\/web:1\n\+ {8}- image: registry.example\/web:2\n/);
    expect(stdout).toMatch(/1 would be created, 2 would change, 1 would be deleted\n$/);
    expect(await releases.find('configmaps/fresh')).toBeUndefined();
    expect(await releases.find('configmaps/old')).toBeDefined();
  });

  it('shows what others have changed, and not what nobody has asked for', async () => {
    await applied(documents(configMapYaml('a'), DEPLOYMENT));
    await cluster.kubectl('-n', namespace(), 'scale', 'deployment/web', '--replicas=5');
    await releases.patchConfigMap('a', { metadata: { labels: { theirs: 'kept' } } });
    const { code, items: found } = await items();
    expect(code).toBe(1);
    expect(found).toMatchObject([
      {
        object: { group: 'apps', kind: 'Deployment', name: 'web', namespace: namespace() },
        wave: 1,
        action: 'change',
        changes: [{ path: '/spec/replicas', before: 5, after: 2 }],
      },
    ]);
  });

  it('tells a refused object with the words of the server, goes on with the rest, and ends with 2', async () => {
    await applied(DEPLOYMENT);
    await releases.inline(
      documents(
        configMapYaml('fresh'),
        DEPLOYMENT.replaceAll('app: web', 'app: other'),
        DEPLOYMENT.replace('name: web,', 'name: misspelt,').replace('replicas:', 'replcas:'),
      ),
    );
    const { code, stdout, stderr } = await diff();
    expect(code).toBe(2);
    expect(stdout).toContain(`ConfigMap fresh in ${namespace()} (wave 0): would be created`);
    expect(stdout).toMatch(
      /Deployment web in \S+ \(wave 1\): is refused: spec.selector: .*immutable.*Recreate/,
    );
    expect(stdout).toMatch(/Deployment misspelt in \S+ \(wave 1\): is refused: .*\.spec\.replcas/);
    expect(stderr).toContain('2 objects refused');
  });

  it('tells what the update policies would do', async () => {
    const recreate = DEPLOYMENT.replace(
      'annotations: {',
      'annotations: {convoy.kumodo.io/update-policy: Recreate, ',
    );
    const once = configMapYaml('seed').replace(
      '{name: seed}',
      '{name: seed, annotations: {convoy.kumodo.io/update-policy: Once}}',
    );
    await applied(documents(recreate, once));
    await releases.inline(
      documents(recreate.replaceAll('app: web', 'app: other'), once.replace('value', 'other')),
    );
    const { code, stdout } = await diff();
    expect(code).toBe(1);
    expect(stdout).toMatch(/Deployment web in \S+ \(wave 1\): would be deleted and created again\n/);
    expect(stdout).toMatch(/seed in \S+ \(wave 0\): stays as it is\n {2}it differs, and is left as it is/);
  });

  it('shows types and namespaces with what needs them, before they are there', async () => {
    const home = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${namespace()}-more}\n`;
    const inside = configMapYaml('inside').replace(
      '{name: inside}',
      `{name: inside, namespace: ${namespace()}-more}`,
    );
    const inline = documents(boats(namespace()), boat(namespace(), 'length: 12'), home, inside);
    await releases.create({ source: { inline }, suspend: true });
    const { code, items: found, stderr } = await items();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(found.map(({ object, action }) => `${object.kind} ${action}`).sort()).toEqual([
      'Boat create',
      'ConfigMap create',
      'CustomResourceDefinition create',
      'Namespace create',
    ]);
  });

  it('shows what an object becomes under the type that the same render changes', async () => {
    await applied(documents(boats(namespace()), boat(namespace(), 'length: 12')));
    const wider = boats(namespace()).replace(
      'length: {type: integer}',
      'length: {type: integer}, width: {type: integer}',
    );
    await releases.inline(documents(wider, boat(namespace(), 'length: 12, width: 3')));
    const { code, items: found } = await items();
    expect(code).toBe(1);
    expect(found).toMatchObject([
      { object: { kind: 'CustomResourceDefinition' }, action: 'change' },
      { object: { kind: 'Boat' }, action: 'change', changes: [{ path: '/spec/width', after: 3 }] },
    ]);
    await releases.inline(documents(boats(namespace()), boat(namespace(), 'length: 12, depth: 3')));
    expect((await items()).items).toMatchObject([{ object: { kind: 'Boat' }, action: 'refused' }]);
  });

  it('keeps a type of which others have made objects', async () => {
    await applied(documents(configMapYaml('a'), boats(namespace())));
    await releases.inline(configMapYaml('a'));
    expect((await items()).items).toMatchObject([
      { object: { kind: 'CustomResourceDefinition' }, action: 'delete' },
    ]);
    await cluster.kubectl('apply', '-n', namespace(), '-f', await file(boat(namespace(), 'length: 1')));
    expect((await items()).items).toMatchObject([
      { action: 'refused', message: expect.stringContaining('1 instance of it would go with it') as string },
    ]);
  });

  it('tells values of Secrets in no output, wherever the render puts them', async () => {
    await cluster.api.must('POST', `/api/v1/namespaces/${namespace()}/secrets`, {
      metadata: { name: 'vars' },
      stringData: { PASS: CANARY },
    });
    const secret = (value: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {token: "${value}", plain: "${CANARY}-own"}\n`;
    const source = (text: string, value = 'one'): string =>
      documents(configMapYaml('copy', { url: `db://app:\${PASS}@db/${text}`, open: text }), secret(value));
    const content = { variablesFrom: [{ kind: 'Secret' as const, name: 'vars' }] };
    await applied(source('a'), { content });
    await cluster.api.must('PATCH', `/api/v1/namespaces/${namespace()}/secrets/vars`, {
      data: { PASS: Buffer.from(`${CANARY}-2`).toString('base64') },
    });
    await releases.inline(
      documents(
        source('b', `${CANARY}-three`),
        configMapYaml('bad', { x: '${PASS}' }).replace('\ndata:', '\ndta:'),
      ),
    );
    const answers = await Promise.all([diff(), diff('-o', 'json'), diff('-o', 'yaml')]);
    for (const { code, stdout, stderr } of answers) {
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain(CANARY);
      expect(stdout + stderr).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 20));
      expect(stdout).toContain('(hidden, before)');
      expect(stdout).toContain('copy');
    }
    expect(answers[0].stdout).toContain(
      '-  open: a\n-  url: (hidden, before)\n+  open: b\n+  url: (hidden, after)\n',
    );
    expect(answers[0].stdout).toContain('-  token: (hidden, before)\n+  token: (hidden, after)\n');
  });

  it('takes manifests or a Release from a file in place of what is there', async () => {
    await applied(configMapYaml('a', { key: 'one' }), {
      mutations: [{ type: 'labels' as const, labels: { team: 'blue' } }],
    });
    const manifests = await file(configMapYaml('a', { key: 'two' }));
    const changed = await items('-f', manifests);
    expect(changed).toMatchObject({
      code: 1,
      items: [{ action: 'change', changes: [{ path: '/data/key', after: 'two' }] }],
    });
    const release = await file(
      JSON.stringify({
        apiVersion: 'core.convoy.kumodo.io/v1alpha1',
        kind: 'Release',
        metadata: { name: NAME },
        spec: { source: { inline: configMapYaml('b') } },
      }),
    );
    const { items: found } = await items('-f', release);
    expect(found.map(({ object, action }) => `${object.name} ${action}`)).toEqual(['a leave', 'b create']);
    expect(await diff('-f', manifests, '--live')).toMatchObject({ code: 2, stdout: '' });
    expect(await convoy(['release', 'diff', 'another', '-n', namespace(), '-f', release])).toMatchObject({
      code: 2,
    });
  });

  it('keeps what is not to be pruned, and says why', async () => {
    const kept = configMapYaml('kept').replace(
      '{name: kept}',
      '{name: kept, annotations: {convoy.kumodo.io/prune: disabled}}',
    );
    await applied(documents(configMapYaml('a'), configMapYaml('b'), kept));
    const fewer = await file(configMapYaml('a'));
    expect((await items('-f', fewer)).items.map(({ object, action }) => `${object.name} ${action}`)).toEqual([
      'b delete',
      'kept leave',
    ]);
    await releases.patch({ spec: { syncPolicy: { prune: { orphaned: false } } } });
    const { items: left } = await items('-f', fewer);
    expect(left.map(({ action }) => action)).toEqual(['leave', 'leave']);
  });

  it('reads a source as the controller does: selected ConfigMaps, variables and mutations', async () => {
    const label = { source: 'diff' };
    await releases.createConfigMap(
      'one',
      { data: { 'a.yaml': configMapYaml('a', { key: '${NAME}' }) } },
      label,
    );
    await releases.createConfigMap('two', { data: { 'b.yaml': configMapYaml('b') } }, label);
    await releases.create({
      source: { configMap: { selector: { matchLabels: label } } },
      content: { variables: { NAME: 'blue' } },
      mutations: [{ type: 'labels' as const, labels: { team: 'blue' } }],
    });
    await releases.ready('Applied');
    expect(await diff()).toMatchObject({ code: 0 });
    await releases.patch({ spec: { suspend: true, content: { variables: { NAME: 'green' } } } });
    const { items: found } = await items();
    expect(found).toMatchObject([
      { object: { name: 'a' }, changes: [{ path: '/data/key', before: 'blue', after: 'green' }] },
    ]);
  });

  it('leaves what another Release holds, and says whose it is', async () => {
    await applied(configMapYaml('a'));
    await releases.create(
      { source: { inline: configMapYaml('a', { key: 'mine' }) }, suspend: true },
      { name: 'second' },
    );
    const { code, stdout } = await convoy(['release', 'diff', 'second', '-n', namespace()]);
    expect(code).toBe(2);
    expect(stdout).toContain(`is refused: it belongs to the Release ${NAME} in ${namespace()}`);
  });

  it('knows what is taken over from kubectl, and goes when the Release adopts it', async () => {
    const web = DEPLOYMENT.replace('replicas: 2', 'replicas: 2\n  minReadySeconds: 7');
    const adopted = await file(documents(configMapYaml('a', { key: 'theirs', extra: 'gone' }), web));
    await cluster.kubectl('apply', '-n', namespace(), '-f', adopted);
    await releases.create({ source: { inline: configMapYaml('a', { key: 'ours' }) }, suspend: true });
    const { items: found } = await items();
    expect(found).toMatchObject([
      { action: 'change', message: expect.stringContaining('adopted') as string },
    ]);
    expect(found[0]?.changes).toContainEqual({ path: '/data/extra', before: 'gone' });
    await releases.patch({ spec: { suspend: false } });
    await releases.ready('Applied');
    expect(await releases.find('configmaps/a')).toMatchObject({ data: { key: 'ours' } });
    expect((await releases.find('configmaps/a'))?.['data']).not.toHaveProperty('extra');
  });

  it('says which right is lacking, object by object, and ends with 2', async () => {
    await applied(documents(configMapYaml('a'), DEPLOYMENT));
    await cluster.api.must('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace()}/roles`, {
      metadata: { name: 'reader' },
      rules: [
        { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] },
      ],
    });
    await cluster.api.must(
      'POST',
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace()}/rolebindings`,
      {
        metadata: { name: 'reader' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
      },
    );
    const { code, stdout, stderr } = await diff('--as', 'reader', '--as-group', 'system:authenticated');
    expect(code).toBe(2);
    expect(stdout).toContain(`cannot be told: you may not patch deployments.apps in ${namespace()}`);
    expect(stderr).toContain(`you may not patch deployments.apps in ${namespace()}`);
    const nobody = await diff('--as', 'nobody', '--as-group', 'system:authenticated');
    expect(nobody).toMatchObject({ code: 2, stdout: '' });
    expect(nobody.stderr).toContain('cannot get resource "releases"');
  });

  it('lets no object write to the terminal, and paints only where it is asked to', async () => {
    const evil = configMapYaml('evil', { text: 'TEXT' }).replace('TEXT', '\\e]0;owned\\a31m\\u202e');
    await releases.create({ source: { inline: evil }, suspend: true });
    const { stdout } = await diff();
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    const { stdout: painted } = await diff('--color', 'always');
    expect(painted).toContain('\u001b[32m+');
  });

  it('ends with 2 for a Release that is not there, and for a source that is not', async () => {
    expect(await diff()).toMatchObject({ code: 2, stdout: '' });
    await releases.create({ source: { configMap: { name: 'absent' } }, suspend: true });
    const { code, stderr } = await diff();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /error: the source of app in .* cannot be read\n {2}why: the source ConfigMap absent/,
    );
  });
});

describe('kubectl convoy waves plan NAME', () => {
  it('plans a Release by what its source and its variables hold now', async () => {
    await cluster.api.must('POST', `/api/v1/namespaces/${namespace()}/secrets`, {
      metadata: { name: 'vars' },
      stringData: { WAVE: '7' },
    });
    const late = configMapYaml('late').replace(
      '{name: late}',
      '{name: late, annotations: {convoy.kumodo.io/sync-wave: "${WAVE}"}}',
    );
    await releases.createConfigMap('source', {
      data: { 'all.yaml': documents(configMapYaml('first'), late) },
    });
    await releases.create({
      source: { configMap: { name: 'source' } },
      content: { variablesFrom: [{ kind: 'Secret', name: 'vars' }] },
      suspend: true,
    });
    const { code, stdout, stderr } = await convoy(['waves', 'plan', NAME, '-n', namespace()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^2 objects in 2 waves\n\nWave 0: 1 object\n(.*\n)*Wave 7: 1 object/);
    const both = await convoy(['waves', 'plan', NAME, '-f', '-'], { stdin: late });
    expect(both).toMatchObject({ code: 2, stdout: '' });
  });
});
