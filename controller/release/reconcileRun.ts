import type { Release } from '../../api/release.ts';
import type { Services } from '../services.ts';
import type { StatusDraft } from './statusDraft.ts';

/** What one reconcile carries from step to step. */
export interface Reconcile {
  services: Services;
  /** As it was read or last written. */
  release: Release;
  draft: StatusDraft;
  signal: AbortSignal;
}
