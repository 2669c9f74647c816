import type { HealthRule } from '../../../api/healthRules.ts';

/** Characters of all their expressions. */
export function expressionsLength(rules: readonly HealthRule[]): number {
  return rules
    .flatMap(({ degraded, progressing, healthy, message }) => [degraded, progressing, healthy, message])
    .reduce((sum, text = '') => sum + text.length, 0);
}
