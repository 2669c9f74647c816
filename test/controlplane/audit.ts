import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ApiObject } from './apiAccess.ts';

/** What tests read of an audit event. Times have microseconds, such as 2026-05-01T10:00:00.123456Z. */
export interface AuditEvent {
  auditID: string;
  stage: 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  verb: string;
  requestURI: string;
  user: { username: string; groups?: string[] };
  userAgent?: string;
  objectRef?: {
    resource: string;
    apiGroup?: string;
    apiVersion?: string;
    namespace?: string;
    name?: string;
    subresource?: string;
  };
  responseStatus?: { code?: number; reason?: string };
  /** Body of the request, where the policy asks for it. */
  requestObject?: ApiObject;
}

/** Every event that the log holds now, in the order of writing. */
export async function readAuditLog(path: string): Promise<AuditEvent[]> {
  const text = await readFile(path, 'utf8');
  // The last line may be half written.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent);
}

/**
 * Waits for an event: the API server writes ResponseComplete after its client may already have the answer.
 * Throws after `timeoutMs`.
 */
export async function waitForAudit(
  path: string,
  predicate: (event: AuditEvent) => boolean,
  timeoutMs = 10_000,
): Promise<AuditEvent> {
  const changes = watch(path, { persistent: false });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    for (;;) {
      const changed = new Promise((resolve, reject) => {
        changes.once('change', resolve);
        timeout.addEventListener(
          'abort',
          () => reject(new Error(`no such audit event within ${timeoutMs} ms`)),
          { once: true },
        );
      });
      const found = (await readAuditLog(path)).find(predicate);
      if (found !== undefined) {
        changed.catch(() => undefined);
        return found;
      }
      await changed;
    }
  } finally {
    changes.close();
  }
}
