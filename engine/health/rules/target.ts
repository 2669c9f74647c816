import type { HealthRule } from '../../../api/healthRules.ts';
import { groupOf, type KubeObject, versionOf } from '../../../api/object.ts';

type Target = HealthRule['target'];

/** `Certificate of cert-manager.io`, `Service api in shop`: how messages name what a rule is for. */
export function describeTarget({ group, version, kind, name, namespace }: Target): string {
  const type = [group, version].filter((part) => part !== undefined && part !== '').join('/');
  return [
    name === undefined ? kind : `${kind} ${name}`,
    ...(type === '' ? [] : [`of ${type}`]),
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
  ].join(' ');
}

/** Whether a rule is for an object. */
export function isFor(target: Target, { apiVersion, kind, metadata }: KubeObject): boolean {
  const { version = versionOf(apiVersion), name = metadata.name, namespace = metadata.namespace } = target;
  return (
    target.kind === kind &&
    target.group === groupOf(apiVersion) &&
    version === versionOf(apiVersion) &&
    name === metadata.name &&
    namespace === metadata.namespace
  );
}

/** Whether every object that `other` is for is one that `target` is for too. */
export function covers(target: Target, other: Target): boolean {
  const isSameKind = target.group === other.group && target.kind === other.kind;
  return (
    isSameKind &&
    (['version', 'name', 'namespace'] as const).every(
      (field) => target[field] === undefined || target[field] === other[field],
    )
  );
}
