import { explain } from '../cli/explain.ts';
import { type Io, textOf } from '../cli/io.ts';
import { dataText } from '../cli/printObjects.ts';
import { asTrouble, CliProblem, usageProblem } from '../cli/problem.ts';
import { type MissingRight, rightText } from '../cluster/missingRight.ts';
import { withSession } from '../cluster/session.ts';
import { diffRelease, type OnProgress } from '../diff/diffRelease.ts';
import { diffInput } from '../diff/input.ts';
import { type DiffReport, differs, isInDoubt } from '../diff/report.ts';
import { diffData } from '../views/diffData.ts';
import { diffPage } from '../views/diffPage.ts';
import { count } from '../views/page.ts';
import type { Command, Invocation } from './command.ts';

/** `release diff NAME`: what a sync would change. 1 where it would change anything, as kubectl diff has it; 2 for errors. */
export const releaseDiff: Command = async (invocation) => {
  try {
    return await diff(invocation);
  } catch (error) {
    throw asTrouble(explain(error));
  }
};

async function diff(invocation: Invocation): Promise<number> {
  const { flags, name = '', io, paint, width } = invocation;
  refuseContradictions(invocation);
  const progress = new Progress(io);
  const report = await withSession(flags, io.env, async (session) => {
    const input = await diffInput(session, name, flags, io);
    return await diffRelease(session, input, progress.told).finally(() => progress.end());
  });
  const { output } = flags;
  io.stdout.write(
    output === 'json' || output === 'yaml'
      ? await dataText(diffData(report), output)
      : textOf(diffPage(report, { now: io.now(), width, paint })),
  );
  if (isInDoubt(report)) throw doubt(report);
  return report.objects.some(differs) ? 1 : 0;
}

function refuseContradictions({ flags }: Invocation): void {
  if (flags.live && flags.filenames.length > 0)
    throw usageProblem('--live and -f contradict each other', 'leave out one of them');
  if (flags.to !== undefined && (flags.live || flags.filenames.length > 0))
    throw usageProblem(
      `--to and ${flags.live ? '--live' : '-f'} contradict each other`,
      'leave out one of them',
    );
  if (flags.output === 'name' || flags.output === 'wide')
    throw usageProblem(`--output ${flags.output}`, 'it takes table, json, yaml');
}

function doubt({ objects, gaps, missing }: DiffReport): CliProblem {
  const refused = objects.filter(({ action }) => action === 'refused').length;
  const unknown = objects.filter(({ action }) => action === 'unknown').length;
  const why = [
    ...(refused === 0 ? [] : [`${count(refused, 'object')} refused: see what is said of each`]),
    ...(unknown === 0 ? [] : [`of ${count(unknown, 'object')} it cannot be told what a sync would do`]),
    ...rightsText(missing),
    ...gaps,
  ];
  return new CliProblem(refused > 0 ? 'a sync would fail' : 'the diff is not whole', {
    why,
    hints: hintsFor(refused, missing),
    exitCode: 2,
  });
}

function hintsFor(refused: number, missing: readonly MissingRight[]): string[] {
  return [
    ...(refused === 0 ? [] : ['correct the objects that are refused: a sync applies nothing before that']),
    ...(missing.length === 0
      ? []
      : ['ask for these rights: a dry run changes nothing, and still needs get, patch and create']),
  ];
}

function rightsText(missing: readonly MissingRight[]): string[] {
  const texts = [...new Set(missing.map(rightText))].sort();
  return texts.map((text) => `you may not ${text}`);
}

/** What takes longer than this says how far it is (ms). */
const PATIENCE_MS = 1000;

/** Tells on a terminal how far it is. */
class Progress {
  readonly #io: Io;
  readonly #since: number;
  #isShown = false;

  constructor(io: Io) {
    this.#io = io;
    this.#since = io.now().getTime();
  }

  readonly told: OnProgress = (looked, all) => {
    const { stderr, env } = this.#io;
    const waitedMs = this.#io.now().getTime() - this.#since;
    if (!stderr.isTTY || env['TERM'] === 'dumb' || waitedMs < PATIENCE_MS) return;
    this.#isShown = true;
    stderr.write(`\r\x1b[Kasked about ${looked} of ${all} objects`);
  };

  end(): void {
    if (this.#isShown) this.#io.stderr.write('\r\x1b[K');
    this.#isShown = false;
  }
}
