import { expect, test } from 'vitest';
import { SYNC } from '../../../api/annotations.ts';
import type { Release } from '../../../api/release.ts';
import { formatSyncRequest, joinOrReplace } from '../../../api/syncRequest.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { syncToken } from '../../support/syncToken.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const CLIENTS = 10;
const EACH = 20;

/** All that the status ever said of requests: it holds the last ones alone. */
class Outcomes {
  readonly #results = new Map<string, string>();
  readonly #superseded = new Map<string, string>();
  /** How often each was taken, told by the times at which. */
  readonly #taken = new Map<string, Set<string>>();

  see({ status }: Pick<Release, 'status'>): void {
    for (const { id, at = '', result, supersedes = [] } of status?.sync?.recent ?? []) {
      this.#taken.set(id, (this.#taken.get(id) ?? new Set()).add(at));
      if (result !== undefined) this.#results.set(id, result);
      for (const replaced of supersedes) this.#superseded.set(replaced, id);
    }
  }

  /** Whether it was handled, itself or by the one that replaced it. */
  isHandled(id: string): boolean {
    const replacedBy = this.#superseded.get(id);
    return this.#results.has(id) || (replacedBy !== undefined && this.isHandled(replacedBy));
  }

  timesTaken(id: string): number {
    return this.#taken.get(id)?.size ?? 0;
  }
}

/** As a pipeline does it: over HTTP, with a token of its own. @returns the id that answers for the request */
async function post(token: string): Promise<string> {
  const url = `${await releases.controller.url}/sync/${releases.namespace}/${NAME}?force=true`;
  for (;;) {
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    const { id, error } = (await response.json()) as { id?: string; error?: string };
    if (response.status === 202 && id !== undefined) return id;
    // Right after a grant the authoriser may not know of it yet; a conflict with all others is to be tried again.
    if (![403, 409, 503].includes(response.status)) throw new Error(`${response.status}: ${error ?? ''}`);
  }
}

/** As kubectl convoy does it: the annotation, over the very state that was read. */
async function annotate(id: string): Promise<string> {
  const { api } = releases.cluster;
  const path = `${releasesPath(releases.namespace)}/${NAME}`;
  for (;;) {
    const { metadata, status } = (await api.must('GET', path)) as unknown as Release;
    const handled = (status?.sync?.recent ?? []).map((request) => request.id);
    const decision = joinOrReplace(metadata.annotations?.[SYNC], handled, { id, force: true });
    if ('join' in decision) return decision.join.id;
    const { resourceVersion } = metadata;
    const annotations = { [SYNC]: formatSyncRequest(decision.write) };
    const reply = await api.request('PATCH', path, { metadata: { resourceVersion, annotations } });
    if (reply.status === 200) return id;
    expect(reply.status).toBe(409);
  }
}

test('of two hundred forced syncs from ten clients at once each is handled once, or named by the one that replaced it', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const tokens = await Promise.all(
    Array.from({ length: CLIENTS / 2 }, (_, client) => syncToken(releases, `pipeline-${client}`, ['update'])),
  );

  const outcomes = new Outcomes();
  const enough = new AbortController();
  const following = releases.cluster.api.follow(
    releasesPath(releases.namespace),
    async (release) => {
      await Promise.resolve();
      outcomes.see(release as unknown as Release);
    },
    enough.signal,
  );
  const pipelines = tokens.flatMap((token) => Array.from({ length: EACH }, () => post(token)));
  const people = Array.from({ length: (CLIENTS / 2) * EACH }, (_, index) => annotate(`person-${index}`));
  const ids = await Promise.all([...pipelines, ...people]);
  expect(ids).toHaveLength(200);

  await expect.poll(() => ids.filter((id) => !outcomes.isHandled(id)), { timeout: 60_000 }).toEqual([]);
  const { status } = await releases.get();
  expect(status?.sync?.active).toBeUndefined();
  expect([...new Set(ids)].filter((id) => outcomes.timesTaken(id) > 1)).toEqual([]);
  enough.abort();
  await following;
});
