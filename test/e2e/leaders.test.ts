import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AuditEvent } from '../controlplane/audit.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../controlplane/fixture.ts';
import { isByConvoy, secondsOf } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { configMapYaml, createRelease, waitForReady } from '../support/releases.ts';

/** operations.md */
const TAKEOVER_SECONDS = 15;
const OBJECTS = 200;
const plane = useControlPlane({ audit: true, kwok: false });
let namespace: string;

beforeAll(async () => {
  await installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath);
  namespace = await createNamespace(plane().api);
});

/** A candidate that the audit log knows by its name. */
async function candidate(name: string): Promise<ControllerProcess> {
  const kubeconfig = await plane().kubeconfigFor(name, ['system:masters']);
  const controller = await ControllerProcess.start(kubeconfig, ['--leader-elect']);
  onTestFinished(() => controller.kill());
  return controller;
}

async function create(name: string): Promise<void> {
  const names = Array.from({ length: OBJECTS }, (_, index) => `${name}-${index}`);
  const source = { inline: names.map((object) => configMapYaml(object)).join('---\n') };
  await createRelease(plane().api, { namespace, name, spec: { source } });
}

async function isUnderWay(name: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await plane().api.waitFor(path, ({ metadata }) => metadata.name.startsWith(`${name}-`));
}

/** What a controller wrote, but for the Lease and trials. */
function isWrite(event: AuditEvent): boolean {
  const { stage, verb, requestURI, objectRef } = event;
  return (
    isByConvoy(event) &&
    stage === 'RequestReceived' &&
    !['get', 'list', 'watch'].includes(verb) &&
    !requestURI.includes('dryRun=All') &&
    objectRef?.resource !== 'leases'
  );
}

/** The writers one after another, each with when it began and ended, in seconds. */
function reigns(events: readonly AuditEvent[]): { by: string; from: number; to: number }[] {
  const writes = events
    .filter(isWrite)
    .map(({ user, requestReceivedTimestamp }) => ({
      by: user.username,
      at: secondsOf(requestReceivedTimestamp),
    }))
    .sort((a, b) => a.at - b.at);
  const found: { by: string; from: number; to: number }[] = [];
  for (const { by, at } of writes) {
    const last = found.at(-1);
    if (last?.by === by) last.to = at;
    else found.push({ by, from: at, to: at });
  }
  return found;
}

test('a leader that is frozen, and one that is killed, is followed by the other one within 15 s, and one acts at a time', async () => {
  const first = await candidate('first');
  await first.logged('this process leads');
  const second = await candidate('second');
  await second.logged('who leads has changed');

  await create('frozen');
  await isUnderWay('frozen');
  process.kill(first.pid, 'SIGSTOP');
  await second.logged('this process leads');
  await waitForReady(plane().api, { namespace, name: 'frozen' }, 'Applied');
  process.kill(first.pid, 'SIGCONT');
  await first.logged('this process leads no longer');

  await create('killed');
  await isUnderWay('killed');
  await second.kill();
  await first.logged('this process leads', 3);
  await waitForReady(plane().api, { namespace, name: 'killed' }, 'Applied');
  expect(await first.stop()).toBe(0);

  const [frozen, killed, last, ...more] = reigns(await plane().auditEvents());
  expect([frozen?.by, killed?.by, last?.by]).toEqual(['first', 'second', 'first']);
  expect(more).toEqual([]);
  for (const [before, after] of [
    [frozen, killed],
    [killed, last],
  ]) {
    const gap = (after?.from ?? Infinity) - (before?.to ?? 0);
    console.log(`the next leader writes ${gap.toFixed(1)} s after the last write of the one before`);
    expect(gap).toBeLessThan(TAKEOVER_SECONDS);
  }
}, 120_000);
