import { KubeClient } from '../../kube/client.ts';
import { connect, loadConfig } from '../../kube/config.ts';
import { SecretStore } from '../../controller/store/secrets.ts';
import type { RenderOwner } from '../../kube/renderSecrets.ts';
import type { Transport } from '../../kube/transport.ts';
import { renderOf } from './randomRender.ts';

/**
 * Puts a render into the store and is killed (SIGKILL) meanwhile, when it is about to send a chunk more than it may:
 * kubeconfig, owner and number of chunks as arguments, the render's text on stdin.
 */
const [kubeconfig = '', owner = '', chunks = ''] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin) text += String(chunk);
const connected = connect(await loadConfig({ kubeconfig }), { userAgent: 'convoy/test (put)' });
let sent = 0;
const transport: Transport = {
  request: (request) => {
    if (request.method !== 'GET' && sent++ === Number(chunks)) process.kill(process.pid, 'SIGKILL');
    return connected.request(request);
  },
  stream: (request) => connected.stream(request),
  close: () => connected.close(),
};
await new SecretStore(new KubeClient(transport)).put(JSON.parse(owner) as RenderOwner, renderOf(text));
await transport.close();
