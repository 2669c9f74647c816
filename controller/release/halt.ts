import { DiscoveryIncomplete } from '../../kube/discovery.ts';
import { isForbidden } from '../../kube/errors.ts';
import { adviceOnRights } from '../../kube/refusal.ts';
import { RegistryError } from '../registry/errors.ts';
import type { AppliedReason, FailureStage, ReadyReason } from '../../api/conditions.ts';

/**
 * How a halted reconcile goes on:
 * - `change`: only a change of the Release, its source or the cluster can help
 * - `retry`: may heal by itself: again with back-off
 * - `event`: something is watched that wakes the Release when it is ready
 */
export type Resume = 'change' | 'retry' | 'event';

interface HaltOptions {
  reason: AppliedReason | ReadyReason;
  /** The step that failed; absent for a hold, which is no failure. */
  stage?: FailureStage;
  resume: Resume;
  /** What is to be applied is not, whatever the reason: Applied becomes False. */
  isNotApplied?: boolean;
  /** Back-off asked for by the server (`Retry-After`), milliseconds. */
  retryAfterMs?: number;
  /** When it is to be looked at again whatever happens, milliseconds of the epoch. */
  dueAt?: number;
  cause?: unknown;
}

/** The one way a reconcile ends early: it says why in the status reason and how it goes on. */
export class Halt extends Error {
  readonly reason: AppliedReason | ReadyReason;
  readonly stage: FailureStage | undefined;
  readonly resume: Resume;
  readonly isNotApplied: boolean;
  readonly retryAfterMs: number | undefined;
  readonly dueAt: number | undefined;

  constructor(message: string, options: HaltOptions) {
    super(message, { cause: options.cause });
    this.name = 'Halt';
    this.reason = options.reason;
    this.stage = options.stage;
    this.resume = options.resume;
    this.isNotApplied = options.isNotApplied === true;
    this.retryAfterMs = options.retryAfterMs;
    this.dueAt = options.dueAt;
  }
}

/** True for a halt that may heal by itself. */
export function heals(error: unknown): boolean {
  return error instanceof Halt && error.resume === 'retry';
}

/** True for a halt that is no failure: something is waited for. */
export function isHold(error: unknown): error is Halt {
  return error instanceof Halt && error.stage === undefined;
}

/**
 * The halt that an error amounts to.
 * @throws the error itself where it says nothing about the Release: the queue tries again
 */
export function haltOf(error: unknown): Halt {
  if (error instanceof Halt) return error;
  const options = { resume: 'retry', cause: error } as const;
  if (error instanceof DiscoveryIncomplete) {
    return new Halt(error.message, { ...options, reason: 'ClusterUnavailable', stage: 'Cluster' });
  }
  if (isForbidden(error)) {
    return new Halt(`${error.serverMessage} – ${adviceOnRights(error)}`, {
      ...options,
      reason: 'AccessDenied',
      stage: 'Apply',
    });
  }
  // Of the render store: a render that cannot be had may be had later.
  if (error instanceof RegistryError)
    return new Halt(error.message, { ...options, reason: 'RenderFailed', stage: 'Render' });
  throw error;
}
