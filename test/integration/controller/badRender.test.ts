import { describe, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { type BadInput, expectNothingApplied, expectRefused, withGood } from './badInput.ts';
import { documents, useReleases } from './fixture.ts';

const releases = useReleases();

const hpa = (version: string): string => `
apiVersion: autoscaling/${version}
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`;

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicsa: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: example.org/web}]}}
`;

const CASES: readonly BadInput[] = [
  {
    name: 'YAML that is none',
    inline: 'kind: [ConfigMap\n',
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['inline.yaml:14', 'end with a ]'],
  },
  {
    name: 'a document that is no object',
    inline: 'just: text\n',
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['inline.yaml:13', 'apiVersion is missing: add it', 'kind is missing'],
  },
  {
    name: 'two objects of one name',
    inline: configMapYaml('fresh', { other: 'one' }),
    reason: 'RenderFailed',
    stage: 'Render',
    says: [
      'ConfigMap fresh in NS stands in this render twice, the first time at inline.yaml:7',
      'remove one of the two',
    ],
  },
  {
    name: 'one object in two apiVersions',
    inline: documents(hpa('v1'), hpa('v2')),
    reason: 'RenderFailed',
    stage: 'Render',
    says: [
      'autoscaling/HorizontalPodAutoscaler web in NS stands in this render twice',
      'remove one of the two',
    ],
  },
  {
    name: 'a kind that Kubernetes does not have',
    inline: 'apiVersion: apps/v1\nkind: Deploymint\nmetadata: {name: web}\n',
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['apps/Deploymint web', 'no kind Deploymint in apps/v1', 'correct apiVersion and kind'],
  },
  {
    name: 'a known kind in a version that is not served',
    inline: 'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: web}\n',
    reason: 'DryRunFailed',
    stage: 'DryRun',
    says: [
      'apps/Deployment web in NS: the cluster does not serve the kind Deployment in apps/v1beta1',
      'correct apiVersion',
    ],
    applied: true,
  },
  {
    name: 'generateName',
    inline: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: web-}\n',
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['inline.yaml:13', 'metadata.generateName', 'give it a metadata.name instead'],
  },
  {
    name: 'a misspelt field',
    inline: DEPLOYMENT,
    reason: 'DryRunFailed',
    stage: 'DryRun',
    says: ['apps/Deployment web in NS', '.spec.replicsa', 'correct the name', 'nothing was applied'],
    applied: true,
  },
  {
    name: 'several objects that the API server refuses',
    inline: documents(DEPLOYMENT, configMapYaml('Not_A_Name')),
    reason: 'DryRunFailed',
    stage: 'DryRun',
    says: ['.spec.replicsa', 'ConfigMap Not_A_Name in NS', 'metadata.name'],
    applied: true,
  },
  {
    name: 'a namespace that does not exist',
    inline: configMapYaml('web, namespace: nowhere-to-be-found'),
    reason: 'DryRunFailed',
    stage: 'DryRun',
    says: [
      'ConfigMap web in nowhere-to-be-found',
      'not found',
      'create the Namespace, or add it to the source',
    ],
    applied: true,
  },
];

describe('a Release whose source gets', () => {
  test.each(CASES)('$name says so, changes nothing, and heals when it is mended', (bad) =>
    expectRefused(releases, bad),
  );

  test('nothing at all says so, changes nothing, and heals', () =>
    expectRefused(releases, {
      name: 'empty',
      spec: { source: { inline: '# all is commented out\n' } },
      reason: 'RenderFailed',
      stage: 'Render',
      says: ['no object', 'convoy.kumodo.io/allow-empty'],
    }));
});

describe('a new Release applies nothing', () => {
  test.each(CASES)('of a source with $name', ({ inline = '', reason }) =>
    expectNothingApplied(releases, { source: { inline: withGood(inline) } }, reason),
  );
});
