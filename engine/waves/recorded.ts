import type { InventoryEntry } from '../../api/inventory.ts';
import type { ObjectHealth } from './verdict.ts';

type Recorded = NonNullable<InventoryEntry['health']>;

/** Health of an object as an inventory keeps it, for the render that it was assessed for. */
export function toRecord(health: ObjectHealth, renderRef: string): Recorded {
  const { state, message, since, unhealthySince } = health;
  const isLonger = unhealthySince !== undefined && unhealthySince < since;
  return {
    state,
    message,
    since: timeOf(since),
    ...(isLonger ? { unhealthySince: timeOf(unhealthySince) } : {}),
    renderRef,
  };
}

/** Health of an object as an inventory has it. */
export function ofRecord({ state, message = '', since, unhealthySince }: Recorded): ObjectHealth {
  const lost = unhealthySince === undefined ? {} : { unhealthySince: Date.parse(unhealthySince) };
  return { state, message, since: Date.parse(since), ...lost };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
