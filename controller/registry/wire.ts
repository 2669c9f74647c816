import { type Agent, request } from 'undici';
import { ConnectionError } from '../../kube/errors.ts';

/** One request, as it is sent. */
export interface Message {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: Uint8Array;
  signal: AbortSignal;
  /** More than this of an answer is not read (bytes). */
  maxBytes: number;
}

/** An answer of any status. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** There was more of it than was to be read. */
  isCut: boolean;
}

/** Between two parts of an answer, and until its first (ms). */
const IDLE_MS = 30_000;

/**
 * Sends one request and reads its answer.
 * @throws ConnectionError where none comes
 */
export async function exchange(agent: Agent, message: Message): Promise<Answer> {
  const { method, url, headers = {}, body, signal, maxBytes } = message;
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: IDLE_MS,
      bodyTimeout: IDLE_MS,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      size += part.length;
      // To leave the loop closes the connection.
      if (size > maxBytes) break;
      parts.push(part);
    }
    const isCut = size > maxBytes;
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts), isCut };
  } catch (error) {
    signal.throwIfAborted();
    // A query may hold the signature of a download.
    throw new ConnectionError(`${method} ${url.origin}${url.pathname}`, error);
  }
}

/** A header that an answer has once. */
export function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
