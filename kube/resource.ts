import { apiVersionOf } from '../api/object.ts';

/** A kind as an API server serves it. */
export interface ApiResource {
  /** '' is the core group. */
  group: string;
  version: string;
  kind: string;
  /** The name in URLs: `deployments`. */
  plural: string;
  namespaced: boolean;
  verbs: string[];
}

/** `apps/v1`, `v1`. */
export function resourceApiVersion({ group, version }: Pick<ApiResource, 'group' | 'version'>): string {
  return apiVersionOf(group, version);
}

/**
 * The URL path of a collection (no name) or an object. Throws TypeError for an object of a namespaced kind without a
 * namespace and for names that would lead elsewhere (apimachinery's IsValidPathSegmentName).
 */
export function resourcePath(
  resource: ApiResource,
  namespace?: string,
  name?: string,
  subresource?: string,
): string {
  const base =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  if (resource.namespaced && name !== undefined && (namespace === undefined || namespace === '')) {
    throw new TypeError(`${resource.kind} ${name}: a namespace is needed`);
  }
  const scope =
    resource.namespaced && namespace !== undefined && namespace !== ''
      ? `/namespaces/${segment(namespace)}`
      : '';
  const object = name === undefined ? '' : `/${segment(name)}`;
  return `${base}${scope}/${resource.plural}${object}${subresource === undefined ? '' : `/${segment(subresource)}`}`;
}

/** A name that cannot stand in a URL: whoever takes names from people tells it as their mistake. */
export class NameError extends TypeError {
  override name = 'NameError';
}

function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) {
    throw new NameError(
      `${JSON.stringify(name)} cannot be a name: it may not be empty, "." or "..", nor contain "/" or "%"`,
    );
  }
  return encodeURIComponent(name);
}
