import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { labelledOwner } from '../../api/ownership.ts';
import { appliedMark, lastOtherManager } from '../../engine/drift/mark.ts';
import { assess, type OwnRule } from '../../engine/health/assess.ts';
import type { Assessment } from '../../engine/health/assessment.ts';
import type { KindFacts } from '../../engine/health/subject.ts';

/** All that is kept of a live object: a whole one may be large, and a Secret is nobody's business. */
export interface Observed extends KubeObject {
  assessment: Assessment;
  /** The rule of its Release that it was judged by; undefined: that of its kind. */
  judgedBy: OwnRule | undefined;
  /** Mark of the fields that Convoy applied, and for whom. */
  mark: string;
  /** `namespace/name` of the Release that its labels name; '' where they name none. */
  owner: string;
  /** The other field manager that changed it last; '' where there is none. */
  editor: string;
}

/** What the rules of one tenant may cost in a while: whoever may write rules must not keep the controller from all others. */
export interface Share {
  isUsedUp: () => boolean;
  use: (steps: number) => void;
}

const USED_UP: Assessment = {
  state: 'Unknown',
  message: 'the health rules of its namespace have cost too much lately; it is judged in a minute',
  recheckAfterMs: 60_000,
};

/** What an object is judged with. */
export interface Judging {
  now: Date;
  facts: KindFacts;
  rules: readonly OwnRule[];
  share: Share;
}

/** Judges a live object and lets go of the rest of it. */
export function observe(object: KubeObject, judging: Judging): Observed {
  const judgedBy = judging.rules.find((rule) => rule.isFor(object));
  const { name, namespace = '', uid = '', resourceVersion = '' } = object.metadata;
  const owner = labelledOwner(object);
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name, namespace, uid, resourceVersion },
    assessment: judge(object, judging, judgedBy),
    judgedBy,
    mark: markOf(object),
    owner,
    editor: lastOtherManager(object, FIELD_MANAGER),
  };
}

/** Mark of the fields that Convoy applied: two Releases that apply the same in the same second leave the same one otherwise. */
export function markOf(object: KubeObject): string {
  return appliedMark(object, FIELD_MANAGER) + labelledOwner(object);
}

function judge(
  object: KubeObject,
  { now, facts, rules, share }: Judging,
  judgedBy: OwnRule | undefined,
): Assessment {
  if (judgedBy !== undefined && share.isUsedUp()) return USED_UP;
  const { steps = 0, ...assessment } = assess(object, now, facts, rules);
  share.use(steps);
  return assessment;
}
