import { KubeClient } from '../../kube/client.ts';
import { connect, loadConfig } from '../../kube/config.ts';
import { SecretStore } from '../../controller/store/secrets.ts';
import type { RenderOwner } from '../../controller/store/renderStore.ts';
import { renderOf } from './randomRender.ts';

/** Puts a render into the store, to be killed meanwhile: kubeconfig and owner as arguments, the render's text on stdin. */
const [kubeconfig = '', owner = ''] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin) text += String(chunk);
const transport = connect(await loadConfig({ kubeconfig }), { userAgent: 'convoy/test (put)' });
await new SecretStore(new KubeClient(transport)).put(JSON.parse(owner) as RenderOwner, renderOf(text));
await transport.close();
