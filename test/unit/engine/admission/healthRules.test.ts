import { describe, expect, it } from 'vitest';
import { API_VERSION } from '../../../../api/group.ts';
import { reviewObject } from '../../../../engine/admission/reviewObject.ts';
import { reviewOf } from './support.ts';

const target = { group: 'example.com', kind: 'Widget' };
const rule = (rest: object) => ({ target, ...rest });

const reviewSet = async (...rules: object[]) =>
  await reviewObject(
    { apiVersion: API_VERSION, kind: 'GlobalHealthRuleSet', metadata: { name: 'x' }, spec: { rules } },
    '',
  );
const reviewLocal = async (...rules: object[]) => {
  const { problems, warnings } = await reviewOf({ healthAssessment: { rules } });
  return { problems: problems.filter((problem) => !problem.includes('not available yet')), warnings };
};

describe.each([
  ['a rule set', reviewSet, 'spec.rules'],
  ['a Release', reviewLocal, 'spec.healthAssessment.rules'],
])('the rules of %s', (_, review, path) => {
  it('are fine where they compile', async () => {
    const rules = [
      rule({ degraded: 'status.failed', healthy: 'status.ready', message: 'status.message' }),
      rule({ target: { ...target, kind: 'Gadget', version: 'v1', namespace: 'shop' }, healthy: 'true' }),
    ];
    expect(await review(...rules)).toEqual({ problems: [], warnings: [] });
  });

  it.each([
    ['syntax', { healthy: 'status.' }, 'healthy: column 7: cannot be read: found .'],
    [
      'a variable',
      { degraded: 'statu.failed', healthy: 'status.ready' },
      'degraded: column 1: unknown variable statu; did you mean status?',
    ],
    [
      'a function',
      { healthy: 'true', message: 'join()' },
      'message: column 1: join is not called in this way',
    ],
    ['a regular expression', { healthy: "status.x.matches('(')" }, 'healthy: column 9: error parsing regexp'],
    [
      'cost',
      { progressing: 'spec.a.all(a, a.all(b, b.all(c, c.all(d, d.all(e, true)))))' },
      'progressing: costs too much',
    ],
  ])('are refused for %s, with rule and position', async (_name, expressions, why) => {
    const problems = (
      await review(rule({ healthy: 'true', target: { ...target, kind: 'A' } }), rule(expressions))
    )?.problems;
    expect(problems).toHaveLength(1);
    expect(problems?.[0]).toContain(`${path}[1] (Widget of example.com): ${why}`);
  });

  it('are all told at once', async () => {
    const problems = (await review(rule({ healthy: 'a', degraded: 'b' }), rule({ healthy: 'c' })))?.problems;
    expect(problems?.map((problem) => problem.replace(/; there are .*/, ''))).toEqual([
      `${path}[0] (Widget of example.com): degraded: column 1: unknown variable b`,
      `${path}[0] (Widget of example.com): healthy: column 1: unknown variable a`,
      `${path}[1] (Widget of example.com): healthy: column 1: unknown variable c`,
    ]);
  });

  it.each([
    [
      { group: 'example.com/v1', kind: 'Widget' },
      'target.group: is "example.com/v1": must be an API group without its version',
    ],
    [
      { group: 'example.com', version: 'example.com/v1', kind: 'Widget' },
      'target.version: is "example.com/v1": must be an API version',
    ],
    [{ group: '', kind: 'Config Map' }, 'target.kind: is "Config Map": must be the name of a kind'],
    [{ kind: 'Widget' }, 'target.group: must be set'],
    [
      { group: '', kind: 'Namespace', namespace: 'a' },
      'target.namespace: a Namespace has no namespace: leave it out',
    ],
  ])('are refused for a target that is for nothing: %j', async (wrong, why) => {
    const problems = (await review(rule({ target: wrong, healthy: 'true' })))?.problems;
    expect(problems?.join('\n')).toContain(why);
  });

  it('are refused where they say nothing', async () => {
    expect((await review(rule({ message: "'x'" })))?.problems.join()).toContain('set at least one of');
  });

  it('are doubted where one is never asked', async () => {
    const wide = rule({ healthy: 'true' });
    const narrow = { target: { ...target, name: 'a', namespace: 'b' }, healthy: 'true' };
    expect(await review(narrow, wide)).toMatchObject({ warnings: [] });
    expect(await review(wide, narrow)).toMatchObject({
      problems: [],
      warnings: [
        `${path}[1] (Widget a of example.com in b) is never asked, since ${path}[0] is for all that it is for: ` +
          'put it before that one, or remove it',
      ],
    });
  });
});

it('the rules of one Release have a limit together', async () => {
  const long = `status.x == '${'x'.repeat(4000)}'`;
  const rules = Array.from({ length: 9 }, (_, index) =>
    rule({ target: { ...target, name: `w${index}` }, healthy: long }),
  );
  expect((await reviewLocal(...rules)).problems).toEqual([
    'spec.healthAssessment.rules: their expressions have 36126 characters, at most 32768: ' +
      'put them into a GlobalHealthRuleSet, or make them shorter',
  ]);
  expect(await reviewSet(...rules)).toEqual({ problems: [], warnings: [] });
});
