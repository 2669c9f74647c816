import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../api/cluster.ts';
import { CLUSTER_REASONS, type ClusterReason } from '../../../../api/conditions.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { clusterPage } from '../../../../plugin/views/clusterPage.ts';
import { clusterRemedy } from '../../../../plugin/views/clusterRemedies.ts';
import { clusterTable } from '../../../../plugin/views/clusterTable.ts';
import { before, condition, NOW, release } from '../release.ts';

const PAGE = { now: NOW, width: Infinity, paint: plain, wide: false };
const TABLE = { ...PAGE, allNamespaces: false, headers: true };

function cluster(reason: ClusterReason, { spec = {}, contact = 60, generation = 1 } = {}): Cluster {
  const { status } = CLUSTER_REASONS[reason];
  return {
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'prod', namespace: 'apps', generation, creationTimestamp: before(7200) },
    spec: { kubeconfig: { secretRef: { name: 'prod-kubeconfig' } }, ...spec },
    status: {
      observedGeneration: 1,
      conditions: [condition('Ready', status, reason, `it is ${reason}`)],
      serverVersion: 'v1.36.1',
      releases: 2,
      lastContact: before(contact),
      latencyMilliseconds: 12,
    },
  };
}

const ready = release({ conditions: [condition('Ready', 'True', 'Applied')] });
const failed = release(
  { conditions: [condition('Ready', 'False', 'ApplyFailed', 'it went wrong')] },
  { metadata: { name: 'shop', namespace: 'apps', generation: 1, creationTimestamp: before(60) } },
);

describe('the page of a Cluster', () => {
  it('says that it answers, how it is reached, and how its Releases stand', () => {
    expect(clusterPage(cluster('Connected'), [ready], PAGE)).toEqual([
      'Cluster prod in apps: answers (Connected, for 2m10s)',
      '  it is Connected',
      '',
      'Reached by  the kubeconfig in key value of Secret prod-kubeconfig',
      'Server      v1.36.1, answered 60s ago in 12 ms',
      'Releases    1: 1 ready',
    ]);
  });

  it('names the Releases that are not ready, and says where to look on', () => {
    const lines = clusterPage(cluster('Connected'), [ready, failed], PAGE);
    expect(lines.slice(lines.indexOf('Releases    2: 1 ready, 1 not ready') + 2)).toEqual([
      'Releases that are not ready',
      '  NAME   READY   REASON        REVISION   AGE   MESSAGE',
      '  shop   False   ApplyFailed   -          60s   it went wrong',
      '  Who waits for whom: kubectl convoy cluster waves prod -n apps',
    ]);
  });

  it('names all its Releases where asked to', () => {
    const text = clusterPage(cluster('Connected'), [ready, failed], { ...PAGE, wide: true }).join('\n');
    expect(text).toMatch(/Releases\n {2}NAME.*\n {2}shop .*\n {2}podinfo /);
  });

  it('only counts those beyond the twentieth', () => {
    const many = Array.from({ length: 25 }, () => failed);
    const text = clusterPage(cluster('Connected'), many, PAGE).join('\n');
    expect(text).toContain('  and 5 more: kubectl convoy cluster status prod -n apps -o wide');
  });

  it('does not take True for the truth where nobody looks any more', () => {
    const text = clusterPage(cluster('Connected', { contact: 3600 }), [], PAGE).join('\n');
    expect(text).toContain('Cluster prod in apps: not known\n  nobody has asked it for 60m');
    expect(text).toContain('What to do\n  See whether the controller runs');
  });

  it('takes no status of an older spec for one of this', () => {
    const text = clusterPage(cluster('Connected', { generation: 2 }), [], PAGE).join('\n');
    expect(text).toContain('not known\n  the spec has changed (generation 2)');
  });

  it('says what to do where the controller has said nothing', () => {
    const { apiVersion, kind, metadata, spec = {} } = cluster('Connected');
    const text = clusterPage({ apiVersion, kind, metadata, spec }, [], PAGE).join('\n');
    expect(text).toContain('no status yet');
    expect(text).toContain('  kubectl convoy version');
    expect(text).toContain('Server      it has never answered');
  });

  it('says how to let its Releases go on where it is paused', () => {
    const text = clusterPage(cluster('Connected', { spec: { paused: true } }), [], PAGE).join('\n');
    expect(text).toContain('answers (Connected, for 2m10s), paused\n');
    expect(text).toContain(
      `  kubectl -n apps patch clusters.core.convoy.kumodo.io prod --type merge -p '{"spec":{"paused":false}}'`,
    );
  });

  it("knows the controller's own cluster", () => {
    const text = clusterPage(cluster('Connected', { spec: { kubeconfig: undefined } }), [], PAGE).join('\n');
    expect(text).toContain("Reached by  nothing: it is the controller's own cluster");
  });
});

describe('what to do about a Cluster', () => {
  const reasons = Object.keys(CLUSTER_REASONS) as ClusterReason[];

  it.each(reasons.filter((reason) => reason !== 'Connected'))('that is %s is told', (reason) => {
    expect(clusterRemedy(cluster(reason), reason)).not.toEqual([]);
  });

  it('names the Secret in its commands', () => {
    expect(clusterRemedy(cluster('KubeconfigMissing'), 'KubeconfigMissing')).toContain(
      'kubectl -n apps create secret generic prod-kubeconfig --from-file=value=KUBECONFIG',
    );
  });

  it('is nothing for a reason of a newer controller', () => {
    expect(clusterRemedy(cluster('Connected'), 'SomethingNew')).toEqual([]);
    expect(clusterRemedy(cluster('Connected'), 'constructor')).toEqual([]);
  });
});

describe('the table of Clusters', () => {
  it('has the columns of kubectl get, and the reason', () => {
    expect(clusterTable([cluster('Unreachable')], TABLE)).toEqual([
      'NAME   READY   REASON        VERSION   RELEASES   AGE    MESSAGE',
      'prod   False   Unreachable   v1.36.1   2          120m   it is Unreachable',
    ]);
  });

  it('has more of them where asked to, and the namespace where there are several', () => {
    const options = { ...TABLE, wide: true, allNamespaces: true };
    expect(clusterTable([cluster('Connected', { spec: { paused: true } })], options)).toEqual([
      'NAMESPACE   NAME   READY   REASON      VERSION   RELEASES   PAUSED   ANSWERED   IN      AGE    MESSAGE',
      'apps        prod   True    Connected   v1.36.1   2          true     60s ago    12 ms   120m   paused; it is Connected',
    ]);
  });
});
