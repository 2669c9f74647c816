import { join } from 'node:path';
import { once } from 'node:events';
import colors from 'picocolors';
import { DemoCluster } from './cluster.ts';
import type { ClusterInfo } from './messages.ts';
import { Observer } from './observer.ts';
import { Kubectl } from './programs.ts';
import { Rollout } from './rollout.ts';
import { Screen } from './screen.ts';
import { readShop, SHOP_FOLDER, SHOP_RELEASE, type ShopObject } from './shop.ts';
import { showTrouble } from './trouble.ts';

// `make demo`: the example shop as a Release on a real Kubernetes, in gated waves from nothing to ready; then a service
// that breaks, what holds and why, and the mend. Ends 0 when all is healthy.

const ROOT = join(import.meta.dirname, '../..');
/** From the Release to everything being ready; it takes about 20 s on two cores. */
const ROLLOUT_LIMIT_MS = 180_000;

class Interrupted extends Error {
  override name = 'Interrupted';
}

interface Demo {
  screen: Screen;
  cluster: DemoCluster;
  signal: AbortSignal;
}

async function play({ screen, cluster, signal }: Demo): Promise<void> {
  const objects = await readShop(ROOT);
  screen.line(colors.bold(`\nConvoy: a shop of ${objects.length} objects on a real Kubernetes\n`));

  const info = await startCluster(screen, cluster);
  const kubectl = new Kubectl(info, ROOT, signal);
  await install(screen, cluster, kubectl);
  await bringUp(screen, kubectl, { info, objects, signal });
  await showTrouble(screen, kubectl, { info, signal });

  screen.line(colors.bold('\n$ kubectl convoy release status shop\n'));
  await kubectl.show('convoy', 'release', 'status', 'shop');
  screen.line(`\n${colors.green('✔')} ${colors.bold('all healthy')} after ${screen.elapsed}`);
  if (process.env['KEEP'] === '1') await leaveRunning(screen, cluster, info);
}

async function startCluster(screen: Screen, cluster: DemoCluster): Promise<ClusterInfo> {
  let info: ClusterInfo | undefined;
  await screen.step('Kubernetes', async (note) => {
    info = await cluster.startKubernetes(note);
    return `a control plane of its own and a simulated node, ${info.url}`;
  });
  if (info === undefined) throw new Error('the cluster has not said where it is');
  return info;
}

async function install(screen: Screen, cluster: DemoCluster, kubectl: Kubectl): Promise<void> {
  await screen.step('storage, time for pods to start', async () => {
    await kubectl.output('apply', '--server-side', '-f', 'test/demo/cluster');
    return 'kubectl apply --server-side -f test/demo/cluster';
  });
  await screen.step('Convoy’s CRDs', async () => {
    await kubectl.output('apply', '--server-side', '-f', 'manifests/crds');
    await kubectl.output('wait', '--for=condition=Established', '-f', 'manifests/crds', '--timeout=30s');
    return 'kubectl apply --server-side -f manifests/crds';
  });
  await screen.step('Convoy’s controller', async () => {
    const { url } = await cluster.startController();
    return `node controller/main.ts, metrics at ${url}/metrics`;
  });
}

interface Rest {
  info: ClusterInfo;
  objects: readonly ShopObject[];
  signal: AbortSignal;
}

async function bringUp(screen: Screen, kubectl: Kubectl, { info, objects, signal }: Rest): Promise<void> {
  const rollout = new Rollout(screen, objects);
  const watched = objects.map(({ object }) => object);
  const observer = await Observer.start(info.kubeconfig, watched, {
    object: (object, isNew) => rollout.seeObject(object, isNew),
    release: (release) => rollout.seeRelease(release),
    fault: (error) => screen.line(colors.yellow(`  a watch failed and is begun again: ${String(error)}`)),
  });
  try {
    await screen.step('the shop’s files as a ConfigMap', async () => {
      await kubectl.output('create', 'configmap', 'shop', `--from-file=${SHOP_FOLDER}`);
      await kubectl.output('label', 'configmap', 'shop', 'example.com/content=shop');
      return `kubectl create configmap shop --from-file=${SHOP_FOLDER}`;
    });
    await screen.step('the Release', async () => {
      await kubectl.output('apply', '-f', SHOP_RELEASE);
      return `kubectl apply -f ${SHOP_RELEASE}`;
    });
    await inTime(rollout, signal);
    screen.live([]);
    screen.line(`\n  ${rollout.summary}`);
  } finally {
    screen.live([]);
    await observer.stop();
  }
}

async function inTime(rollout: Rollout, signal: AbortSignal): Promise<void> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(ROLLOUT_LIMIT_MS)]);
  const aborted = once(ended, 'abort').then(() => {
    signal.throwIfAborted();
    throw new Error(`not ready after ${ROLLOUT_LIMIT_MS / 1000} s:\n  ${rollout.missing().join('\n  ')}`);
  });
  await Promise.race([rollout.done, aborted]);
}

async function leaveRunning(screen: Screen, cluster: DemoCluster, info: ClusterInfo): Promise<void> {
  await cluster.keep();
  screen.line(`
All of it goes on running. To use it:

  export KUBECONFIG=${info.kubeconfig}
  export PATH=${join(ROOT, 'dist')}:${info.binDir}:${join(ROOT, 'node_modules/.bin')}:$PATH
  kubectl get releases
  kubectl get pods -n shop -w

To end it:

  kill ${cluster.pid}`);
}

async function main(): Promise<number> {
  const screen = new Screen(process.stdout, () => performance.now());
  const cluster = await DemoCluster.open();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop.abort(new Interrupted(signal)));
  }
  const interrupted = once(stop.signal, 'abort').then(() => stop.signal.throwIfAborted());
  const playing = play({ screen, cluster, signal: stop.signal });
  try {
    await Promise.race([playing, interrupted, cluster.failure]);
    return 0;
  } catch (error) {
    return await giveUp(error, playing, { screen, cluster });
  } finally {
    await end(screen, cluster);
    screen.close();
  }
}

async function end(screen: Screen, cluster: DemoCluster): Promise<void> {
  if (cluster.isKept) return;
  screen.live([colors.dim('  ending the controller and the cluster …')]);
  await cluster.stop();
}

async function giveUp(
  error: unknown,
  playing: Promise<void>,
  { screen, cluster }: Omit<Demo, 'signal'>,
): Promise<number> {
  await end(screen, cluster);
  await Promise.allSettled([playing]);
  screen.live([]);
  if (error instanceof Interrupted) {
    screen.line(`\n${colors.yellow('interrupted')}, all ended after ${screen.elapsed}`);
    return 130;
  }
  const message = error instanceof Error ? error.message : String(error);
  screen.line(`\n${colors.red('✖')} ${colors.bold('the demo failed')} after ${screen.elapsed}: ${message}`);
  return 1;
}

process.exit(await main());
