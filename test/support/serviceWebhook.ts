import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { CertificateAuthority } from '../controlplane/certificates.ts';

/** The backend of a webhook behind a Service: it refuses what is named `bad`, and allows all else. */
export class ServiceWebhook {
  readonly #server: Server;
  /** Of the CA, as a `caBundle` has it. */
  readonly caBundle: string;
  /** Where pods of the backend are, as their Service finds them: an address of this machine that is not loopback. */
  readonly address: string;

  private constructor(server: Server, caBundle: string, address: string) {
    this.#server = server;
    this.caBundle = caBundle;
    this.address = address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @param host `service.namespace.svc`, which its certificate is for */
  static async start(host: string): Promise<ServiceWebhook> {
    const folder = await mkdtemp(join(tmpdir(), 'convoy-webhook-'));
    const authority = await CertificateAuthority.create(folder);
    const { cert, key } = await authority.issueServer([host], []);
    await rm(folder, { recursive: true });
    const server = createServer({ cert, key }, (request, response) => {
      void json(request).then((review) => {
        const { uid, name } = (review as { request: { uid: string; name: string } }).request;
        const refused = { allowed: false, status: { code: 403, message: 'the guard refuses it' } };
        const answer = { uid, ...(name === 'bad' ? refused : { allowed: true }) };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
        );
      });
    });
    const address = outerAddress();
    server.listen(0, address);
    await once(server, 'listening');
    return new ServiceWebhook(server, Buffer.from(authority.pem).toString('base64'), address);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Kubernetes takes no loopback address for an endpoint. */
function outerAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined)
    throw new Error(
      'this machine has no IPv4 address but loopback, and Kubernetes takes none of those for an endpoint: give it one',
    );
  return found.address;
}
