import { join } from 'node:path';
import fc from 'fast-check';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { isByConvoy } from '../support/auditOrder.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { configMapYaml, createRelease, waitForReady } from '../support/releases.ts';
import { type Term, termsOf } from './terms.ts';

/** `freeze`: stopped, and let go when another one leads. */
export type LeaderFault = 'kill' | 'freeze';

/** Objects of the Release that is being applied when the leader dies. */
const OBJECTS = 60;
const APPLIED_WITHIN_MS = 60_000;

/** What happens to one leader. */
interface Plan {
  fault: LeaderFault;
  /** After so many requests for the objects of its Release, trials included. */
  after: number;
  /** Frozen: it is let go as soon as another one leads; else when that one has applied the Release. */
  isLetGoEarly: boolean;
}

interface Candidate {
  name: string;
  process: ControllerProcess;
  /** How often it has led and has ceased to. */
  led: number;
  ceased: number;
}

export interface LeaderKills {
  /** Seconds from each fault to the first write of the one that leads then. */
  takeovers: number[];
  terms: Term[];
  usurped: string[];
  /** Objects that one leader applied twice. */
  repeated: string[];
}

/** @param seed draws faults and moments */
export function drawFaults(count: number, seed: number): Plan[] {
  const plan: fc.Arbitrary<Plan> = fc.record({
    fault: fc.constantFrom<LeaderFault>('kill', 'freeze'),
    after: fc.integer({ min: 1, max: 2 * OBJECTS }),
    isLetGoEarly: fc.boolean(),
  });
  return fc.sample(plan, { numRuns: count, seed });
}

/**
 * Two controllers, of which the leader is killed or frozen while it applies a Release, again and again; each time the other one
 * has to finish that Release. Told from the API server's audit log.
 */
export async function leaderKills(plans: readonly Plan[], say: (line: string) => void): Promise<LeaderKills> {
  const plane = await startControlPlane({ audit: true, kwok: false, say });
  const candidates: Candidate[] = [];
  try {
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const namespace = await createNamespace(plane.api);
    let leader = await candidate(plane, candidates);
    await leads(leader);
    let other = await candidate(plane, candidates);
    const faults: number[] = [];
    for (const [index, plan] of plans.entries()) {
      const name = `release-${index}`;
      await underWay(plane, { namespace, name }, plan.after);
      faults.push(Date.now() / 1000);
      await strike(leader, plan.fault);
      await leads(other);
      if (plan.fault === 'freeze' && plan.isLetGoEarly) await letGo(leader);
      await waitForReady(plane.api, { namespace, name }, 'Applied', APPLIED_WITHIN_MS);
      if (plan.fault === 'freeze' && !plan.isLetGoEarly) await letGo(leader);
      const next = plan.fault === 'kill' ? await candidate(plane, candidates) : leader;
      [leader, other] = [other, next];
      say(`${index + 1} of ${plans.length}: ${plan.fault}, ${leader.name} leads`);
    }
    await other.process.stop();
    await leader.process.stop();
    const { terms, usurped, repeated } = termsOf(await plane.auditEvents());
    const takeovers = faults.map((at) => takeover(terms, at));
    return { takeovers, terms, usurped, repeated };
  } finally {
    for (const { process } of candidates) await process.kill();
    await plane.stop();
  }
}

/** A further candidate, which the audit log knows by its name, once it knows who leads. */
async function candidate(plane: ControlPlane, candidates: Candidate[]): Promise<Candidate> {
  const name = `candidate-${candidates.length}`;
  const kubeconfig = await plane.kubeconfigFor(name, ['system:masters']);
  const process = await ControllerProcess.start(kubeconfig, ['--leader-elect']);
  const started = { name, process, led: 0, ceased: 0 };
  candidates.push(started);
  await process.logged('who leads has changed');
  return started;
}

async function leads(candidate: Candidate): Promise<void> {
  candidate.led += 1;
  await candidate.process.logged('this process leads', candidate.led + candidate.ceased);
}

/** Creates a Release, and waits until so many requests for its objects are made. */
async function underWay(
  plane: ControlPlane,
  { namespace, name }: { namespace: string; name: string },
  requests: number,
): Promise<void> {
  const tail = await plane.auditTail();
  const objects = Array.from({ length: OBJECTS }, (_, index) => `${name}-${index}`);
  const source = { inline: objects.map((object) => configMapYaml(object)).join('---\n') };
  await createRelease(plane.api, { namespace, name, spec: { source } });
  await tail.waitFor(
    requests,
    (event) =>
      isByConvoy(event) &&
      event.stage === 'RequestReceived' &&
      event.objectRef?.resource === 'configmaps' &&
      event.verb === 'patch',
    AbortSignal.timeout(APPLIED_WITHIN_MS),
  );
}

async function strike({ process: controller }: Candidate, fault: LeaderFault): Promise<void> {
  if (fault === 'kill') await controller.kill();
  else process.kill(controller.pid, 'SIGSTOP');
}

async function letGo(candidate: Candidate): Promise<void> {
  process.kill(candidate.process.pid, 'SIGCONT');
  candidate.ceased += 1;
  await candidate.process.logged('this process leads no longer', candidate.ceased);
}

function takeover(terms: readonly Term[], at: number): number {
  const next = terms.find(({ from }) => from > at);
  return (next?.wrote?.first ?? Infinity) - at;
}
