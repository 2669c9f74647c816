import { unsupportedFields } from '../../api/available.ts';
import type { Release } from '../../api/release.ts';
import { Halt } from './halt.ts';

/** Objects that the message names before it only counts. */
const NAMED = 10;

/**
 * A field whose behaviour does not exist yet is never ignored in silence.
 * @throws Halt `Unsupported` naming each
 */
export function refuseUnsupported(release: Release): void {
  refuse(unsupportedFields(release.spec));
}

function refuse(messages: string[]): void {
  if (messages.length === 0) return;
  const lines = messages.slice(0, NAMED);
  if (messages.length > NAMED) lines.push(`and ${messages.length - NAMED} more`);
  throw new Halt(lines.join('\n'), { reason: 'Unsupported', stage: 'Render', resume: 'change' });
}
