import { describe, expect, it } from 'vitest';
import { API_VERSION } from '../../../../api/group.ts';
import { CliProblem } from '../../../../plugin/cli/problem.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { checkHealth, readRules } from '../../../../plugin/offline/health.ts';
import { healthTable } from '../../../../plugin/views/healthTable.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const target = { group: 'sea.example', kind: 'Ship' };

const ruleSet = (name: string, ...rules: object[]) => ({
  apiVersion: API_VERSION,
  kind: 'GlobalHealthRuleSet',
  metadata: { name },
  spec: { rules: rules.map((rule) => ({ target, ...rule })) },
});
const release = (...rules: object[]) => ({
  apiVersion: API_VERSION,
  kind: 'Release',
  metadata: { name: 'app', namespace: 'shop' },
  spec: { source: { inline: '' }, healthAssessment: { rules: rules.map((rule) => ({ target, ...rule })) } },
});
const ship = (name: string, status?: object, annotations = {}) => ({
  apiVersion: 'sea.example/v1',
  kind: 'Ship',
  metadata: { name, namespace: 'port', annotations },
  status,
});
const file = (path: string, ...objects: object[]) => ({
  path,
  text: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
});

async function problemOf(...files: ReturnType<typeof file>[]): Promise<CliProblem> {
  const error: unknown = await readRules(files).catch((thrown: unknown) => thrown);
  if (!(error instanceof CliProblem)) throw new Error('the rules are refused');
  return error;
}

describe('health check', () => {
  const objects = [
    file('a.yaml', ship('ark', { phase: 'Afloat' }), ship('hulk', { phase: 'Sunk' })),
    file('b.yaml', ship('raft'), ship('wreck', {}, { 'convoy.kumodo.io/health': 'ignore' })),
  ];
  const afloat = {
    degraded: "status.phase == 'Sunk'",
    healthy: "status.phase == 'Afloat'",
    message: 'status.phase',
  };

  it('says of each object its state, the rule and why', async () => {
    const rules = await readRules([file('rules.yaml', ruleSet('ships', afloat))]);
    const reports = checkHealth(objects, rules, NOW);
    expect(reports[0]).toEqual({
      file: 'a.yaml',
      group: 'sea.example',
      kind: 'Ship',
      namespace: 'port',
      name: 'ark',
      state: 'Healthy',
      message: 'Afloat',
      rule: 'rules[0] of ships',
    });
    expect(reports.map(({ name, state, rule }) => [name, state, rule])).toEqual([
      ['ark', 'Healthy', 'rules[0] of ships'],
      ['hulk', 'Degraded', 'rules[0] of ships'],
      ['raft', 'Progressing', 'rules[0] of ships'],
      ['wreck', 'Healthy', 'ignored'],
    ]);
    expect(healthTable(reports, { wide: false, paint: plain }).slice(0, 3)).toEqual([
      'STATE         OBJECT                           RULE                MESSAGE',
      'Healthy       sea.example/Ship ark in port     rules[0] of ships   Afloat',
      'Degraded      sea.example/Ship hulk in port    rules[0] of ships   Sunk',
    ]);
  });

  it('asks the rules of a Release first, then rule sets by name, then what is known of the kind', async () => {
    const named = (name: string) => ({ target: { ...target, name }, healthy: 'true' });
    const rules = await readRules([
      file('sets.yaml', ruleSet('b', named('hulk'), named('raft')), ruleSet('a', named('hulk'))),
      file('release.yaml', release({ ...afloat, target: { ...target, name: 'ark' } })),
    ]);
    expect(checkHealth(objects, rules, NOW).map(({ rule }) => rule)).toEqual([
      'spec.healthAssessment.rules[0]',
      'rules[0] of a',
      'rules[1] of b',
      'ignored',
    ]);
    expect(
      checkHealth(objects, [], NOW)
        .map(({ rule }) => rule)
        .slice(0, 3),
    ).toEqual(Array(3).fill('built-in'));
  });

  it('passes over what lies beside rules', async () => {
    expect(await readRules([file('all.yaml', ship('ark'), ruleSet('a', afloat))])).toHaveLength(1);
    expect(await readRules([])).toEqual([]);
  });

  it('tells all that is wrong with rules, with file and rule', async () => {
    const problem = await problemOf(
      file('a.yaml', ship('ark'), ruleSet('ships', afloat, { healthy: 'stats.phase' })),
      file('b.yaml', ruleSet('ships', { target: { kind: 'Ship' }, healthy: 'true' })),
      file('c.yaml', release({ healthy: 'true +' })),
      file('d.yaml', { ...ruleSet('x', afloat), kind: 'GlobalHealthRuleset' }),
    );
    expect(problem).toMatchObject({ message: 'the rules cannot be used', exitCode: 1 });
    expect(problem.why).toEqual([
      expect.stringMatching(
        /^a\.yaml:\d+: core\.convoy\.kumodo\.io\/GlobalHealthRuleSet ships: spec\.rules\[1\] \(Ship of sea\.example\): healthy: column 1: unknown variable stats/,
      ),
      expect.stringContaining(
        'b.yaml:1: core.convoy.kumodo.io/GlobalHealthRuleSet ships: spec.rules[0].target.group: must be set',
      ),
      expect.stringContaining(
        'c.yaml:1: core.convoy.kumodo.io/Release app in shop: spec.healthAssessment.rules[0]',
      ),
      expect.stringContaining('did you mean GlobalHealthRuleSet?'),
      expect.stringMatching(/^b\.yaml:1: the rule set ships stands in a\.yaml:\d+ too$/),
    ]);
  });

  it('refuses files without a rule', async () => {
    expect((await problemOf(file('a.yaml', ship('ark')))).message).toBe('there are no rules');
  });
});
