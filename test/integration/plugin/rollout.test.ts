import { describe, expect, it } from 'vitest';
import type { ReleaseSpec } from '../../../api/release.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { createRelease, patchRelease, waitForReady } from '../../support/releases.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);
useController(cluster);

const at = () => ({ namespace: namespace(), name: 'shop' });
const release = (verb: string, ...args: string[]) =>
  convoy(['release', verb, 'shop', ...args, '-n', namespace()]);

function web(image: string, fail?: 'crash'): string {
  const annotations = fail === undefined ? '' : `, annotations: {convoy.kumodo.io/test-fail: ${fail}}`;
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}${annotations}}
    spec: {containers: [{name: main, image: "example.com/web:${image}"}]}
`;
}

async function create(rollback: 'Never' | 'OnReleaseFailure', deadline: string): Promise<void> {
  const spec: ReleaseSpec = {
    source: { inline: web('1') },
    healthAssessment: { deadline },
    failurePolicy: { rollback },
  };
  await createRelease(cluster.api, { ...at(), spec });
  await waitForReady(cluster.api, at(), 'Applied');
}

const breakIt = () => patchRelease(cluster.api, at(), { spec: { source: { inline: web('2', 'crash') } } });

describe('kubectl convoy tells a rollout', () => {
  it('that is rolled back: sync --wait fails, status and why tell from where to where, and what to do', async () => {
    await create('OnReleaseFailure', '3s');
    await breakIt();
    const sync = await release('sync', '--wait', '--force');
    expect(sync.code).toBe(1);
    expect(sync.stdout).toMatch(/rollout: Progressing \(sha256:\w{12}\) until \d{4}-/);
    expect(sync.stderr).toMatch(
      /why: RolledBack: release did not become healthy within 3s; rolled back to sha256:/,
    );
    await waitForReady(cluster.api, at(), 'RolledBack');
    for (const verb of ['status', 'why']) {
      const page = await release(verb);
      expect(page.code).toBe(0);
      expect(page.stdout).toMatch(
        /^Rollout {5}RolledBack: from sha256:\w{12} to sha256:\w{12} \(history 1\)\n {12}why: release did not become healthy within 3s/m,
      );
      expect(page.stdout).toMatch(/^ {2}kubectl convoy release sync shop -n \S+ --force$/m);
    }
    expect((await release('history')).stdout).toMatch(/^1 .*applied, last healthy$/m);
    const again = await release('sync', '--wait');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('RolledBack') as string });
  });

  it('that fails and stays: sync --wait ends with 1 at the deadline', async () => {
    await create('Never', '3s');
    await breakIt();
    const sync = await release('sync', '--wait', '--force');
    expect(sync.code).toBe(1);
    expect(sync.stderr).toMatch(
      /why: RolloutFailed: release did not become healthy within 3s; it is not rolled back/,
    );
    expect((await release('why')).stdout).toMatch(
      /^Rollout {5}Failed: sha256:\w{12}: release did not become healthy/m,
    );
  });

  it('that is under way, with the time that is left, and after a mend it succeeds', async () => {
    await create('OnReleaseFailure', '10m');
    await breakIt();
    await waitForReady(cluster.api, at(), 'Progressing');
    const page = await release('why');
    expect(page.stdout).toMatch(/^Rollout {5}Progressing since \d+s: sha256:\w{12} is to become healthy$/m);
    expect(page.stdout).toMatch(/^ {12}9m\d+s left of 10m, then it is rolled back to sha256:\w{12}$/m);
    const watch = convoy.start(['release', 'status', 'shop', '-n', namespace(), '--watch']);
    await watch.says(/shop rollout: Progressing \(sha256:/);
    await patchRelease(cluster.api, at(), { spec: { source: { inline: web('3') } } });
    await watch.says(/shop rollout: Succeeded \(sha256:/);
    watch.interrupt();
    expect((await watch.ended).code).toBe(130);
  });

  it('and a pin, with its reason and who has set it', async () => {
    await create('Never', '10m');
    await release('pin', '--to', '1', '--reason', 'INC-1234');
    await waitForReady(cluster.api, at(), 'Pinned');
    const page = await release('status');
    expect(page.stdout).toMatch(
      /^Pinned {6}to render sha256:\w{12} \(history 1\), whatever the source says \(set by kubectl-convoy, \d+s ago\)\n {12}why: INC-1234$/m,
    );
    expect(page.stdout).toMatch(/^ {2}kubectl convoy release unpin shop -n \S+$/m);
  });
});
