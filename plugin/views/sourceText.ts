import type { Source } from '../../api/release.ts';

/** What `spec.source` names, on one line: `git https://… (branch main)`. */
export function sourceText(source: Source): string {
  const { inline, configMap, oci, git, http, flux } = source;
  if (inline !== undefined) return `inline, ${sizeText(Buffer.byteLength(inline))}`;
  if (configMap !== undefined) return configMapText(configMap);
  if (oci !== undefined) return `${oci.url} ${version(oci, ['tag', 'semver', 'digest'])}`;
  if (git !== undefined) return `git ${git.url} ${version(git, ['branch', 'tag', 'semver', 'commit'])}`;
  if (http !== undefined) return http.url;
  if (flux !== undefined) return `${flux.kind} ${flux.name}`;
  return 'none: spec.source names no source';
}

function configMapText({ name, selector, key }: NonNullable<Source['configMap']>): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([label, value]) => `${label}=${value}`);
  const which =
    name === undefined ? `ConfigMaps selected by ${labels.join(',') || 'expressions'}` : `ConfigMap ${name}`;
  return key === undefined ? which : `${which}, key ${key}`;
}

function version<K extends string>(
  from: Partial<Record<K, string | undefined>>,
  fields: readonly K[],
): string {
  const field = fields.find((name) => from[name] !== undefined);
  return field === undefined ? '' : `(${field} ${from[field] ?? ''})`;
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`;
}

/** Digests and commit ids by their first twelve digits, as people compare them. */
export function shortDigest(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1');
}
