import { onTestFinished } from 'vitest';
import type { ConnectionConfig } from '../../../kube/connection.ts';
import { UndiciTransport, type UndiciTransportOptions } from '../../../kube/undiciTransport.ts';

/** A transport that is closed with the test. */
export function transportTo(
  server: string,
  config: Partial<ConnectionConfig> = {},
  options: Partial<UndiciTransportOptions> = {},
): UndiciTransport {
  const transport = new UndiciTransport(
    { server, ...config },
    { userAgent: 'convoy/test (transport)', ...options },
  );
  onTestFinished(() => transport.close());
  return transport;
}

/** The error that a promise rejects with; fails where it does not. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
