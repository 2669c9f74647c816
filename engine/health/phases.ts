import { degraded, healthy, healthyByItself, progressing, unknown, type Assessment } from './assessment.ts';
import { phrases } from './message.ts';
import type { Judge, Subject } from './subject.ts';

type ByPhase = Readonly<Record<string, (subject: Subject) => Assessment>>;

const CLAIM: ByPhase = {
  Bound: ({ spec }) => healthy(phrases('bound', spec.text('volumeName'))),
  // Such a claim stays Pending until a pod uses it, which may stand in a later wave.
  Pending: ({ spec, facts }) =>
    facts.lateBinding?.has(spec.text('storageClassName')) === true
      ? healthyByItself('it is bound when the first pod uses it')
      : progressing('waiting for a volume'),
  Lost: ({ spec }) => degraded(phrases('its volume is gone', spec.text('volumeName'))),
  '': () => progressing('no status yet'),
};

const VOLUME: ByPhase = {
  Available: () => healthy('available'),
  Bound: () => healthy('bound'),
  Pending: () => progressing('not available yet'),
  Released: () => progressing('released: its claim is gone, and it takes no other until it is reclaimed'),
  Failed: ({ status }) => degraded(phrases('failed', status.text('reason'), status.text('message'))),
  '': () => progressing('no status yet'),
};

const NAMESPACE: ByPhase = {
  Active: () => healthyByItself('active'),
  Terminating: () => progressing('terminating'),
  '': () => progressing('no status yet'),
};

/** Judges by `status.phase`; a phase that the table does not have is Unknown. */
function byPhase(table: ByPhase): Judge {
  return (subject) => {
    const phase = subject.status.text('phase');
    const judge = Object.hasOwn(table, phase) ? table[phase] : undefined;
    return judge?.(subject) ?? unknown(`phase ${phase} is not known`);
  };
}

export const persistentVolumeClaim = byPhase(CLAIM);
export const persistentVolume = byPhase(VOLUME);
export const namespace = byPhase(NAMESPACE);
