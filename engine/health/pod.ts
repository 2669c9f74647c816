import { degraded, degradedAfter, healthy, progressing, unknown, type Assessment } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import type { Fields } from './fields.ts';
import { counted, phrases } from './message.ts';
import type { Judge, Subject } from './subject.ts';

/** Reasons of a waiting container that seldom pass by themselves; the kubelet keeps trying all the same. */
const STUCK = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PostStartHookError',
]);

const PHASES: Readonly<Record<string, Judge>> = {
  Succeeded: () => healthy('all containers ended well'),
  Failed: ({ status }) => degraded(phrases(status.text('reason'), status.text('message')) || ended(status)),
  Running: (subject) => running(subject),
  Pending: (subject) => waiting(subject),
  Unknown: ({ status }) =>
    unknown(phrases('its node does not say how it is', status.text('reason'), status.text('message'))),
  '': () => progressing('no node has been chosen yet'),
};

export const pod: Judge = (subject) => {
  const phase = subject.status.text('phase');
  const judge = Object.hasOwn(PHASES, phase) ? PHASES[phase] : undefined;
  return judge?.(subject) ?? unknown(`phase ${phase} is not known`);
};

function running(subject: Subject): Assessment {
  if (isTrue(conditionOf(subject.status, 'Ready'))) return healthy('ready');
  return waiting(subject);
}

function waiting(subject: Subject): Assessment {
  const { status, metadata, now } = subject;
  const ready = conditionOf(status, 'Ready');
  const stuck = containers(status).find((container) => STUCK.has(reasonOf(container)));
  if (stuck) return degradedAfter(trouble(stuck), ready?.since ?? metadata.time('creationTimestamp'), now);

  const scheduled = conditionOf(status, 'PodScheduled');
  if (scheduled?.status === 'False') return progressing(phrases('not scheduled', explain(scheduled)));
  const starting = containers(status).find((container) => reasonOf(container) !== '');
  if (starting) return progressing(trouble(starting));
  return progressing(phrases('not ready yet', ready ? explain(ready) : ''));
}

function containers(status: Fields): Fields[] {
  return [...status.list('initContainerStatuses'), ...status.list('containerStatuses')];
}

function reasonOf(container: Fields): string {
  return container.map('state').map('waiting').text('reason');
}

/** `container web: CrashLoopBackOff (3 restarts, last exit code 1): back-off 40s restarting …` */
function trouble(container: Fields): string {
  const { restarts, exit } = history(container);
  const past = [restarts, exit].filter((part) => part !== '').join(', ');
  const reason = past === '' ? reasonOf(container) : `${reasonOf(container)} (${past})`;
  return phrases(
    `container ${container.text('name')}`,
    reason,
    container.map('state').map('waiting').text('message'),
  );
}

function history(container: Fields): { restarts: string; exit: string } {
  const restarts = container.count('restartCount');
  const exit = container.map('lastState').map('terminated').integer('exitCode');
  return {
    restarts: restarts === 0 ? '' : counted(restarts, 'restart'),
    exit: exit === undefined ? '' : `last exit code ${exit}`,
  };
}

/** Of a failed pod that gives no reason: the container that did not end well. */
function ended(status: Fields): string {
  for (const container of containers(status)) {
    const terminated = container.map('state').map('terminated');
    const code = terminated.integer('exitCode') ?? 0;
    if (code !== 0)
      return phrases(
        `container ${container.text('name')} ended with exit code ${code}`,
        terminated.text('reason'),
      );
  }
  return 'its containers did not end well';
}
