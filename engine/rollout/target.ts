import type { RollbackTarget } from './rollout.ts';

/**
 * What a rollback goes back to, as far as the status tells; whether the render store holds it, the store has to say.
 * @param failed the render that failed
 */
export function rollbackTarget(lastHealthy: string | undefined, failed: string): RollbackTarget {
  if (lastHealthy === undefined)
    return { none: 'no render of this Release was healthy before, so there is nothing to go back to' };
  if (lastHealthy === failed) return { none: 'it is itself the last render that was healthy' };
  return { renderRef: lastHealthy };
}
