import { API_VERSION, type ConvoyKind } from '../../../api/group.ts';
import type { KubeObject } from '../../../api/object.ts';

/** An object that must be refused, by the CRD's rules and by the TypeScript side of the same schema, with the same message. */
export interface RefusedCase {
  name: string;
  object: KubeObject;
  path: string;
  message: string;
}

export const SHA = `sha256:${'0123456789abcdef'.repeat(4)}`;
const INLINE = { source: { inline: 'x' } };

export function convoyObject(kind: ConvoyKind, spec: unknown, name = 'example'): KubeObject {
  return { apiVersion: API_VERSION, kind, metadata: { name }, spec };
}

const release = (spec: object) => convoyObject('Release', { ...INLINE, ...spec });
const ofSource = (source: object) => convoyObject('Release', { source });
const ofMutation = (mutation: object) => release({ mutations: [mutation] });
const ofHook = (timeout: string) =>
  release({ lifecycleHooks: { preSync: [{ name: 'migrate', job: {}, timeout }] } });

const ONE_SOURCE = 'set exactly one of inline, configMap, oci, git, http and flux';
const ONE_CONFIG_MAP = 'set exactly one of name (one ConfigMap) and selector (several)';
const ONE_OCI = 'set exactly one of tag, semver and digest';
const ONE_GIT = 'set exactly one of branch, tag, semver and commit';
const FIELD_OF_TYPE =
  'set exactly the field of its type: waveStrategy for syncWave, for every other type the field of the same name';
const IMAGE = 'set at least one of newName, newTag and digest';
const NEEDS_DEADLINE =
  'failurePolicy.rollback other than Never needs healthAssessment.deadline: set the time after which the release counts as failed';
const POSITIVE = 'must be longer than 0s, for example 30s or 5m';
const INTERVAL = 'must be 1s or longer, for example 10m';
const ONE_PIN = 'set exactly one of renderRef and history';
const DECIDES = 'set at least one of degraded, progressing and healthy';

const oci = (how: object) => ofSource({ oci: { url: 'oci://registry.example/app', ...how } });
const git = (how: object) => ofSource({ git: { url: 'https://git.example/app', ...how } });

export const REFUSED: readonly RefusedCase[] = [
  { name: 'no source', object: ofSource({}), path: 'spec.source', message: ONE_SOURCE },
  {
    name: 'two sources',
    object: ofSource({ inline: 'x', configMap: { name: 'a' } }),
    path: 'spec.source',
    message: ONE_SOURCE,
  },
  {
    name: 'neither name nor selector',
    object: ofSource({ configMap: { key: 'a' } }),
    path: 'spec.source.configMap',
    message: ONE_CONFIG_MAP,
  },
  {
    name: 'name and selector',
    object: ofSource({ configMap: { name: 'a', selector: { matchLabels: { a: 'b' } } } }),
    path: 'spec.source.configMap',
    message: ONE_CONFIG_MAP,
  },
  { name: 'an artifact without a version', object: oci({}), path: 'spec.source.oci', message: ONE_OCI },
  {
    name: 'tag and semver of an artifact',
    object: oci({ tag: 'v1', semver: '1.x' }),
    path: 'spec.source.oci',
    message: ONE_OCI,
  },
  {
    name: 'tag and digest of an artifact',
    object: oci({ tag: 'v1', digest: SHA }),
    path: 'spec.source.oci',
    message: ONE_OCI,
  },
  { name: 'a repository without a revision', object: git({}), path: 'spec.source.git', message: ONE_GIT },
  {
    name: 'branch and commit',
    object: git({ branch: 'main', commit: 'a'.repeat(40) }),
    path: 'spec.source.git',
    message: ONE_GIT,
  },
  {
    name: 'a mutation without its field',
    object: ofMutation({ type: 'syncWave' }),
    path: 'spec.mutations[0]',
    message: FIELD_OF_TYPE,
  },
  {
    name: 'a mutation with the field of another type',
    object: ofMutation({ type: 'labels', labels: { a: 'b' }, annotations: { a: 'b' } }),
    path: 'spec.mutations[0]',
    message: FIELD_OF_TYPE,
  },
  {
    name: 'an image that stays as it is',
    object: ofMutation({ type: 'images', images: [{ name: 'nginx' }] }),
    path: 'spec.mutations[0].images[0]',
    message: IMAGE,
  },
  {
    name: 'a wave timeout of zero in a mutation',
    object: ofMutation({
      type: 'syncWave',
      waveStrategy: { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '0s' },
    }),
    path: 'spec.mutations[0].waveStrategy.timeout',
    message: POSITIVE,
  },
  {
    name: 'rollback on the deadline without health assessment',
    object: release({ failurePolicy: { rollback: 'OnReleaseFailure' } }),
    path: 'spec',
    message: NEEDS_DEADLINE,
  },
  {
    name: 'rollback on a failed wave without a deadline',
    object: release({ healthAssessment: {}, failurePolicy: { rollback: 'OnWaveFailure' } }),
    path: 'spec',
    message: NEEDS_DEADLINE,
  },
  {
    name: 'a deadline of zero',
    object: release({ healthAssessment: { deadline: '0s' } }),
    path: 'spec.healthAssessment.deadline',
    message: POSITIVE,
  },
  {
    name: 'a report interval under a second',
    object: release({ healthAssessment: { report: { podSelector: {}, port: 80, interval: '100ms' } } }),
    path: 'spec.healthAssessment.report.interval',
    message: INTERVAL,
  },
  {
    name: 'a local health rule that decides nothing',
    object: release({
      healthAssessment: { rules: [{ target: { group: '', kind: 'Pod' }, message: "'x'" }] },
    }),
    path: 'spec.healthAssessment.rules[0]',
    message: DECIDES,
  },
  {
    name: 'an interval under a second',
    object: release({ interval: '999ms' }),
    path: 'spec.interval',
    message: INTERVAL,
  },
  {
    name: 'a cluster wave timeout of zero',
    object: release({ syncPolicy: { waveStrategy: { timeout: '0h0m' } } }),
    path: 'spec.syncPolicy.waveStrategy.timeout',
    message: POSITIVE,
  },
  {
    name: 'a hook timeout of zero',
    object: ofHook('0s'),
    path: 'spec.lifecycleHooks.preSync[0].timeout',
    message: POSITIVE,
  },
  { name: 'a pin to nothing', object: release({ pin: { reason: 'x' } }), path: 'spec.pin', message: ONE_PIN },
  {
    name: 'a pin to two renders',
    object: release({ pin: { renderRef: SHA, history: 1 } }),
    path: 'spec.pin',
    message: ONE_PIN,
  },
  {
    name: 'a global health rule that decides nothing',
    object: convoyObject('GlobalHealthRuleSet', { rules: [{ target: { group: '', kind: 'Pod' } }] }),
    path: 'spec.rules[0]',
    message: DECIDES,
  },
];

/** One object of each kind with everything that can stand together set. */
export const ACCEPTED: readonly { name: string; object: KubeObject }[] = [
  { name: 'the least Release', object: convoyObject('Release', { source: { inline: '' } }) },
  {
    name: 'a Release with every part',
    object: convoyObject('Release', {
      source: { configMap: { selector: { matchLabels: { app: 'shop' } }, key: 'all.yaml' } },
      content: {
        path: './deploy',
        type: 'helm',
        helm: {
          releaseName: 'shop',
          values: { replicas: 3, nested: { list: [1, 'two', null] } },
          valuesFrom: [{ kind: 'Secret', name: 'values', key: 'values.yaml', optional: true }],
          includeCRDs: false,
        },
        variables: { version: '6.7.0' },
        variablesFrom: [{ kind: 'ConfigMap', name: 'more', optional: true }],
      },
      clusterRef: { name: 'prod' },
      serviceAccountName: 'deployer',
      targetNamespace: 'shop',
      interval: '1h30m',
      suspend: true,
      mutations: [
        {
          type: 'syncWave',
          target: { kind: 'Deployment', name: 'cart*', labelSelector: { matchLabels: { tier: 'back' } } },
          waveStrategy: { wave: -1, strategy: 'waitForHealthyWithTimeout', timeout: '1.5m' },
        },
        { type: 'labels', labels: { team: 'shop' } },
        { type: 'annotations', annotations: { 'example.com/owner': 'shop@example.com' } },
        { type: 'images', images: [{ name: 'nginx', newTag: '1.29' }] },
        { type: 'jsonPatch', jsonPatch: [{ op: 'add', path: '/spec/replicas', value: 3 }] },
        { type: 'mergePatch', mergePatch: { spec: { paused: null } } },
      ],
      healthAssessment: {
        deadline: '5m',
        globalRuleSetSelector: { matchLabels: { 'convoy.kumodo.io/rules': 'default' } },
        rules: [{ target: { group: 'example.com', kind: 'Shop' }, healthy: 'status.open' }],
        report: { podSelector: { matchLabels: { app: 'shop' } }, port: 8080, interval: '10s', via: 'direct' },
      },
      failurePolicy: { rollback: 'OnWaveFailure' },
      syncPolicy: {
        mode: 'Manual',
        defaultStrategy: 'waitForHealthy',
        waveStrategy: { wave: 2, strategy: 'waitForHealthyWithTimeout', timeout: '10m' },
        prune: { orphaned: true },
        deletionPolicy: 'Orphan',
      },
      lifecycleHooks: {
        preSync: [{ name: 'migrate', job: { template: { spec: {} } }, timeout: '5m', onFailure: 'Continue' }],
      },
      historyLimit: 50,
      pin: { history: 3, reason: 'incident 12' },
    }),
  },
  { name: 'the local Cluster', object: { ...convoyObject('Cluster', {}), spec: undefined } },
  {
    name: 'a Cluster by kubeconfig',
    object: convoyObject('Cluster', {
      kubeconfig: { secretRef: { name: 'prod', key: 'config' } },
      paused: true,
    }),
  },
  {
    name: 'a ReleaseInventory with an entry not applied yet and one that was',
    object: convoyObject('ReleaseInventory', {
      entries: [
        {
          group: '',
          version: 'v1',
          kind: 'Namespace',
          namespace: '',
          name: 'shop',
          wave: 0,
          stage: 'Namespaces',
          renderRef: SHA,
        },
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'cart',
          uid: '4c1f1d8e-7f53-4a43-9a62-2b5b37a6ef57',
          wave: 3,
          stage: 'Regular',
          renderRef: SHA,
          health: {
            state: 'Progressing',
            message: '1 of 2 ready',
            since: '2026-01-31T12:00:00Z',
            renderRef: SHA,
          },
        },
      ],
    }),
  },
  {
    name: 'a GlobalHealthRuleSet',
    object: convoyObject('GlobalHealthRuleSet', {
      rules: [
        { target: { group: 'cert-manager.io', kind: 'Certificate' }, healthy: "status.phase == 'Ready'" },
      ],
    }),
  },
];
