import { DEFAULTS } from './defaults.ts';

/**
 * The schema tells the whole contract; this table tells how much of it this version does. A field stands in exactly one
 * of the two lists (a test walks the schema), so that none is ever ignored in silence.
 */
export const AVAILABLE_FIELDS: readonly string[] = [
  'source.inline',
  'source.configMap',
  'content.path',
  'content.variables',
  'content.variablesFrom',
  'targetNamespace',
  'clusterRef',
  'serviceAccountName',
  'mutations',
  'interval',
  'healthAssessment.deadline',
  'healthAssessment.globalRuleSetSelector',
  'healthAssessment.rules',
  'failurePolicy',
  'suspend',
  'syncPolicy.mode',
  'syncPolicy.defaultStrategy',
  'syncPolicy.waveStrategy',
  'syncPolicy.prune',
  'syncPolicy.deletionPolicy',
  'lifecycleHooks.preSync',
  'lifecycleHooks.postSync',
  'lifecycleHooks.syncFailed',
  'historyLimit',
  'pin',
];

export interface UnavailableField {
  path: string;
  /** What it is, as a message names it. */
  what: string;
  /** Values that ask for nothing: the default, and empty ones. Without any, the field may not be set at all. */
  harmless?: readonly unknown[];
}

export const UNAVAILABLE_FIELDS: readonly UnavailableField[] = [
  { path: 'source.oci', what: 'OCI sources' },
  { path: 'source.git', what: 'git sources' },
  { path: 'source.http', what: 'HTTP sources' },
  { path: 'source.flux', what: 'Flux sources' },
  { path: 'content.type', what: 'content other than plain YAML', harmless: [DEFAULTS.contentType] },
  { path: 'content.helm', what: 'Helm charts' },
  { path: 'healthAssessment.report', what: 'reports of pods' },
];

/**
 * Says which fields of a Release's spec ask for what this version does not do, one message each:
 * `spec.pin: not available yet (pins)`. Empty where there are none.
 */
export function unsupportedFields(spec: object): string[] {
  return UNAVAILABLE_FIELDS.flatMap(({ path, what, harmless = [] }) => {
    const value = valueAt(spec, path);
    if (value === undefined || harmless.some((allowed) => same(allowed, value))) return [];
    return [`spec.${path}: not available yet (${what})`];
  });
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, field) => {
    return typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[field] : undefined;
  }, value);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
