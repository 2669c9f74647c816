import type { KubeObject } from '../api/object.ts';
import { Backoff } from './backoff.ts';
import type { KubeClient } from './client.ts';
import { pause, systemClock } from './clock.ts';
import { isGone, isNotFound, isRetryable } from './errors.ts';
import { listWatchOf, watchEvents } from './listWatch.ts';
import type { ApiResource } from './resource.ts';
import { isOlderVersion } from './resourceVersion.ts';
import { SilenceError } from './watchdog.ts';
import { SILENCE_MS, watchSeconds } from './watchTimes.ts';

export interface Follow {
  client: KubeClient;
  resource: ApiResource;
  /** Absent for cluster-scoped kinds. */
  namespace?: string;
  /** Narrows the watch, where the objects that matter are known beforehand. */
  fieldSelector?: string;
  /** Names of the objects that matter still, which may become more; when none is left, following ends. */
  names: () => string[];
  /** Told each state of an object that matters; undefined: it is not there. */
  seen: (name: string, object: KubeObject | undefined) => void;
  /** A state that is known already: watched from there without looking first. */
  resourceVersion?: string;
  signal: AbortSignal;
}

const LIMITS = { baseMs: 100, maxMs: 10_000 };
const BACKOFF_RESETS_MS = 120_000;

/**
 * Follows a few objects of one type by name, without a cache of the type: looks at each once, then watches from the
 * oldest state seen, so that nothing slips between; and again where a watch ends. Resolves when no name is left or the
 * signal aborts. Throws what no repetition can heal.
 */
export async function followObjects(follow: Follow): Promise<void> {
  const backoff = new Backoff(LIMITS, BACKOFF_RESETS_MS, systemClock, Math.random);
  let resourceVersion = follow.resourceVersion;
  while (!isEnded(follow)) {
    try {
      resourceVersion ??= await look(follow);
      if (resourceVersion !== undefined) resourceVersion = await watchFrom(follow, resourceVersion);
    } catch (error) {
      if (!isEnded(follow) && !heals(error)) throw error;
      resourceVersion = undefined;
      await pause(systemClock, backoff.next(), follow.signal);
    }
  }
}

function heals(error: unknown): boolean {
  return isGone(error) || isRetryable(error) || error instanceof SilenceError;
}

function isEnded({ signal, names }: Follow): boolean {
  return signal.aborted || names().length === 0;
}

/** Reads each object; gives the oldest version seen, undefined where none is there. */
async function look(follow: Follow): Promise<string | undefined> {
  const versions = await Promise.all(follow.names().map((name) => lookAt(follow, name)));
  return versions
    .filter((version) => version !== undefined)
    .reduce<string | undefined>(
      (low, version) => (low === undefined || isOlderVersion(version, low) ? version : low),
      undefined,
    );
}

async function lookAt(
  { client, resource, namespace, signal, seen }: Follow,
  name: string,
): Promise<string | undefined> {
  const at = namespace === undefined ? { name } : { namespace, name };
  try {
    const object = await client.get(resource, at, { signal });
    seen(name, object);
    return object.metadata.resourceVersion;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    seen(name, undefined);
    return undefined;
  }
}

/** @returns the version from which the next watch can go on, when the server ends this one */
async function watchFrom(follow: Follow, resourceVersion: string): Promise<string> {
  const { client, resource, namespace, fieldSelector, names, seen, signal } = follow;
  const scope = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const watched = listWatchOf(client, resource, scope);
  const options = { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: watchSeconds(Math.random) };
  const exchange = { clock: systemClock, silenceMs: SILENCE_MS, signal };
  let last = resourceVersion;
  for await (const { type, object } of watchEvents(watched, options, exchange)) {
    last = object.metadata.resourceVersion ?? last;
    if (type === 'BOOKMARK') continue;
    const { name } = object.metadata;
    if (names().includes(name)) seen(name, type === 'DELETED' ? undefined : object);
    if (names().length === 0) break;
  }
  return last;
}
