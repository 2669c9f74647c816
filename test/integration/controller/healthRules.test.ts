import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { API_VERSION } from '../../../api/group.ts';
import type { GlobalHealthRuleSet, HealthRule } from '../../../api/healthRules.ts';
import type { Release, ReleaseSpec } from '../../../api/release.ts';
import { conditionOf } from '../../../controller/release/conditions.ts';
import { isTrue } from '../../controlplane/conditions.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { ANY_SCHEMA, crdOf } from '../../support/crd.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, sourceOf } from '../../support/wavedObjects.ts';
import { condition, useAuditedReleases } from './fixture.ts';

const { releases, plane } = useAuditedReleases();

const GROUP = 'sea.example';
const SETS = `/apis/${API_VERSION}/globalhealthrulesets`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TARGET = { group: GROUP, kind: 'Ship' };

/** A kind whose status follows no convention, and that no controller looks after. */
const SHIP_CRD = crdOf({ group: GROUP, kind: 'Ship', schema: ANY_SCHEMA, hasStatus: true });

beforeAll(async () => {
  const { api } = releases.cluster;
  await api.must('POST', CRDS, SHIP_CRD);
  await api.waitForNamed(CRDS, SHIP_CRD.metadata.name, (crd) => isTrue(crd, 'Established'));
});

const ship = (name = 'ark') => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Ship',
  metadata: { name },
  spec: { masts: 2 },
});
const front = (name = 'front') => configMapIn({ wave: 1, strategy: 'waitForHealthy' }, name);

/** A Release with a ship, and a wave that waits for it, which selects the rule sets of the test. */
const withShip = (rules: readonly HealthRule[] = [], name = 'ark'): ReleaseSpec => ({
  source: { inline: sourceOf(ship(name), front(`front-of-${name}`)) },
  healthAssessment: {
    globalRuleSetSelector: { matchLabels: { test: releases.namespace } },
    ...(rules.length === 0 ? {} : { rules: [...rules] }),
  },
});

const rule = (expressions: Partial<HealthRule>): HealthRule => ({ target: TARGET, ...expressions });
const AFLOAT = rule({
  degraded: "status.phase == 'Sunk'",
  progressing: "status.phase == 'Building'",
  healthy: "status.phase == 'Afloat'",
  message: "'it is ' + status.phase",
});

async function createSet(rules: readonly HealthRule[]): Promise<void> {
  const name = releases.namespace;
  const metadata = { name, labels: { test: name } };
  const set = { apiVersion: API_VERSION, kind: 'GlobalHealthRuleSet', metadata, spec: { rules } };
  await releases.cluster.api.must('POST', SETS, set);
  onTestFinished(async () => {
    await releases.cluster.api.must('DELETE', `${SETS}/${name}`);
  });
}

async function changeSet(rules: readonly HealthRule[]): Promise<void> {
  await releases.cluster.api.must('PATCH', `${SETS}/${releases.namespace}`, { spec: { rules } });
}

async function sails(phase: string, name = 'ark'): Promise<void> {
  const path = `/apis/${GROUP}/v1/namespaces/${releases.namespace}/ships/${name}/status`;
  await releases.cluster.api.must('PATCH', path, { status: { phase, observedGeneration: 1 } });
}

const healthy = (reason: string) => (release: Release) =>
  conditionOf(release.status?.conditions, 'Healthy')?.reason === reason;
const says = (message: string) => (release: Release) => readyMessage(release).includes(message);

/** Lists of ships that Convoy asked for so far. */
async function lists(): Promise<string[]> {
  const events = await plane().auditEvents();
  return events
    .filter((event) => isByConvoy(event) && event.stage === 'ResponseComplete' && event.verb === 'list')
    .filter(({ objectRef }) => objectRef?.resource === 'ships')
    .map(({ requestURI }) => requestURI);
}

test('a wave waits for a custom kind to be healthy by the rule of a rule set', async () => {
  await createSet([AFLOAT]);
  await releases.create(withShip());
  const waiting = await releases.ready('WaitingForWaveHealth');
  expect(readyMessage(waiting)).toContain('Ship ark');
  expect(readyMessage(waiting)).toContain('no status yet');
  expect(await releases.find('configmaps/front-of-ark')).toBeUndefined();

  await sails('Building');
  await releases.until(says('it is Building'));
  await sails('Afloat');
  const done = await releases.ready('Applied');
  expect(done.status?.health).toEqual({ healthy: 2, progressing: 0, degraded: 0, unknown: 0 });
});

test('a rule set that changes is told by its objects at once, from one list of their type', async () => {
  await createSet([AFLOAT]);
  for (const name of ['app', 'other']) await releases.create(withShip([], `${name}-ark`), { name });
  for (const name of ['app', 'other']) {
    await releases.ready('WaitingForWaveHealth', name);
    await sails('Afloat', `${name}-ark`);
    await releases.ready('Applied', name);
  }
  const before = await lists();

  await changeSet([rule({ degraded: "status.phase == 'Afloat'", message: "'it should fly'" })]);
  for (const name of ['app', 'other']) {
    const sunk = await releases.until(healthy('Degraded'), name);
    expect(condition(sunk, 'Healthy')?.message).toContain('it should fly');
  }
  expect((await lists()).length - before.length).toBe(1);

  await changeSet([AFLOAT]);
  for (const name of ['app', 'other']) await releases.until(healthy('AllHealthy'), name);
});

test('a rule set that is selected no longer says nothing more', async () => {
  await createSet([rule({ healthy: 'false', message: "'never'" })]);
  await releases.create(withShip());
  await releases.until(says('never'));
  await releases.cluster.api.must('PATCH', `${SETS}/${releases.namespace}`, {
    metadata: { labels: { test: 'another' } },
  });
  await releases.ready('Applied');
});

test('a rule of the Release wins over the rule sets, and a change of it counts at once', async () => {
  await createSet([AFLOAT]);
  const own = rule({ healthy: "has(self.status) && status.phase == 'Sunk'", message: "'as it should be'" });
  await releases.create(withShip([own]));
  await releases.until(says('as it should be'));
  await sails('Sunk');
  await releases.ready('Applied');

  await releases.patch({ spec: { healthAssessment: { rules: null } } });
  const sunk = await releases.until(healthy('Degraded'));
  expect(condition(sunk, 'Healthy')?.message).toContain('it is Sunk');
});

test('a rule that costs too much makes its objects Unknown, and holds up no other Release', async () => {
  const costly = rule({ healthy: 'spec.holds.all(a, spec.holds.all(b, spec.holds.all(c, a + b + c >= 0)))' });
  const holds = Array.from({ length: 500 }, (_, index) => index);
  const hostile = sourceOf(
    ...Array.from({ length: 20 }, (_, index) => ({ ...ship(`hulk-${index}`), spec: { holds } })),
    front(),
  );
  await createSet([AFLOAT]);
  await releases.create(
    { source: { inline: hostile }, healthAssessment: { rules: [costly] } },
    { name: 'hostile' },
  );
  const unknown = await releases.until(says('costs too much'), 'hostile');
  expect(condition(unknown, 'Healthy')?.reason).toBe('AssessmentUnknown');
  expect(unknown.status?.health?.unknown).toBe(20);

  await releases.create({ ...withShip(), source: { inline: sourceOf(ship()) } });
  await sailsWhenThere('Afloat');
  await releases.ready('Applied');
  await releases.until(healthy('AllHealthy'));
});

test('a rule set says whether its expressions can be evaluated', async () => {
  await createSet([AFLOAT]);
  const valid = await ruleSetReady('RulesValid');
  expect(valid).toMatchObject({ status: 'True', message: '1 rule can be evaluated' });

  await changeSet([AFLOAT, rule({ healthy: 'stats.phase' })]);
  const invalid = await ruleSetReady('RulesInvalid');
  expect(invalid).toMatchObject({
    status: 'False',
    message:
      'spec.rules[1] (Ship of sea.example): healthy: column 1: unknown variable stats; did you mean status?',
    observedGeneration: 2,
  });

  await releases.create(withShip([rule({ healthy: 'stats.phase' })]));
  const waiting = await releases.until(says('unknown variable stats'));
  expect(waiting.status?.health?.unknown).toBe(1);
});

async function sailsWhenThere(phase: string): Promise<void> {
  const path = `/apis/${GROUP}/v1/namespaces/${releases.namespace}/ships`;
  await releases.cluster.api.waitForNamed(path, 'ark', () => true);
  await sails(phase);
}

async function ruleSetReady(reason: string) {
  const ready = (set: unknown) => conditionOf((set as GlobalHealthRuleSet).status?.conditions, 'Ready');
  const found = await releases.cluster.api.waitForNamed(
    SETS,
    releases.namespace,
    (set) => ready(set)?.reason === reason,
  );
  return ready(found);
}
