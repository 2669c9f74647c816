import type { LintFinding, LintReport } from '../offline/lint.ts';
import { count, type Page } from './page.ts';
import { printable } from './printable.ts';
import { wrap } from './wrap.ts';

/** The page of `lint`: a line for each finding, errors and warnings as they stand in the files, and a closing one. */
export function lintPage({ files, objects, findings }: LintReport, page: Page): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const found = `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
  const looked = `${count(objects, 'object')} in ${count(files, 'file')}`;
  return [...findings.flatMap((finding) => findingLines(finding, page)), `${looked}: ${found}`];
}

function findingLines({ severity, where, object, message }: LintFinding, page: Page): string[] {
  const about = object === undefined ? where : `${where}: ${object}`;
  const lines = wrap(printable(`${severity}: ${about}: ${message}`), page.width - 2);
  return lines.map((line, index) => {
    if (index > 0) return `  ${line}`;
    return page.paint(severity, severity === 'error' ? 'bad' : 'warn') + line.slice(severity.length);
  });
}
