import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { checkHealth, readRules } from '../offline/health.ts';
import { readFiles } from '../offline/readFiles.ts';
import { healthTable } from '../views/healthTable.ts';
import type { Command } from './command.ts';

/**
 * `health check -f FILE… [--rules FILE…]`: what rules make of objects, without a cluster. Exit code 0 whatever the
 * objects are; 1 where a file or a rule is wrong.
 */
export const healthCheck: Command = async ({ flags, io, paint, width }) => {
  const { filenames, rules: ruleFiles, output, headers } = flags;
  if (filenames.length === 0)
    throw usageProblem('there is nothing to check', 'name the objects: kubectl convoy health check -f FILE');
  if (output === 'name') throw usageProblem('--output name', 'it takes table, wide, json, yaml');
  if (filenames.includes('-') && ruleFiles.includes('-'))
    throw usageProblem('-f - and --rules - at once', 'the standard input can be read once');
  const rules = await readRules(await readFiles(ruleFiles, io.stdin));
  const reports = checkHealth(await readFiles(filenames, io.stdin), rules, io.now());
  const isTable = output === 'table' || output === 'wide';
  const lines = isTable ? healthTable(reports, { wide: output === 'wide', headers, paint, width }) : [];
  io.stdout.write(isTable ? textOf(lines) : await dataText(reports, output));
  return 0;
};
