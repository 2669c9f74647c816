import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESOURCES } from '../../api/group.ts';
import type { GlobalHealthRuleSet, GlobalHealthRuleSetStatus } from '../../api/healthRules.ts';
import { RULE_SET_REASONS, type RuleSetReason } from '../../api/conditions.ts';
import { ruleProblems } from '../../engine/admission/healthRules.ts';
import { counted } from '../../engine/health/message.ts';
import type { Rule } from '../../engine/health/rules/rule.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { WorkQueue } from '../../kube/workQueue.ts';
import type { Log } from '../log.ts';
import { timestamp, withCondition } from '../release/conditions.ts';
import { writeStatus } from '../writeStatus.ts';

/** A rule set as it is now, with its rules. */
export interface KnownRuleSet {
  set: GlobalHealthRuleSet;
  rules: readonly Rule[];
}

interface RuleSetStatusOptions {
  client: KubeClient;
  find: (name: string) => KnownRuleSet | undefined;
  now: () => Date;
  log: Log;
}

/** Waits between attempts that failed (ms). */
const BACKOFF = { baseMs: 200, maxMs: 120_000 };

/** Writes down for each GlobalHealthRuleSet whether its expressions can be evaluated. */
export class RuleSetStatuses {
  readonly #options: RuleSetStatusOptions;
  readonly #queue: WorkQueue;

  constructor(options: RuleSetStatusOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      onHandlerError: (name, error) =>
        options.log.warn({ ruleSet: name, err: error }, 'the status of a rule set could not be written'),
      backoff: BACKOFF,
    });
  }

  /** It is new, or another one. */
  add(name: string): void {
    this.#queue.add(name);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#queue.run((name) => this.#write(name), { concurrency: 1, signal });
    await this.#queue.shutDown();
  }

  async #write(name: string): Promise<void> {
    const known = this.#options.find(name);
    if (known === undefined) return;
    const problems = await problemsOf(known.rules);
    try {
      await this.#apply(known.set, problems);
    } catch (error) {
      // What changed it meanwhile is on the way here.
      if (isConflict(error)) {
        this.#queue.addRateLimited(name);
        return;
      }
      if (!isNotFound(error)) throw error;
    }
    this.#queue.forget(name);
  }

  async #apply(set: GlobalHealthRuleSet, problems: readonly string[]): Promise<void> {
    const { generation = 0 } = set.metadata;
    const reason: RuleSetReason = problems.length === 0 ? 'RulesValid' : 'RulesInvalid';
    const { status } = RULE_SET_REASONS[reason];
    const message =
      problems.length === 0
        ? `${counted(set.spec.rules.length, 'rule')} can be evaluated`
        : problems.join('\n');
    const context = { now: timestamp(this.#options.now()), generation };
    const wanted: GlobalHealthRuleSetStatus = {
      observedGeneration: generation,
      conditions: withCondition(set.status?.conditions ?? [], 'Ready', { status, reason, message }, context),
    };
    await writeStatus(this.#options.client, RESOURCES.GlobalHealthRuleSet, set, wanted);
  }
}

/** One rule at a time: reading hundreds of expressions at once would hold up all else. */
async function problemsOf(rules: readonly Rule[]): Promise<string[]> {
  for (const rule of rules) {
    rule.read();
    await nextTurn();
  }
  return ruleProblems(rules, 'spec.rules');
}
