import { expect, test } from 'vitest';
import { ADOPTION_POLICY, type AdoptionPolicy } from '../../../../api/annotations.ts';
import { adoptionObstacle } from '../../../../engine/plan/adoption.ts';

test.each<
  [AdoptionPolicy, { isOurs: boolean; owner?: string; liveSaysAlways?: boolean }, RegExp | undefined]
>([
  ['IfUnowned', { isOurs: false }, undefined],
  ['IfUnowned', { isOurs: false, owner: 'b in apps' }, /^belongs to the Release b in apps/],
  ['IfUnowned', { isOurs: true, owner: 'b in apps' }, /^belongs to the Release b in apps/],
  ['Always', { isOurs: false, owner: 'b in apps' }, undefined],
  ['Always', { isOurs: true, owner: 'b in apps' }, undefined],
  ['Always', { isOurs: true, owner: 'b in apps', liveSaysAlways: true }, /^belongs to/],
  ['Never', { isOurs: false }, /^exists already/],
  ['Never', { isOurs: true }, undefined],
])('with %s, %j', (adoptionPolicy, { isOurs, owner, liveSaysAlways = false }, obstacle) => {
  const annotations = liveSaysAlways ? { [ADOPTION_POLICY]: 'Always' } : {};
  const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } };
  const found = adoptionObstacle({ adoptionPolicy, live, isOurs, owner });
  if (obstacle === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(obstacle);
});
