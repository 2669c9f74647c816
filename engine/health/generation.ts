import { progressing, type Assessment } from './assessment.ts';
import type { Fields } from './fields.ts';
import type { Subject } from './subject.ts';

/**
 * @param required the kind's controller always says which generation it has seen
 * @returns Progressing while the status speaks of an earlier generation (kstatus), else undefined
 */
export function unobserved(subject: Subject, required: boolean): Assessment | undefined {
  const { generation, status } = subject;
  const observed = status.generation('observedGeneration');
  if (observed === undefined) return required ? progressing('its controller has not seen it yet') : undefined;
  return notSeen(generation, observed);
}

/** @returns Progressing where what was observed is an earlier generation */
export function notSeen(generation: number | undefined, observed: number): Assessment | undefined {
  return generation !== undefined && observed < generation
    ? progressing(
        `its controller has not seen the latest change yet (generation ${generation}, it saw ${observed})`,
      )
    : undefined;
}

/** Whether a status says of which generation it speaks: itself, in a condition, or in a condition of each parent (routes). */
export function namesGeneration(status: Fields): boolean {
  return (
    status.has('observedGeneration') ||
    owners(status).some((owner) => owner.list('conditions').some((entry) => entry.has('observedGeneration')))
  );
}

function owners(status: Fields): Fields[] {
  return [status, ...['parents', 'ancestors'].flatMap((list) => (status.has(list) ? status.list(list) : []))];
}
