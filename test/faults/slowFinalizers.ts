import { setTimeout as delay } from 'node:timers/promises';
import type { ApiAccess } from '../controlplane/apiAccess.ts';
import { HOLD } from '../model/world.ts';

/** So long is an object on its way out: a controller can be killed meanwhile (ms). */
const HOLD_MS = 300;

/** Takes the test's finalizer off ConfigMaps that are being deleted, some time after that, until the signal aborts. */
export async function letGoSlowly(api: ApiAccess, namespace: string, signal: AbortSignal): Promise<void> {
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.follow(
    collection,
    async ({ metadata }) => {
      const finalizers = (metadata['finalizers'] ?? []) as string[];
      if (metadata['deletionTimestamp'] === undefined || !finalizers.includes(HOLD)) return;
      await delay(HOLD_MS, undefined, { signal });
      await api.must('PATCH', `${collection}/${metadata.name}`, { metadata: { finalizers: null } });
    },
    signal,
  );
}
