import { expect, test } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { configMapYaml } from '../../support/releases.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { documents, NAME, useAuditedReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml, namespaceYaml } from './objects.ts';

const { releases, plane } = useAuditedReleases();

const GROUP = 'order.convoy.kumodo.io';
const OWN = 'order-own';
const HOLD = 'test.convoy.kumodo.io/hold';
const inOwn = (name: string, more = ''): string => configMapYaml(`${name}, namespace: ${OWN}${more}`);

const OBJECTS = documents(
  namespaceYaml(`${OWN}, annotations: {convoy.kumodo.io/delete-order: "1"}`),
  boatCrdYaml(GROUP),
  boatYaml(GROUP, `titanic, finalizers: [${HOLD}]`),
  `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: order-policy}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: "true"}]
`,
  `
apiVersion: v1
kind: ServiceAccount
metadata: {name: order-account, namespace: ${OWN}}
`,
  inOwn('regular'),
  inOwn('later', ', annotations: {convoy.kumodo.io/delete-order: "1"}'),
  inOwn('earlier', ', annotations: {convoy.kumodo.io/delete-order: "-1"}'),
);

/** Stages of each delete-order in mirror, a Namespace after all that is in it. */
const EXPECTED = [
  'configmaps/earlier',
  'boats/titanic',
  'validatingadmissionpolicies/order-policy',
  'configmaps/regular',
  'serviceaccounts/order-account',
  `customresourcedefinitions/boats.${GROUP}`,
  'configmaps/later',
  `namespaces/${OWN}`,
];

const nameOf = ({ objectRef }: AuditEvent): string => `${objectRef?.resource ?? ''}/${objectRef?.name ?? ''}`;
/** The deletes that Convoy sent after an event, by the time of their arrival. */
async function deletesAfter(auditID: string): Promise<AuditEvent[]> {
  const events = await plane().auditEvents();
  const start = events.findIndex((event) => event.auditID === auditID);
  return events
    .slice(start + 1)
    .filter(
      (event) =>
        event.verb === 'delete' &&
        isByConvoy(event) &&
        event.stage === 'ResponseComplete' &&
        nameOf(event) in RANK,
    )
    .sort((a, b) => (a.requestReceivedTimestamp < b.requestReceivedTimestamp ? -1 : 1));
}
const RANK: Readonly<Record<string, number>> = Object.fromEntries(
  EXPECTED.map((name, index) => [name, index]),
);

async function releaseHold(): Promise<AuditEvent> {
  const path = `/apis/${GROUP}/v1/namespaces/${releases.namespace}/boats/titanic`;
  await releases.cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
  return await plane().waitForAuditEvent(
    (event) => event.verb === 'patch' && nameOf(event) === 'boats/titanic' && !isByConvoy(event),
  );
}

/** Sees to it that what blocks is waited for, and that the order holds. */
async function expectInOrder(reason: string, start: string, end: () => Promise<unknown>): Promise<void> {
  await releases.ready(reason);
  const before = await deletesAfter(start);
  expect(before.map(nameOf)).toEqual(EXPECTED.slice(0, 2));
  const letGo = await releaseHold();
  await end();
  await plane().waitForAuditEvent(
    (event) =>
      event.verb === 'delete' &&
      nameOf(event) === `namespaces/${OWN}` &&
      isByConvoy(event) &&
      event.stage === 'ResponseComplete',
  );
  const deletes = await deletesAfter(start);
  expect(deletes.map(nameOf)).toEqual(EXPECTED);
  for (const event of deletes.slice(2))
    expect(event.requestReceivedTimestamp > letGo.requestReceivedTimestamp, nameOf(event)).toBe(true);
}

async function mark(verb: string): Promise<string> {
  const event = await plane().waitForAuditEvent(
    (candidate) =>
      candidate.verb === verb &&
      candidate.objectRef?.resource === 'releases' &&
      candidate.objectRef.name === NAME &&
      !isByConvoy(candidate),
  );
  return event.auditID;
}

test('what leaves the source is removed in order, each stage when the one before is gone', async () => {
  await releases.create({
    source: { inline: documents(OBJECTS, configMapYaml('keep')) },
    syncPolicy: { prune: { orphaned: true } },
  });
  await releases.ready('Applied');
  await releases.inline(configMapYaml('keep'));
  await expectInOrder('PruneFailed', await mark('patch'), () => releases.ready('Applied'));
});

test('a deleted Release removes its objects in order, each stage when the one before is gone', async () => {
  await releases.create({ source: { inline: OBJECTS } });
  await releases.ready('Applied');
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--wait=false');
  await expectInOrder('Deleting', await mark('delete'), () => releases.untilGone('release', NAME));
});
