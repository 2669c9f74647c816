import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../../plugin/cli/commandLine.ts';
import { helpText } from '../../../../plugin/cli/help.ts';
import { NOUNS, VERBS } from '../../../../plugin/commands/verbs.ts';

const PATHS = [[], ...Object.keys(NOUNS).map((noun) => [noun]), ...VERBS.map(({ path }) => [...path])];

describe('help', () => {
  it.each(PATHS.map((path) => [path.join(' '), path] as const))('of %j fits 80 columns', (_, path) => {
    const lines = helpText(path, 80).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('tells how to reach a cluster for what asks one, and only for that', () => {
    expect(helpText(['release', 'status'], 80)).toContain('--kubeconfig');
    expect(helpText(['health', 'check'], 80)).not.toContain('kubeconfig');
  });

  it('of the program names every command', () => {
    const text = helpText([], 80);
    for (const { path } of VERBS) expect(text).toContain(`  ${path.join(' ')} `);
  });

  it.each(VERBS.map((verb) => [verb.path.join(' '), verb] as const))(
    'of %s has examples that are understood',
    (_, verb) => {
      expect(verb.examples.length).toBeGreaterThan(0);
      const text = helpText(verb.path, 80);
      for (const [line] of verb.examples) {
        expect(text).toContain(`  kubectl convoy ${line}\n`);
        expect(commandLine(line.split(' '))).toMatchObject({ verb: { path: verb.path } });
      }
      for (const flag of verb.flags) expect(text).toContain(`--${flag}`);
    },
  );
});
