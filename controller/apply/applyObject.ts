import { setTimeout as delay } from 'node:timers/promises';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { groupOf, versionOf } from '../../api/object.ts';
import { isNotFound, isUnserved } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { TargetCluster } from '../cluster.ts';
import { Halt } from '../release/halt.ts';

/** An object ready to be sent. */
export interface Sendable {
  object: KubeObject;
  /** Its JSON text, exact in its numbers. */
  body: string;
}

export interface Sent {
  /** As it is now. */
  object: KubeObject;
  resource: ApiResource;
  created: boolean;
}

export interface SendOptions {
  dryRun?: boolean;
  /** The type was brought by the same render, so a first 404 is no answer yet. */
  fresh?: boolean;
  signal: AbortSignal;
}

/**
 * An API server starts to serve a type some milliseconds after the CRD says Established and no event tells when,
 * so the 404 of such a type is tried again after these times (ms).
 */
const SETTLE_MS = [5, 10, 20, 40, 80, 160, 320, 640, 1280];

/**
 * Texts of this length and more are not validated twice (characters): a large CRD takes the API server long enough. The
 * text is JSON of Convoy's own writing, in which no field stands twice.
 */
const LARGE = 65_536;

/**
 * Server-side apply of one object as field manager `convoy`, with force (apply.md).
 * @throws ApiError, ConnectionError; Halt where the cluster does not serve the type
 */
export async function applyObject(
  cluster: TargetCluster,
  { object, body }: Sendable,
  options: SendOptions,
): Promise<Sent> {
  const resource = await resourceOf(cluster, object);
  const apply = {
    fieldManager: FIELD_MANAGER,
    force: true,
    dryRun: options.dryRun ?? false,
    body,
    strict: body.length < LARGE,
    signal: options.signal,
  };
  return await whenServed(cluster, { object, resource }, options, async () => ({
    ...(await cluster.client.apply(resource, object, apply)),
    resource,
  }));
}

/** Sends what is about an object, again where its type is not served yet. @throws as applyObject */
export async function whenServed<T>(
  cluster: TargetCluster,
  { object, resource }: { object: KubeObject; resource: ApiResource },
  { fresh = false, signal }: SendOptions,
  send: () => Promise<T>,
): Promise<T> {
  for (const wait of fresh ? SETTLE_MS : []) {
    try {
      return await send();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await delay(wait, undefined, { signal });
    }
  }
  try {
    return await send();
  } catch (error) {
    if (!isUnserved(error)) throw error;
    // What was known of the type is out of date: somebody has taken it away since.
    cluster.discovery.invalidate(resource.group);
    throw notServed(object, error);
  }
}

/** @throws Halt where the cluster does not serve the type */
export async function resourceOf(cluster: TargetCluster, object: KubeObject): Promise<ApiResource> {
  const group = groupOf(object.apiVersion);
  const version = versionOf(object.apiVersion);
  const resource = await cluster.discovery.resourceFor(group, object.kind, version);
  if (resource !== undefined) return resource;
  throw notServed(object);
}

/** A type may come by other hands, so it is tried again. */
export function notServed({ kind, apiVersion }: KubeObject, cause?: unknown): Halt {
  return new Halt(
    `the cluster does not serve the kind ${kind} in ${apiVersion} – correct apiVersion and kind, or install its CustomResourceDefinition`,
    { reason: 'ApplyFailed', stage: 'Apply', resume: 'retry', cause },
  );
}
