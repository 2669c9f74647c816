import type { AuditEvent } from '../controlplane/audit.ts';
import type { Expected, ModelObject } from '../model/releaseModel.ts';
import { writesIn } from '../model/wire.ts';
import { secondsOf } from '../support/auditOrder.ts';
import { firstAvailable } from '../support/gateOrder.ts';

/**
 * Holds the gates of a step against the audit log of it: no object is applied before the Deployments of the wave before
 * its own that the step changes are available. @returns what is wrong
 */
export function gateProblems(events: readonly AuditEvent[], { render, changed }: Expected): string[] {
  const applies = writesIn(events).filter(({ verb, byConvoy }) => byConvoy && verb === 'patch');
  const appliedAt = ({ id }: ModelObject): number =>
    Math.min(...applies.filter((write) => write.id === id).map(({ from }) => from));
  const numbers = [...new Set(render.map(({ wave }) => wave))].sort((a, b) => a - b);
  return render
    .filter(({ kind, id }) => kind === 'Deployment' && changed.includes(id))
    .flatMap((awaited) => {
      const applied = appliedAt(awaited);
      const since = events.filter((event) => secondsOf(event.requestReceivedTimestamp) >= applied);
      const available = firstAvailable(since).get(awaited.id.replace('deployments/', '')) ?? Infinity;
      const next = numbers[numbers.indexOf(awaited.wave) + 1];
      return render
        .filter((object) => object.wave === next && appliedAt(object) <= available)
        .map((object) => `${object.id} is applied before ${awaited.id} is available`);
    });
}
