import { HOOK_PHASES } from '../../api/annotations.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import { isMap } from '../render/objects.ts';

/** @returns a message for each hook whose job is no spec of a Job: the schema leaves that part open */
export function hookProblems({ lifecycleHooks = {} }: ReleaseSpec): string[] {
  return HOOK_PHASES.flatMap((phase) =>
    (lifecycleHooks[phase] ?? []).flatMap(({ job }, index) => {
      if (hasContainers(job)) return [];
      return [
        `spec.lifecycleHooks.${phase}[${index}].job: has no template.spec.containers: write the spec of a Job (batch/v1)`,
      ];
    }),
  );
}

function hasContainers({ template }: Record<string, unknown>): boolean {
  const spec = isMap(template) ? template['spec'] : undefined;
  const containers = isMap(spec) ? spec['containers'] : undefined;
  return Array.isArray(containers) && containers.length > 0;
}
