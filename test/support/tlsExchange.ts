import { request as send } from 'node:https';
import { text } from 'node:stream/consumers';
import { checkServerIdentity } from 'node:tls';

export interface Exchange {
  status: number;
  body: string;
  /** SHA-256 of the server's certificate. */
  fingerprint: string;
}

export interface Outgoing {
  body?: string | Buffer;
  headers?: Record<string, string>;
  method?: string;
  /** Awaited when the server has the head of the request and asks for its body. */
  beforeBody?: () => Promise<void>;
}

/** One request over a connection of its own, to a server that must be trusted by this CA bundle (PEM). */
export function exchange(url: string, ca: string, outgoing: Outgoing = {}): Promise<Exchange> {
  const { body, headers = {}, method = 'POST', beforeBody } = outgoing;
  let fingerprint = '';
  const options = {
    ca,
    agent: false,
    method,
    headers: { ...headers, ...(beforeBody === undefined ? {} : { expect: '100-continue' }) },
    checkServerIdentity: (...[host, certificate]: Parameters<typeof checkServerIdentity>) => {
      fingerprint = certificate.fingerprint256;
      return checkServerIdentity(host, certificate);
    },
  };
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, body: answer, fingerprint }),
        reject,
      );
    });
    request.on('error', reject);
    if (beforeBody === undefined) request.end(body);
    else request.on('continue', () => void beforeBody().then(() => request.end(body), reject));
  });
}
