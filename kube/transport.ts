import type { Impersonation } from './connection.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiRequest {
  method: HttpMethod;
  /** Absolute and already encoded: `/api/v1/namespaces/shop/configmaps`. */
  path: string;
  query?: Record<string, string | undefined>;
  /** A JSON value; a string is sent as it is, so ready JSON text keeps its numbers of any size. */
  body?: unknown;
  contentType?: string;
  accept?: string;
  headers?: Record<string, string | string[]>;
  /** Who it is made as, in place of whoever the configuration says: nothing of that goes along. */
  as?: Impersonation | undefined;
  signal?: AbortSignal;
  /** Limit for the answer to begin, and again for it to be complete; for a stream: for it to begin. */
  timeoutMs?: number;
  /** Called when the request is about to go over the wire, after all waiting: what it throws ends it unsent. */
  checkBeforeSend?: () => void;
}

export type ResponseHeaders = Record<string, string | string[] | undefined>;

export interface ApiResponse {
  /** Below 400: everything else is thrown as ApiError. */
  status: number;
  /** Names in lower case. */
  headers: ResponseHeaders;
  /** The parsed JSON, undefined for an empty answer, text where the server did not send JSON (`/healthz`). */
  body: unknown;
}

/**
 * One API server, spoken to as one identity. Throws ApiError for an answer of 400 and above, ConnectionError
 * where no (whole) answer came, ProtocolError for an answer that is none of an API server, and the reason of
 * the request's signal where that was aborted.
 */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** One JSON value per line. Ends when the server ends it; leaving the loop closes the connection. */
  stream(request: ApiRequest): Promise<AsyncIterable<unknown>>;
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>;
}

/** How a request is named in errors and logs. */
export function describeRequest({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
