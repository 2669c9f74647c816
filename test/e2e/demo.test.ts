import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deploymentHistory, expectFrontendHeld } from '../support/shopHistory.ts';

const DEMO = join(import.meta.dirname, '../demo/demo.ts');
const LIMIT_MS = 240_000;

interface Demo {
  process: ChildProcess;
  /** Where all that it starts keeps its files. */
  folder: string;
  output: () => string;
  code: Promise<unknown>;
}

async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-demo-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const child = spawn(process.execPath, [DEMO], {
    env: { ...process.env, TMPDIR: folder, NO_COLOR: '1', KEEP: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    process: child,
    folder,
    output: () => output,
    code: once(child, 'close').then(([code]) => code as unknown),
  };
}

/** Resolves when this stands in the output. */
function whenItSays(demo: Demo, text: string): Promise<undefined> {
  const said = Promise.withResolvers<undefined>();
  demo.process.stdout?.on('data', () => {
    if (demo.output().includes(text)) said.resolve(undefined);
  });
  return said.promise;
}

/** Sends one signal when the first object is there: a second one would end the demo at once, without its last words. */
function killWhenApplying(demo: Demo, signal: NodeJS.Signals): void {
  const listen = () => {
    if (!demo.output().includes('Namespace ')) return;
    demo.process.stdout?.off('data', listen);
    demo.process.kill(signal);
  };
  demo.process.stdout?.on('data', listen);
}

/** What is ready before what appears, by the gates of the shop's Release. */
const WAVES = [
  '+ StatefulSet               shop/database',
  '✔ StatefulSet               shop/database',
  '+ Job                       shop/migrate-schema-v14',
  '✔ Job                       shop/migrate-schema-v14',
  '+ Deployment                shop/payment',
  '✔ Deployment                shop/payment',
  '+ Deployment                shop/frontend',
  '✔ Deployment                shop/frontend',
];

/** The parts in the order in which they come first. */
function inOrder(output: string, parts: readonly string[]): string[] {
  return [...parts].sort((a, b) => output.indexOf(a) - output.indexOf(b));
}

/** The last folder goes with the process that held the cluster, which may end a moment after the demo. */
async function expectNothingLeft(demo: Demo): Promise<void> {
  await expect.poll(() => readdir(demo.folder), { timeout: 60_000 }).toEqual([]);
}

it(
  'brings the shop up, shows what appears and becomes ready, and leaves nothing',
  async () => {
    const demo = await startDemo();
    const history = whenItSays(demo, 'Convoy’s CRDs').then(() =>
      deploymentHistory(demo.folder, whenItSays(demo, 'all healthy after')),
    );
    expect(await demo.code, demo.output()).toBe(0);
    expectFrontendHeld(await history);
    const output = demo.output();
    expect(output).toContain('35 of 35 objects, 9 of 9 workloads ready');
    expect(output).toMatch(/\+ ProductCatalog +shop\/winter/);
    expect(output).toMatch(/✔ StatefulSet +shop\/database {2}1\/1 ready/);
    expect(inOrder(output, WAVES)).toEqual(WAVES);
    expect(output).toContain('the frontend still runs 7.3.0');
    expect(output).toMatch(/\$ kubectl convoy release why shop\n+Release shop in default waits: wave 4/);
    expect(output).toMatch(
      /apps\/Deployment payment in shop[^]*CrashLoopBackOff[^]*kubectl -n shop logs payment-/,
    );
    expect(output).toContain('the frontend runs 7.4.0');
    expect(output).toMatch(/\$ kubectl convoy release status shop\n+Release shop in default: ready/);
    expect(output.trimEnd()).toMatch(/✔ all healthy after .*s$/);
    await expectNothingLeft(demo);
  },
  LIMIT_MS,
);

it(
  'ends all that it started when it is interrupted',
  async () => {
    const demo = await startDemo();
    killWhenApplying(demo, 'SIGINT');
    expect(await demo.code, demo.output()).toBe(130);
    expect(demo.output()).toContain('interrupted, all ended after');
    await expectNothingLeft(demo);
  },
  LIMIT_MS,
);

it(
  'ends all that it started when it is killed',
  async () => {
    const demo = await startDemo();
    killWhenApplying(demo, 'SIGKILL');
    await demo.code;
    await expectNothingLeft(demo);
  },
  LIMIT_MS,
);
