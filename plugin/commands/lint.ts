import { textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { usageProblem } from '../cli/problem.ts';
import { lint as lintOffline } from '../offline/lint.ts';
import { readFiles } from '../offline/readFiles.ts';
import { lintPage } from '../views/lintPage.ts';
import type { Command } from './command.ts';

/** `lint -f FILE…`: what the admission webhook would say, without a cluster. Exit code 1 where it would refuse anything. */
export const lint: Command = async ({ flags, io, paint, width }) => {
  const { filenames, output, namespace = 'default' } = flags;
  if (filenames.length === 0)
    throw usageProblem('there is nothing to lint', 'name the files: kubectl convoy lint -f FILE');
  if (output === 'name' || output === 'wide')
    throw usageProblem(`--output ${output}`, 'it takes table, json, yaml');
  const report = await lintOffline(await readFiles(filenames, io.stdin), namespace);
  const page = { now: io.now(), paint, width };
  io.stdout.write(output === 'table' ? textOf(lintPage(report, page)) : await dataText(report, output));
  return report.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
};
