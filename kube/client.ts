import type { KubeObject } from '../api/object.ts';
import type { Impersonation } from './connection.ts';
import { isGone, ProtocolError } from './errors.ts';
import { isRecord, textOf } from './json.ts';
import { type ApiResource, resourceApiVersion, resourcePath } from './resource.ts';
import { statusError } from './status.ts';
import { type ApiRequest, type ApiResponse, describeRequest, type Transport } from './transport.ts';
import { warningsOf } from './warnings.ts';

export interface ObjectName {
  namespace?: string;
  name: string;
}

export interface ApplyOptions {
  fieldManager: string;
  /** Take fields that other managers own. */
  force?: boolean;
  dryRun?: boolean;
  subresource?: 'status';
  signal?: AbortSignal;
  /** Ready JSON text, sent instead of the object: keeps integers beyond 2^53 and saves serialising again. */
  body?: string;
  /**
   * Refuse a field that stands twice (the default). Fields that the schema does not have are refused in any case; the
   * server parses the text once more for it, which takes it 50 ms for half a megabyte.
   */
  strict?: boolean;
}

interface WriteOptions {
  fieldManager?: string;
  dryRun?: boolean;
  signal?: AbortSignal;
}

export interface CreateOptions extends WriteOptions {
  /** As for an apply. */
  body?: string;
}

export interface PatchOptions extends WriteOptions {
  subresource?: 'status';
}

export interface GetOptions {
  signal?: AbortSignal;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Items per page. */
  limit?: number;
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Items have their metadata alone (PartialObjectMetadata). */
  metadataOnly?: boolean;
  signal?: AbortSignal;
}

/** Asks for PartialObjectMetadata: what is large in objects stays on the server. */
const METADATA_ONLY = {
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  watch: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
};

export interface ListResult<T> {
  items: T[];
  resourceVersion: string;
  /** There is more: hand it in with the same selectors. */
  continue?: string;
}

export interface WatchOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'NotOlderThan';
  allowWatchBookmarks?: boolean;
  /** The server ends the watch after so many seconds. */
  timeoutSeconds?: number;
  /** Begin with the state as ADDED events and a bookmark that says it is complete (streaming list). */
  sendInitialEvents?: boolean;
  /** As for a list. */
  metadataOnly?: boolean;
  signal?: AbortSignal;
}

export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T;
}

export interface Patch {
  type: 'merge' | 'json' | 'strategic';
  patch: unknown;
}

export interface DeleteOptions {
  /** Precondition: only this very object, not one of the same name that was made since (else 409). */
  uid?: string;
  /** Precondition: only in this state (else 409). */
  resourceVersion?: string;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  dryRun?: boolean;
  signal?: AbortSignal;
}

export interface KubeClientOptions {
  /** Told each warning of the API server (deprecated version, duplicate field…) with the request that earned it. */
  onWarning?: (warning: string, request: string) => void;
  /** Who all requests are made as; absent: whoever the transport is. */
  as?: Impersonation;
  /** Lists and watches of namespaced kinds are of this namespace, where they name none; absent: of all. */
  namespace?: string | undefined;
}

const PATCH_TYPES: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

const PAGE_SIZE = 500;

/**
 * The verbs of the Kubernetes API on plain JSON: what goes in is what is sent, what comes back is what the server
 * said, so that fields no model knows survive. Errors are those of Transport.
 */
export class KubeClient {
  readonly #transport: Transport;
  readonly #options: KubeClientOptions;

  constructor(transport: Transport, options: KubeClientOptions = {}) {
    this.#transport = transport;
    this.#options = options;
  }

  /** The same API server over the same connections, as somebody else. */
  as(user: Impersonation): KubeClient {
    return new KubeClient(this.#transport, { ...this.#options, as: user });
  }

  /** Server-side apply. `created`: the object was not there before (also in a dry run). */
  async apply<T extends KubeObject>(
    resource: ApiResource,
    object: T,
    options: ApplyOptions,
  ): Promise<{ object: T; created: boolean }> {
    const { name, namespace } = object.metadata;
    const response = await this.#send({
      method: 'PATCH',
      path: resourcePath(resource, namespace, name, options.subresource),
      query: {
        fieldManager: options.fieldManager,
        fieldValidation: options.strict === false ? 'Ignore' : 'Strict',
        force: flag(options.force),
        dryRun: dryRun(options.dryRun),
      },
      body: options.body ?? object,
      contentType: 'application/apply-patch+yaml',
      ...signalOf(options),
    });
    return { object: response.body as T, created: response.status === 201 };
  }

  /** Throws ApiError 409 AlreadyExists where the name is taken. */
  async create<T extends KubeObject>(
    resource: ApiResource,
    object: T,
    options: CreateOptions = {},
  ): Promise<T> {
    const response = await this.#send({
      method: 'POST',
      path: resourcePath(resource, object.metadata.namespace),
      query: {
        fieldManager: options.fieldManager,
        fieldValidation: 'Strict',
        dryRun: dryRun(options.dryRun),
      },
      body: options.body ?? object,
      ...signalOf(options),
    });
    return response.body as T;
  }

  /** Throws ApiError 404. */
  async get<T extends KubeObject = KubeObject>(
    resource: ApiResource,
    at: ObjectName,
    options: GetOptions = {},
  ): Promise<T> {
    const path = resourcePath(resource, at.namespace, at.name);
    const response = await this.#send({ method: 'GET', path, ...signalOf(options) });
    return response.body as T;
  }

  /** One page, or all where no limit is set. Items get the apiVersion and kind that the server leaves out in lists. */
  async list<T extends KubeObject = KubeObject>(
    resource: ApiResource,
    options: ListOptions = {},
  ): Promise<ListResult<T>> {
    const request: ApiRequest = {
      method: 'GET',
      path: this.#collectionPath(resource, options),
      query: {
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        limit: options.limit?.toString(),
        continue: options.continue,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
      },
      ...(options.metadataOnly === true ? { accept: METADATA_ONLY.list } : {}),
      ...signalOf(options),
    };
    return listResult<T>(await this.#send(request), resource, describeRequest(request));
  }

  /** All pages, each of `limit` items. Where a page's snapshot is gone (410), it starts again without pages. */
  async listAll<T extends KubeObject = KubeObject>(
    resource: ApiResource,
    options: Omit<ListOptions, 'continue'> = {},
  ): Promise<ListResult<T>> {
    const { limit = PAGE_SIZE, ...rest } = options;
    let page = await this.list<T>(resource, { ...rest, limit });
    const items = page.items;
    while (page.continue !== undefined) {
      const next = await this.#nextPage<T>(resource, { ...rest, limit, continue: page.continue });
      if (next === 'expired') return await this.list<T>(resource, rest);
      for (const item of next.items) items.push(item);
      page = next;
    }
    return { items, resourceVersion: page.resourceVersion };
  }

  /** Never yields ERROR: that is thrown as ApiError (410: the resourceVersion is too old). Ends when the server ends it. */
  async *watch<T extends KubeObject = KubeObject>(
    resource: ApiResource,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const request: ApiRequest = {
      method: 'GET',
      path: this.#collectionPath(resource, options),
      query: {
        watch: 'true',
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
        allowWatchBookmarks: flag(options.allowWatchBookmarks),
        timeoutSeconds: options.timeoutSeconds?.toString(),
        sendInitialEvents: flag(options.sendInitialEvents),
      },
      ...(options.metadataOnly === true ? { accept: METADATA_ONLY.watch } : {}),
      ...signalOf(options),
    };
    for await (const line of await this.#transport.stream({ ...request, as: this.#options.as })) {
      yield watchEvent<T>(line, `watch ${request.path}`);
    }
  }

  async patch<T extends KubeObject = KubeObject>(
    resource: ApiResource,
    at: ObjectName,
    { type, patch }: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const response = await this.#send({
      method: 'PATCH',
      path: resourcePath(resource, at.namespace, at.name, options.subresource),
      query: {
        fieldManager: options.fieldManager,
        fieldValidation: 'Strict',
        dryRun: dryRun(options.dryRun),
      },
      body: patch,
      contentType: PATCH_TYPES[type],
      ...signalOf(options),
    });
    return response.body as T;
  }

  /**
   * Returns the object where it is still there (finalizers, foreground), undefined where it is gone.
   * Throws ApiError 404 where there is none and 409 where a precondition does not hold.
   */
  async delete(
    resource: ApiResource,
    at: ObjectName,
    options: DeleteOptions = {},
  ): Promise<KubeObject | undefined> {
    const { uid, resourceVersion, propagationPolicy } = options;
    const response = await this.#send({
      method: 'DELETE',
      path: resourcePath(resource, at.namespace, at.name),
      // Where there is a body, the API server ignores the query: a dry run asked for there would delete.
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
        propagationPolicy,
        ...(uid === undefined && resourceVersion === undefined
          ? {}
          : { preconditions: { uid, resourceVersion } }),
      },
      ...signalOf(options),
    });
    const body = response.body as KubeObject;
    return body.kind === 'Status' && body.apiVersion === 'v1' ? undefined : body;
  }

  #collectionPath(resource: ApiResource, { namespace = this.#options.namespace }: ListOptions): string {
    return resourcePath(resource, resource.namespaced ? namespace : undefined);
  }

  async #nextPage<T extends KubeObject>(
    resource: ApiResource,
    options: ListOptions,
  ): Promise<ListResult<T> | 'expired'> {
    try {
      return await this.list<T>(resource, options);
    } catch (error) {
      if (isGone(error)) return 'expired';
      throw error;
    }
  }

  async #send(request: ApiRequest): Promise<ApiResponse> {
    const { as, onWarning } = this.#options;
    const response = await this.#transport.request({ ...request, as });
    if (onWarning !== undefined) {
      for (const warning of warningsOf(response.headers)) onWarning(warning, describeRequest(request));
    }
    if (!isRecord(response.body))
      throw new ProtocolError(`${describeRequest(request)}: the answer is not a JSON object`);
    return response;
  }
}

const flag = (value: boolean | undefined): string | undefined => (value === true ? 'true' : undefined);
const dryRun = (value: boolean | undefined): string | undefined => (value === true ? 'All' : undefined);

function signalOf({ signal }: { signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function listResult<T extends KubeObject>(
  { body }: ApiResponse,
  resource: ApiResource,
  request: string,
): ListResult<T> {
  const { metadata, items } = isRecord(body) ? body : {};
  if (!isRecord(metadata) || !(Array.isArray(items) || items === null)) {
    throw new ProtocolError(`${request}: the answer is not a list`);
  }
  const apiVersion = resourceApiVersion(resource);
  const objects = (items ?? []) as KubeObject[];
  for (const object of objects) {
    object.apiVersion = apiVersion;
    object.kind = resource.kind;
  }
  const more = textOf(metadata['continue']);
  return {
    items: objects as T[],
    resourceVersion: textOf(metadata['resourceVersion']),
    ...(more === '' ? {} : { continue: more }),
  };
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function watchEvent<T>(line: unknown, request: string): WatchEvent<T> {
  const { type, object } = isRecord(line) ? line : {};
  if (type === 'ERROR') throw statusError(request, 0, object);
  if (!EVENT_TYPES.has(type) || !isRecord(object))
    throw new ProtocolError(`${request}: a line is not a watch event`);
  return line as WatchEvent<T>;
}
