import { expect, test } from 'vitest';
import type { AuditEvent } from '../controlplane/audit.ts';
import { useAuditedReleases } from '../integration/controller/fixture.ts';
import { configMapIn, deploymentIn, sourceOf } from '../support/wavedObjects.ts';

const { releases, plane } = useAuditedReleases({ kwok: true });

const NAMES = Array.from({ length: 20 }, (_, index) => `app-${index}`);

const version = (name: string, fail?: 'crash'): string =>
  sourceOf(
    configMapIn({ wave: 0 }, `${name}-${fail ?? 'well'}`),
    deploymentIn({ wave: 0 }, name, fail === undefined ? {} : { fail }),
  );

/** Bodies of the applies of a Deployment, in order: whose version each was. */
function versionsOf(events: readonly AuditEvent[], name: string): string[] {
  return events
    .filter(
      ({ verb, stage, objectRef, userAgent = '', requestURI }) =>
        verb === 'patch' &&
        stage === 'ResponseComplete' &&
        objectRef?.resource === 'configmaps' &&
        objectRef.name?.startsWith(`${name}-`) &&
        userAgent.startsWith('convoy/') &&
        !requestURI.includes('dryRun'),
    )
    .map(({ objectRef }) => objectRef?.name?.slice(name.length + 1) ?? '');
}

test(
  'twenty Releases are rolled back, and none applies its failed render again',
  { timeout: 120_000 },
  async () => {
    for (const name of NAMES)
      await releases.create(
        {
          source: { inline: version(name) },
          healthAssessment: { deadline: '10s' },
          failurePolicy: { rollback: 'OnReleaseFailure' },
          syncPolicy: { prune: { orphaned: true } },
        },
        { name },
      );
    for (const name of NAMES) await releases.until(({ status }) => status?.lastHealthy !== undefined, name);
    for (const name of NAMES) await releases.inline(version(name, 'crash'), name);
    for (const name of NAMES)
      await releases.until(({ status }) => status?.rollout?.state === 'RolledBack', name);
    for (const name of NAMES) await releases.ready('RolledBack', name, 60_000);
    const events = await plane().auditEvents();
    const applied = NAMES.map((name) => versionsOf(events, name).join(' '));
    expect(applied).toEqual(NAMES.map(() => 'well crash well'));
  },
);
