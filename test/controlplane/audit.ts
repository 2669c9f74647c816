import { once } from 'node:events';
import { watch } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
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
  return eventsIn(text.slice(0, text.lastIndexOf('\n') + 1));
}

function eventsIn(lines: string): AuditEvent[] {
  return lines
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

/** Reads what is added to an audit log. */
export class AuditTail {
  readonly #path: string;
  #offset: number;

  private constructor(path: string, offset: number) {
    this.#path = path;
    this.#offset = offset;
  }

  /** From its present end on. */
  static async open(path: string): Promise<AuditTail> {
    return new AuditTail(path, (await stat(path)).size);
  }

  /** The events that were added since the last call, in the order of writing. */
  async read(): Promise<AuditEvent[]> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(size - this.#offset);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#offset);
      const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1);
      this.#offset += whole.length;
      return eventsIn(whole.toString());
    } finally {
      await file.close();
    }
  }

  /** Waits until so many events that satisfy the predicate were added, counted from now. */
  async waitFor(
    count: number,
    predicate: (event: AuditEvent) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    let missing = count;
    const changes = watch(this.#path, { persistent: false, signal });
    const ended = once(signal, 'abort');
    while (missing > 0 && !signal.aborted) {
      const changed = once(changes, 'change');
      changed.catch(() => undefined);
      missing -= (await this.read()).filter(predicate).length;
      if (missing > 0) await Promise.race([changed, ended]);
    }
    changes.close();
  }
}
