import { expect, test } from 'vitest';
import { boatCrd } from '../kube/boats.ts';
import { isTrue } from '../../controlplane/conditions.ts';
import { useCluster } from '../../controlplane/fixture.ts';

const cluster = useCluster();
const GROUP = 'conditions.convoy.kumodo.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test('a CRD that was made this instant has conditions that are null, and is not established', async () => {
  const made = await cluster.api.must('POST', CRDS, boatCrd(GROUP));
  expect(made).toHaveProperty('status.conditions', null);
  expect(isTrue(made, 'Established')).toBe(false);
  await cluster.api.waitForNamed(CRDS, made.metadata.name, (crd) => isTrue(crd, 'Established'));
  await cluster.api.must('DELETE', `${CRDS}/${made.metadata.name}`);
});
