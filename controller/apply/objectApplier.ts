import { keyString } from '../../api/object.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { Body } from '../../engine/render/job.ts';
import { isOfEndingNamespace } from '../../kube/refusal.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Followed } from '../observer/followed.ts';
import type { SentApply } from '../observer/trackedObject.ts';
import type { Existence } from './existence.ts';
import { type Problem, problemOf } from './problem.ts';
import { sendObject } from './updatePolicy.ts';

/** What the objects of one render are applied to, and what is known of them. */
export interface ObjectTarget {
  cluster: TargetCluster;
  observer: Followed;
  renderRef: string;
  /** By keyString. */
  bodies: ReadonlyMap<string, Body>;
  inventory: Inventory;
  signal: AbortSignal;
  /** Called for each object that is as the render wants it. */
  onApplied: (how: 'created' | 'configured' | 'unchanged') => void;
}

/** Applies single objects. What goes wrong is collected: one bad object does not hide the others. */
export class ObjectApplier {
  readonly problems: Problem[] = [];
  /** Those of objects whose Namespace is being deleted: all others go on. */
  readonly homeless: Problem[] = [];
  readonly #target: ObjectTarget;
  readonly #existence: Existence;

  constructor(target: ObjectTarget, existence: Existence) {
    this.#target = target;
    this.#existence = existence;
  }

  /** Sends what differs or is in doubt; all else costs no request (health.md, "Observer"). */
  async apply(planned: PlannedObject): Promise<void> {
    const { bodies, renderRef, observer, inventory, onApplied } = this.#target;
    const { text = '', digest = '' } = bodies.get(keyString(planned.key)) ?? {};
    const sent = { digest, renderRef, isOnce: planned.updatePolicy === 'Once' };
    if (inventory.get(planned.key)?.purged === true) {
      onApplied('unchanged');
      return;
    }
    if (this.#isAsWanted(planned, digest)) {
      observer.confirm(planned.key, sent);
      // The reconcile that sent it may have ended before it could write this down.
      inventory.applied(planned.key, observer.uidOf(planned.key));
      this.#existence.assume(planned.key);
      onApplied('unchanged');
      return;
    }
    await this.#send(planned, text, sent);
  }

  /** What others cannot exist without is sent again where it is not known to be usable. */
  #isAsWanted(planned: PlannedObject, digest: string): boolean {
    const { observer, renderRef } = this.#target;
    if (!observer.isWatched(planned) || !observer.isUnchanged(planned.key, digest)) return false;
    return (
      !this.#existence.isNeeded(planned.key) ||
      this.#existence.isUsable(planned.key) ||
      observer.healthOf(planned.key, renderRef)?.state === 'Healthy'
    );
  }

  async #send(planned: PlannedObject, body: string, sent: SentApply): Promise<void> {
    const { cluster, observer, inventory, signal, onApplied } = this.#target;
    const sending = observer.sending(planned.key);
    try {
      const knownUid = inventory.get(planned.key)?.uid;
      const options = { fresh: planned.stage === 'Instances', knownUid, signal };
      const { object, resource, created } = await sendObject(cluster, planned, body, options);
      inventory.applied(planned.key, object.metadata.uid ?? '');
      this.#existence.observe(object);
      await sending.applied(resource, object, sent);
      onApplied(created ? 'created' : 'configured');
    } catch (error) {
      sending.failed();
      if (signal.aborted) return;
      const problems = isOfEndingNamespace(error) ? this.homeless : this.problems;
      problems.push(problemOf(planned.key, error, planned.object));
    }
  }
}
