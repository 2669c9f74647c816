import { nextStep } from '../why/nextSteps.ts';
import type { WhyGate, WhyObject, WhyReport } from '../why/whyReport.ts';
import { hooksOf, remediesOf } from './whyPage.ts';
import { durationOf, observedData, timeOf } from './wavesData.ts';

/** What `release why -o json` prints: the same as the page, whole and with exact times. */
export function whyData(report: WhyReport): Record<string, unknown> {
  const { release, readiness, waves, gate, objects } = report;
  const { name, namespace } = release.metadata;
  const { status, reason, message, since } = readiness;
  const hooks = hooksOf(report);
  return {
    namespace,
    name,
    ready: { status, reason, message, since },
    waves: {
      applied: waves.filter(({ startedAt }) => startedAt !== undefined).length,
      total: waves.length,
    },
    ...(gate === undefined ? {} : { gate: gateData(gate) }),
    ...(hooks.length === 0 ? {} : { hooks }),
    objects: objects.map(objectData),
    remedies: remediesOf(report),
  };
}

function gateData({ wave, after, verdict, limitMs, onFailure }: WhyGate): Record<string, unknown> {
  return {
    wave,
    afterWave: after,
    failed: verdict.gate === 'failed',
    since: timeOf(verdict.since),
    until: timeOf(verdict.until),
    limit: durationOf(limitMs),
    ...(verdict.until === undefined ? {} : { onFailure }),
  };
}

function objectData(object: WhyObject): Record<string, unknown> {
  const { wave, pods, logs } = object;
  return {
    ...observedData(object),
    wave,
    pods,
    logs,
    nextStep: nextStep(object),
  };
}
