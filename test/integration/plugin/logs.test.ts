import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CertificateAuthority } from '../../controlplane/certificates.ts';
import { installCrds } from '../../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../../controlplane/fixture.ts';
import { applied, condition, digest, entry, health } from '../../unit/plugin/release.ts';
import { createHandmade } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const plane = useControlPlane({ kwok: false });
const convoy = useConvoy({
  get binDir() {
    return plane().binDir;
  },
  get kubeconfigPath() {
    return plane().kubeconfigPath;
  },
});

const CRASHING = {
  phase: 'Running',
  containerStatuses: [
    {
      ...{ name: 'main', image: 'x', imageID: '', ready: false, restartCount: 3 },
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    },
  ],
};

/** The part of a kubelet that hands out logs, where the API server looks for it. Gives its port and what it was asked. */
async function startLogServer(text: string): Promise<{ port: number; asked: URL[] }> {
  const authority = await CertificateAuthority.open(plane().pkiDir);
  const asked: URL[] = [];
  const server = createServer(await authority.issueServer([], ['127.0.0.1']), (request, response) => {
    asked.push(new URL(request.url ?? '', 'https://kubelet'));
    response.setHeader('content-type', 'text/plain');
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

/** A node whose kubelet listens on this port, and a pod on it that crashes. */
async function createCrashingPod(namespace: string, port: number): Promise<void> {
  const { api } = plane();
  await api.must('POST', '/api/v1/nodes', { metadata: { name: 'here' } });
  await api.must('PATCH', '/api/v1/nodes/here/status', {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  });
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.must('POST', pods, {
    metadata: { name: 'web' },
    spec: { nodeName: 'here', containers: [{ name: 'main', image: 'x' }] },
  });
  await api.must('PATCH', `${pods}/web/status`, { status: CRASHING });
}

test('release why --logs shows the last lines of the run that failed, without what moves the cursor', async () => {
  const { api, binDir, kubeconfigPath } = plane();
  await installCrds(`${binDir}/kubectl`, kubeconfigPath);
  const namespace = await createNamespace(api);
  const { port, asked } = await startLogServer('starting\n\u001b[31mpanic:\u001b[0m no\u0007 database\n');
  await createCrashingPod(namespace, port);
  await createHandmade(api, {
    ...{ namespace, name: 'shop', spec: { healthAssessment: {} } },
    status: {
      conditions: [condition('Ready', 'False', 'Degraded', 'Pod web is Degraded')],
      lastAttempted: { renderRef: digest('a'), at: new Date().toISOString() },
      waves: [{ ...applied(0), healthy: false }],
      inventory: { entries: 1, shards: 1 },
    },
    entries: [entry({ kind: 'Pod', name: 'web', namespace, health: health('Degraded') })],
  });
  const { stdout, stderr, code } = await convoy(['release', 'why', 'shop', '-n', namespace, '--logs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(
    [
      '  1 pod: CrashLoopBackOff, exit code 1, 3 restarts',
      '      back-off 40s',
      '  last lines of main in web:',
      '      starting',
      '      panic: no\ufffd database',
      `  kubectl -n ${namespace} logs web -c main --previous`,
    ].join('\n'),
  );
  expect(asked).toHaveLength(1);
  expect(asked[0]?.pathname).toBe(`/containerLogs/${namespace}/web/main`);
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
    previous: 'true',
    tailLines: '10',
  });
});
