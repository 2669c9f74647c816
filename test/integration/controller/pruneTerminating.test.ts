import { expect, test } from 'vitest';
import { createNamespace } from '../../controlplane/fixture.ts';
import { configMapYaml, readyMessage, releasesPath } from '../../support/releases.ts';
import { condition, documents, NAME, namesIn, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml, namespaceYaml } from './objects.ts';

const releases = useReleases();

const PRUNE = { prune: { orphaned: true } };
const KEEP = configMapYaml('keep');
const HOLD = 'test.convoy.kumodo.io/hold';

/** An object that somebody is deleting, and that a finalizer holds. */
interface Held {
  source: string;
  /** What the Release waits for, as messages name it. */
  name: string;
  /** What says why. */
  says: string;
  /** Deletes it, as somebody else. */
  remove: () => Promise<void>;
  letGo: () => Promise<void>;
}

const api = () => releases.cluster.api;
const remove = (path: string) => async (): Promise<void> => {
  await api().must('DELETE', path);
};
const letGo = (path: string) => async (): Promise<void> => {
  await api().must('PATCH', path, { metadata: { finalizers: null } });
};

function configMap(): Held {
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps/old`;
  return {
    source: configMapYaml(`old, finalizers: [${HOLD}]`),
    name: `ConfigMap old in ${releases.namespace}`,
    says: HOLD,
    remove: remove(path),
    letGo: letGo(path),
  };
}

function claim(): Held {
  const path = `/api/v1/namespaces/${releases.namespace}/persistentvolumeclaims/old`;
  return {
    source: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: old, finalizers: [${HOLD}]}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`,
    name: `PersistentVolumeClaim old in ${releases.namespace}`,
    says: HOLD,
    remove: remove(path),
    letGo: letGo(path),
  };
}

/** Held by what somebody else has put into it. */
async function namespace(): Promise<Held> {
  const name = await createNamespace(api());
  await api().must('POST', `/api/v1/namespaces/${name}/configmaps`, {
    metadata: { name: 'foreign', finalizers: [HOLD] },
  });
  return {
    source: namespaceYaml(name),
    name: `Namespace ${name}`,
    says: HOLD,
    remove: remove(`/api/v1/namespaces/${name}`),
    letGo: letGo(`/api/v1/namespaces/${name}/configmaps/foreign`),
  };
}

/** Held by an instance that somebody else has made. */
function type(): Held {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const boats = `/apis/${group}/v1/namespaces/${releases.namespace}/boats`;
  return {
    source: documents(boatCrdYaml(group), boatYaml(group, 'own')),
    name: `CustomResourceDefinition boats.${group}`,
    says: 'customresourcecleanup.apiextensions.k8s.io',
    remove: async () => {
      await api().must('POST', boats, {
        apiVersion: `${group}/v1`,
        kind: 'Boat',
        metadata: { name: 'foreign', finalizers: [HOLD] },
      });
      await api().must('DELETE', `${crds}/boats.${group}`);
    },
    letGo: letGo(`${boats}/foreign`),
  };
}

const CASES: readonly [string, () => Held | Promise<Held>][] = [
  ['a ConfigMap', configMap],
  ['a claim', claim],
  ['a Namespace', namespace],
  ['a CRD', type],
];

/** A Release of the object, which somebody else then begins to delete. */
async function terminating(make: () => Held | Promise<Held>): Promise<Held> {
  const held = await make();
  await releases.create({ source: { inline: documents(KEEP, held.source) }, syncPolicy: PRUNE });
  await releases.ready('Applied');
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
  await held.remove();
  return held;
}

// A claim is held as a ConfigMap is, and a prune waits ten seconds before it says so.
test.each(CASES.filter(([name]) => name !== 'a claim'))(
  'a prune waits for %s that somebody is deleting already, and names what holds it',
  async (_, make) => {
    const held = await terminating(make);
    await releases.patch({ spec: { suspend: false, source: { inline: KEEP } } });
    const blocked = await releases.ready('PruneFailed');
    expect(readyMessage(blocked)).toContain(`${held.name} is being deleted`);
    await releases.until((release) => condition(release, 'Ready')?.message?.includes(held.says) === true);
    expect(condition(blocked, 'Applied')).toMatchObject({ status: 'True' });
    expect((await releases.inventory()).flatMap(namesIn)).toHaveLength(2);
    await held.letGo();
    await releases.ready('Applied');
    expect((await releases.inventory()).flatMap(namesIn)).toEqual(['keep']);
  },
);

test.each(CASES)(
  'a deletion waits for %s that somebody is deleting already, and names what holds it',
  async (_, make) => {
    const held = await terminating(make);
    await api().must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
    const blocked = await releases.ready('Deleting');
    expect(readyMessage(blocked)).toContain(`${held.name} is being deleted`);
    await held.letGo();
    await api().waitForGone(releasesPath(releases.namespace), NAME);
    expect(await releases.inventory()).toEqual([]);
  },
);

test('a prune of what is gone already, of every kind, is a success', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const own = `${releases.namespace}-own`;
  const inline = documents(
    KEEP,
    configMapYaml('old'),
    namespaceYaml(own),
    boatCrdYaml(group),
    boatYaml(group, 'own'),
  );
  await releases.create({ source: { inline }, syncPolicy: PRUNE });
  await releases.ready('Applied');
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
  const names = [`configmap/old`, `namespace/${own}`, `crd/boats.${group}`];
  for (const name of names)
    await releases.cluster.kubectl('delete', '-n', releases.namespace, name, '--timeout=40s');
  await releases.patch({ spec: { suspend: false, source: { inline: KEEP } } });
  await releases.ready('Applied');
  expect((await releases.inventory()).flatMap(namesIn)).toEqual(['keep']);
});
