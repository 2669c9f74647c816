import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { API_VERSION } from '../../../api/group.ts';
import {
  CONTROLLER_USER,
  mutatingConfiguration,
  type Registration,
  validatingConfiguration,
} from '../../../engine/admission/registration.ts';
import type { ApiAccess } from '../../controlplane/apiAccess.ts';
import type { ControlPlane } from '../../controlplane/controlPlane.ts';
import { installCrds } from '../../controlplane/crds.ts';
import { useControlPlane, useNamespace } from '../../controlplane/fixture.ts';
import { WebhookProcess } from '../../support/webhookProcess.ts';

export const WEBHOOK_NAMESPACE = 'convoy-system';
const WEBHOOK_USER = `system:serviceaccount:${WEBHOOK_NAMESPACE}:convoy-webhook`;
const ACCESS = new URL('../../../manifests/install/webhook/access.yaml', import.meta.url).pathname;
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';
const VALIDATING = `${CONFIGURATIONS}/validatingwebhookconfigurations/convoy`;
const CONFIGURATION_PATHS = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'].map(
  (plural) => `${CONFIGURATIONS}/${plural}/convoy`,
);

export interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** A control plane with the webhook registered, which fails closed for Convoy's kinds: it is the file's own. */
export class Admission {
  readonly #plane: () => ControlPlane;
  readonly #namespace: () => string;
  webhooks: WebhookProcess[] = [];

  constructor(plane: () => ControlPlane, namespace: () => string) {
    this.#plane = plane;
    this.#namespace = namespace;
  }

  get api(): ApiAccess {
    return this.#plane().api;
  }

  get plane(): ControlPlane {
    return this.#plane();
  }

  get namespace(): string {
    return this.#namespace();
  }

  /** The replica that the API server asks. */
  get webhook(): WebhookProcess {
    const [first] = this.webhooks;
    if (first === undefined) throw new Error('the webhook runs while the tests of the file do');
    return first;
  }

  /** Starts another replica, as the ServiceAccount of the manifests. */
  async start(flags: readonly string[] = []): Promise<WebhookProcess> {
    const kubeconfig = await this.plane.kubeconfigFor(WEBHOOK_USER);
    const webhook = await WebhookProcess.start(kubeconfig, ['--namespace', WEBHOOK_NAMESPACE, ...flags]);
    this.webhooks.push(webhook);
    return webhook;
  }

  /** Registers a replica by its URL, and waits until the API server may trust and reach it. */
  async register(webhook: WebhookProcess): Promise<void> {
    const url = await webhook.url;
    const registration: Registration = {
      name: 'convoy',
      client: (path) => ({ url: `${url}${path}` }),
      controllerUser: CONTROLLER_USER,
      exemptNamespaces: ['kube-system', WEBHOOK_NAMESPACE],
    };
    for (const configuration of [validatingConfiguration(registration), mutatingConfiguration(registration)])
      await this.api.must('POST', `${CONFIGURATIONS}/${configuration.kind.toLowerCase()}s`, configuration);
    for (const path of CONFIGURATION_PATHS) await this.#holdsBundle(path);
  }

  /** kubectl as cluster-admin, or as the user of another kubeconfig; a failure is an answer too. */
  kubectl(
    args: readonly string[],
    { stdin = '', kubeconfig = this.plane.kubeconfigPath } = {},
  ): Promise<Answer> {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    return new Promise((resolve, reject) => {
      const child = execFile(join(this.plane.binDir, 'kubectl'), args, { env }, (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(new Error('kubectl did not run', { cause: error }));
      });
      child.stdin?.end(stdin);
    });
  }

  /** `kubectl apply -f -` in the test's namespace. */
  apply(manifest: object, flags: readonly string[] = [], kubeconfig?: string): Promise<Answer> {
    return this.kubectl(['apply', '-n', this.namespace, ...flags, '-f', '-'], {
      stdin: JSON.stringify(manifest),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    });
  }

  /** PEM of what the API server trusts for the webhook now. */
  async bundle(): Promise<string> {
    const configuration = await this.api.must('GET', VALIDATING);
    const [webhook] = configuration['webhooks'] as { clientConfig: { caBundle: string } }[];
    return Buffer.from(webhook?.clientConfig.caBundle ?? '', 'base64').toString('utf8');
  }

  async #holdsBundle(path: string): Promise<void> {
    await this.api.waitForNamed(path.slice(0, path.lastIndexOf('/')), 'convoy', (configuration) =>
      (configuration['webhooks'] as { clientConfig: { caBundle?: string } }[]).every(
        ({ clientConfig }) => clientConfig.caBundle !== undefined,
      ),
    );
  }
}

/** Call it at the top of a test file. */
export function useAdmission({ replicas = 1 } = {}): Admission {
  const plane = useControlPlane({ kwok: false });
  const admission = new Admission(
    plane,
    useNamespace({
      get api() {
        return plane().api;
      },
    }),
  );
  beforeAll(async () => {
    await installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath);
    await admission.api.must('POST', '/api/v1/namespaces', { metadata: { name: WEBHOOK_NAMESPACE } });
    await admission.kubectl(['apply', '--server-side', '-f', ACCESS]);
    if (replicas > 0) await admission.register(await admission.start());
  });
  afterAll(async () => {
    await Promise.all(admission.webhooks.map((webhook) => webhook.stop()));
  });
  return admission;
}

export function release(spec: object, metadata: object = {}): object {
  return {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name: 'shop', ...metadata },
    spec,
  };
}
