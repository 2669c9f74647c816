import { describe, expect, it } from 'vitest';
import type { Release, ReleaseSpec, ReleaseStatus } from '../../../../api/release.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { rolloutFields, rolloutLine } from '../../../../plugin/views/rolloutFields.ts';
import { before, condition, digest, NOW, release } from '../release.ts';

const page = { now: NOW, width: Infinity, paint: plain };
const record = (letter: string) => ({ renderRef: digest(letter), revision: 'r', at: before(500) });
type State = NonNullable<ReleaseStatus['rollout']>['state'];

interface Story {
  state: State;
  seconds?: number;
  message?: string;
  spec?: Partial<ReleaseSpec>;
  status?: ReleaseStatus;
}

function shop({ state, seconds = 60, message, spec = {}, status = {} }: Story): Release {
  const rollout = {
    ...{ state, renderRef: digest('b'), startedAt: before(seconds) },
    ...(message === undefined ? {} : { message }),
  };
  const policy = {
    failurePolicy: { rollback: 'OnReleaseFailure' },
    healthAssessment: { deadline: '5m' },
  } as const;
  return release(
    { rollout, lastHealthy: record('a'), lastSuccessful: record('a'), ...status },
    { spec: { source: { inline: 'x' }, ...policy, ...spec } },
  );
}

const text = (story: Story) => rolloutFields(shop(story), page).map((line) => line.replace(/ {2,}/g, ' '));

describe('a rollout is told', () => {
  it.each<[string, Story, string[]]>([
    [
      'with the time it has',
      { state: 'Progressing' },
      [
        'Rollout Progressing since 60s: sha256:bbbbbbbbbbbb is to become healthy',
        ' 4m left of 5m, then it is rolled back to sha256:aaaaaaaaaaaa',
      ],
    ],
    [
      'without a rollback',
      { state: 'Progressing', spec: { failurePolicy: {} } },
      [
        'Rollout Progressing since 60s: sha256:bbbbbbbbbbbb is to become healthy',
        ' 4m left of 5m, then it has failed, and stays applied',
      ],
    ],
    [
      'with nothing to go back to',
      { state: 'Progressing', status: { lastHealthy: record('b') } },
      [
        'Rollout Progressing since 60s: sha256:bbbbbbbbbbbb is to become healthy',
        ' 4m left of 5m, then it has failed and stays applied: it is itself the last render that was healthy',
      ],
    ],
    [
      'after its time',
      { state: 'Progressing', seconds: 330 },
      [
        'Rollout Progressing since 5m30s: sha256:bbbbbbbbbbbb is to become healthy',
        ' Its 5m passed 30s ago. It fails only while objects of it are Progressing or Degraded: then it is rolled back to sha256:aaaaaaaaaaaa',
      ],
    ],
    [
      'before it is applied',
      {
        state: 'Progressing',
        status: { conditions: [condition('Ready', 'False', 'WaitingForSync')] },
      },
      [
        'Rollout Progressing since 60s: sha256:bbbbbbbbbbbb is to become healthy',
        ' Its deadline begins when it is applied.',
      ],
    ],
    [
      'that went well',
      { state: 'Succeeded' },
      ['Rollout Succeeded: sha256:bbbbbbbbbbbb became healthy; it began 60s ago'],
    ],
    [
      'that failed',
      { state: 'Failed', message: 'a wave failed; it is not rolled back\nDeployment web' },
      [
        'Rollout Failed: sha256:bbbbbbbbbbbb: a wave failed; it is not rolled back',
        ' Deployment web',
        ' It succeeds all the same when all objects become healthy.',
      ],
    ],
    [
      'that was rolled back',
      {
        state: 'RolledBack',
        message: 'release did not become healthy within 5m0s; rolled back to sha256:aa\nDeployment web',
        status: {
          conditions: [condition('Applied', 'True', 'RolledBack')],
          history: [{ number: 7, renderRef: digest('a'), revision: 'r', appliedAt: before(900) }],
        },
      },
      [
        'Rollout RolledBack: from sha256:bbbbbbbbbbbb to sha256:aaaaaaaaaaaa (history 7)',
        ' why: release did not become healthy within 5m0s; rolled back to sha256:aa',
        ' Deployment web',
        ' It stays there until there is a new render, a pin, or a sync with --force.',
      ],
    ],
  ])('%s', (_, story, expected) => {
    expect(text(story)).toEqual(expected);
  });
});

describe('a pin and a suspension', () => {
  it('are told with who set them, when and why', () => {
    const pinned = shop({
      state: 'Progressing',
      spec: { pin: { history: 7, reason: 'INC-1' }, suspend: true },
    });
    pinned.status = { ...pinned.status, pin: { renderRef: digest('a'), history: 7 } };
    const managedFields = [
      { manager: 'kubectl-convoy', time: before(300), fieldsV1: { 'f:spec': { 'f:pin': {} } } },
    ];
    pinned.metadata.managedFields = managedFields;
    expect(rolloutFields(pinned, page).map((line) => line.replace(/ {2,}/g, ' '))).toEqual([
      'Suspended nothing is applied, put right or pruned',
      'Pinned to render sha256:aaaaaaaaaaaa (history 7), whatever the source says (set by kubectl-convoy, 5m ago)',
      ' why: INC-1',
      'Rollout Progressing since 60s: sha256:bbbbbbbbbbbb is to become healthy',
      ' It stands still while the Release is pinned.',
    ]);
  });

  it('are nothing where there is none', () => {
    expect(rolloutFields(release({}), page)).toEqual([]);
  });
});

describe('the line of a rollout', () => {
  it('is the same as long as nothing happens', () => {
    expect(rolloutLine(shop({ state: 'Progressing', message: 'waits' }))).toBe(
      'Progressing (sha256:bbbbbbbbbbbb) until 2026-03-01T12:04:00Z: waits',
    );
    expect(rolloutLine(shop({ state: 'Succeeded' }))).toBe('Succeeded (sha256:bbbbbbbbbbbb)');
    expect(rolloutLine(release({}))).toBeUndefined();
  });
});
