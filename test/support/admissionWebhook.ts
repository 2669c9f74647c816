import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ApiAccess } from '../controlplane/apiAccess.ts';
import { CertificateAuthority } from '../controlplane/certificates.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

interface Refusal {
  code: number;
  reason: string;
  message: string;
}

/** What a webhook is asked. */
interface Asked {
  uid: string;
  name: string;
  dryRun: boolean;
}

/** Says what is refused, when it likes; undefined: it is allowed. */
type Judge = (asked: Asked) => Refusal | undefined | Promise<Refusal | undefined>;

interface Watched {
  /** API group; the core group. */
  group?: string;
  resource: string;
  operation: string;
  /** How long the API server waits for an answer. */
  timeoutSeconds?: number;
}

/** A real admission webhook that judges every request of one kind in one namespace, until it is ended. */
export class JudgingWebhook {
  readonly #api: ApiAccess;
  readonly #namespace: string;
  readonly #server: Server;
  #asked = 0;

  private constructor(api: ApiAccess, namespace: string, server: Server) {
    this.#api = api;
    this.#namespace = namespace;
    this.#server = server;
  }

  /** @param watched resource and operation (`configmaps`, `DELETE`) */
  static async start(
    api: ApiAccess,
    namespace: string,
    { group = '', resource, operation, timeoutSeconds = 10 }: Watched,
    judge: Judge,
  ): Promise<JudgingWebhook> {
    const folder = await mkdtemp(join(tmpdir(), 'convoy-webhook-'));
    const authority = await CertificateAuthority.create(folder);
    const { cert, key } = await authority.issueServer(['localhost'], ['127.0.0.1']);
    await rm(folder, { recursive: true });
    const server = createServer({ cert, key }, (request, response) => {
      void json(request).then(async (review) => {
        const asked = (review as { request: Asked }).request;
        webhook.#asked += 1;
        const refusal = await judge(asked);
        const verdict = refusal === undefined ? { allowed: true } : { allowed: false, status: refusal };
        const answer = { uid: asked.uid, ...verdict };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
        );
      });
    });
    const webhook = new JudgingWebhook(api, namespace, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await api.must('POST', CONFIGURATIONS, {
      metadata: { name: namespace },
      webhooks: [
        {
          name: 'refusing.convoy.example',
          sideEffects: 'None',
          failurePolicy: 'Fail',
          timeoutSeconds,
          admissionReviewVersions: ['v1'],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(authority.pem).toString('base64'),
          },
          rules: [{ apiGroups: [group], apiVersions: ['*'], resources: [resource], operations: [operation] }],
        },
      ],
    });
    return webhook;
  }

  /** The API server takes a webhook into use some time after its configuration is stored, and only asking tells when. */
  async inUse(ask: () => Promise<unknown>): Promise<void> {
    const before = this.#asked;
    while (this.#asked === before) await ask();
  }

  async end(): Promise<void> {
    await this.#api.must('DELETE', `${CONFIGURATIONS}/${this.#namespace}`);
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
