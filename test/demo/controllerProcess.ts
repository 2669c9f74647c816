import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Watchdog } from '../controlplane/watchdog.ts';

const MAIN = join(import.meta.dirname, '../../controller/main.ts');
const TAIL_LINES = 15;
const DRAIN_MS = 10_000;

export interface ControllerProcess {
  /** Where it serves /healthz, /readyz and /metrics. */
  url: string;
  /** Rejects with the end of its log when it ends. Never resolves. */
  ended: Promise<never>;
  /** Lets it finish what it is at. */
  stop(): Promise<void>;
}

/**
 * Runs the controller as it is run anywhere, and waits until it says where it listens.
 * @param options.log file that its log goes to
 * @throws Error with the end of the log where it ends before
 */
export async function startController(options: {
  kubeconfig: string;
  log: string;
  watchdog: Watchdog;
}): Promise<ControllerProcess> {
  const child = spawn(
    process.execPath,
    [MAIN, '--kubeconfig', options.kubeconfig, '--listen', '127.0.0.1:0'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (child.pid !== undefined) options.watchdog.guard(child.pid);
  const log = createWriteStream(options.log);
  child.stderr.pipe(log, { end: false });
  child.stdout.pipe(log, { end: false });

  const ended = Promise.withResolvers<never>();
  child.once('error', ended.reject);
  child.once('close', (code, signal) => {
    log.end(() => {
      void tail(options.log).then((text) =>
        ended.reject(
          new Error(
            `the controller ended (${signal ?? `code ${String(code)}`}). The end of its log:\n${text}`,
          ),
        ),
      );
    });
  });

  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = startedAt(line);
    if (url !== undefined) listening.resolve(url);
  });
  const url = await Promise.race([listening.promise, ended.promise]);
  return { url, ended: ended.promise, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
  await gone;
  clearTimeout(timer);
}

/** The URL in the log line that says the controller has started. */
function startedAt(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { msg?: unknown; url?: unknown };
  return entry.msg === 'started' && typeof entry.url === 'string' ? entry.url : undefined;
}

async function tail(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
