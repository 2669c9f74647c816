import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULES_LABEL } from '../../../api/annotations.ts';
import { API_VERSION } from '../../../api/group.ts';
import { isTrue } from '../../controlplane/conditions.ts';
import { ANY_SCHEMA, crdOf } from '../../support/crd.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const RULES = join(import.meta.dirname, '..', '..', '..', 'manifests', 'health');
const SETS = `/apis/${API_VERSION}/globalhealthrulesets`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const releases = useReleases();

/** Of cert-manager only what its rule reads; nothing here gives it a status but the test. */
const CERTIFICATE_CRD = crdOf({
  group: 'cert-manager.io',
  kind: 'Certificate',
  schema: ANY_SCHEMA,
  hasStatus: true,
});
const CERTIFICATE = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'tls' },
  spec: { secretName: 'tls' },
};

test('all rule sets that Convoy ships are installed by one command, are ready, and decide at once', async () => {
  const { api, kubectl } = releases.cluster;
  await api.must('POST', CRDS, CERTIFICATE_CRD);
  try {
    await api.waitForNamed(CRDS, CERTIFICATE_CRD.metadata.name, (crd) => isTrue(crd, 'Established'));
    const installed = (await kubectl('apply', '-f', RULES)).trim().split('\n');
    expect(installed.length).toBeGreaterThan(40);
    for (const line of installed) {
      const name = /globalhealthruleset\S*\/(\S+) created/.exec(line)?.[1];
      expect(name, line).toBeDefined();
      await api.waitForNamed(SETS, name ?? '', (set) => isTrue(set, 'Ready'));
    }

    const front = configMapIn({ wave: 1, strategy: 'waitForHealthy' }, 'front');
    await releases.create({
      source: { inline: sourceOf(CERTIFICATE, front) },
      healthAssessment: { globalRuleSetSelector: { matchLabels: { [RULES_LABEL]: 'default' } } },
    });
    await releases.ready('WaitingForWaveHealth');

    const at = `/apis/cert-manager.io/v1/namespaces/${releases.namespace}/certificates/tls/status`;
    const conditions = (status: string, message: string): object => ({
      status: { conditions: [{ type: 'Ready', status, reason: 'Issuing', message, observedGeneration: 1 }] },
    });
    await api.must('PATCH', at, conditions('False', 'waiting for the order'));
    await releases.until((release) => readyMessage(release).includes('waiting for the order'));
    await api.must('PATCH', at, conditions('True', 'issued'));
    await releases.ready('Applied');
  } finally {
    await kubectl('delete', '--ignore-not-found', '-f', RULES);
    await api.must('DELETE', `${CRDS}/${CERTIFICATE_CRD.metadata.name}`);
  }
});
