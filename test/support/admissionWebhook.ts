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

/** A real admission webhook that refuses every request of one kind in one namespace, until it is ended. */
export class RefusingWebhook {
  readonly #api: ApiAccess;
  readonly #namespace: string;
  readonly #server: Server;

  private constructor(api: ApiAccess, namespace: string, server: Server) {
    this.#api = api;
    this.#namespace = namespace;
    this.#server = server;
  }

  /** @param what resource of the core group and operation (`configmaps`, `DELETE`) */
  static async start(
    api: ApiAccess,
    namespace: string,
    { resource, operation }: { resource: string; operation: string },
    refusal: Refusal,
  ): Promise<RefusingWebhook> {
    const folder = await mkdtemp(join(tmpdir(), 'convoy-webhook-'));
    const authority = await CertificateAuthority.create(folder);
    const { cert, key } = await authority.issueServer(['localhost'], ['127.0.0.1']);
    await rm(folder, { recursive: true });
    const server = createServer({ cert, key }, (request, response) => {
      void json(request).then((review) => {
        const { uid } = (review as { request: { uid: string } }).request;
        const answer = { uid, allowed: false, status: refusal };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await api.must('POST', CONFIGURATIONS, {
      metadata: { name: namespace },
      webhooks: [
        {
          name: 'refusing.convoy.example',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(authority.pem).toString('base64'),
          },
          rules: [{ apiGroups: [''], apiVersions: ['*'], resources: [resource], operations: [operation] }],
        },
      ],
    });
    return new RefusingWebhook(api, namespace, server);
  }

  async end(): Promise<void> {
    await this.#api.must('DELETE', `${CONFIGURATIONS}/${this.#namespace}`);
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
