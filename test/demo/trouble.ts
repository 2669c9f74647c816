import colors from 'picocolors';
import { untilCrash } from './crash.ts';
import type { ClusterInfo } from './messages.ts';
import type { Kubectl } from './programs.ts';
import type { Screen } from './screen.ts';

const BROKEN = 'manifests/examples/shop-broken-payment.json';
const MEND = '[{"op": "remove", "path": "/spec/mutations/6"}]';
const READY = '.status.conditions[?(@.type=="Ready")]';
const LIMIT = '--timeout=120s';

/** A new version that is broken: its wave holds the one behind it, one command says why, and mending it is enough. */
export async function showTrouble(
  screen: Screen,
  kubectl: Kubectl,
  { info, signal }: { info: ClusterInfo; signal: AbortSignal },
): Promise<void> {
  screen.line(colors.bold('\nA new frontend, and with it a payment service that crashes\n'));
  await screen.step('frontend 7.4.0, payment broken', async () => {
    await kubectl.output('patch', 'release', 'shop', '--type=json', `--patch-file=${BROKEN}`);
    return `kubectl patch release shop --type=json --patch-file=${BROKEN}`;
  });
  await screen.step('the frontend’s wave waits', async () => {
    await kubectl.output(
      'wait',
      'release/shop',
      `--for=jsonpath={${READY}.reason}=WaitingForWaveHealth`,
      LIMIT,
    );
    await untilCrash(info.kubeconfig, 'payment', signal);
    return `the frontend still runs ${await frontendTag(kubectl)}`;
  });
  const message = await kubectl.output('get', 'release', 'shop', '-o', `jsonpath={${READY}.message}`);
  screen.entry('    the Release says:', message, 4);
  screen.line(colors.bold('\n$ kubectl convoy waves status shop\n'));
  await kubectl.show('convoy', 'waves', 'status', 'shop');
  screen.line(colors.bold('\n$ kubectl convoy release why shop\n'));
  await kubectl.show('convoy', 'release', 'why', 'shop');

  screen.line(colors.bold('\nPayment is mended\n'));
  await screen.step('payment as it was', async () => {
    await kubectl.output('patch', 'release', 'shop', '--type=json', `--patch=${MEND}`);
    return `kubectl patch release shop --type=json --patch '${MEND}'`;
  });
  await screen.step('the frontend’s wave goes on', async () => {
    await kubectl.output('wait', 'release/shop', '--for=condition=Ready', LIMIT);
    return `the frontend runs ${await frontendTag(kubectl)}`;
  });
}

async function frontendTag(kubectl: Kubectl): Promise<string> {
  const image = 'jsonpath={.spec.template.spec.containers[0].image}';
  const name = await kubectl.output('get', 'deployment', 'frontend', '-n', 'shop', '-o', image);
  return name.slice(name.lastIndexOf(':') + 1);
}
