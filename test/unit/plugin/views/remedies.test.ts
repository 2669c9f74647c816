import { describe, expect, it } from 'vitest';
import { UNAVAILABLE_FIELDS } from '../../../../api/available.ts';
import { REASONS, type ReasonDoc } from '../../../../api/conditions.ts';
import { remedyFor } from '../../../../plugin/views/remedies.ts';

const UNAVAILABLE_NOW = UNAVAILABLE_FIELDS.map(({ path }) => `spec.${path}`);
const RELEASE = { namespace: 'apps', name: 'podinfo' };
const reasons = Object.entries<ReasonDoc>({ ...REASONS.Applied, ...REASONS.Healthy, ...REASONS.Ready });

describe('what to do', () => {
  it.each(reasons.filter(([, { status }]) => status !== 'True'))('about %s is told', (reason) => {
    expect(remedyFor(reason, RELEASE)).not.toEqual([]);
  });

  it('names the Release in its commands', () => {
    expect(remedyFor('Suspended', RELEASE)).toContain('kubectl convoy release resume podinfo -n apps');
  });

  it.each(reasons)('about %s is nothing that this version refuses', (reason) => {
    const advice = remedyFor(reason, RELEASE).join('\n');
    expect(UNAVAILABLE_NOW.filter((name) => advice.includes(name))).toEqual([]);
  });

  it('is nothing for a reason of a newer controller', () => {
    expect(remedyFor('SomethingNew', RELEASE)).toEqual([]);
    expect(remedyFor('constructor', RELEASE)).toEqual([]);
  });
});
