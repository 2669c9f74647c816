import { degradedAfter, healthy, progressing } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import { Fields, ShapeError } from './fields.ts';
import { share } from './message.ts';
import type { Judge, Subject } from './subject.ts';

/** How long the autoscaler itself takes no CPU figures of new pods (its default `cpu-initialization-period`). */
const METRICS_GRACE_MS = 5 * 60_000;
const V1_CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
const MAX_ANNOTATION = 64 * 1024;

export const horizontalPodAutoscaler: Judge = (subject) => {
  const owner = conditionsOwner(subject);
  const able = conditionOf(owner, 'AbleToScale');
  if (able === undefined) return progressing('its controller has not seen it yet');
  if (!isTrue(able)) return degradedAfter(explain(able), able.since, subject.now, METRICS_GRACE_MS);
  const active = conditionOf(owner, 'ScalingActive');
  if (active === undefined) return progressing('no metrics have been read yet');
  if (active.reason === 'ScalingDisabled') return healthy('idle: its target is scaled to 0');
  if (!isTrue(active)) return degradedAfter(explain(active), active.since, subject.now, METRICS_GRACE_MS);
  return healthy('scales its target');
};

/** autoscaling/v1 has the conditions in an annotation, as JSON. */
function conditionsOwner({ object, metadata, status }: Subject): Fields {
  if (object.text('apiVersion') !== 'autoscaling/v1') return status;
  const text = metadata.map('annotations').text(V1_CONDITIONS);
  const path = `metadata.annotations[${V1_CONDITIONS}]`;
  return new Fields({ conditions: text === '' ? [] : parse(text, path) }, path);
}

function parse(text: string, path: string): unknown {
  if (text.length > MAX_ANNOTATION) throw new ShapeError(path, `at most ${MAX_ANNOTATION} characters`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ShapeError(path, 'JSON');
  }
}

/** How many pods are well is said by their workload: a budget does its work once it has been computed (kstatus). */
export const podDisruptionBudget: Judge = ({ status, now }) => {
  const allowed = conditionOf(status, 'DisruptionAllowed');
  if (allowed?.reason === 'SyncFailed') return degradedAfter(explain(allowed), allowed.since, now);
  const wanted = status.count('desiredHealthy');
  const well = status.count('currentHealthy');
  return healthy(
    well < wanted ? `no disruption allowed: ${share(well, wanted, 'pod', 'healthy')}` : 'in force',
  );
};
