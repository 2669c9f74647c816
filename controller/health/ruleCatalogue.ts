import { RESOURCES } from '../../api/group.ts';
import type { GlobalHealthRuleSet } from '../../api/healthRules.ts';
import type { Release } from '../../api/release.ts';
import type { Rule } from '../../engine/health/rules/rule.ts';
import { localRules, rulesOfSet, selectedSets } from '../../engine/health/rules/ruleSets.ts';
import type { Selector } from '../../engine/mutations/selector.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { labelsOf } from '../../api/ownership.ts';
import type { KnownRuleSet } from './ruleSetStatuses.ts';

/** Rules that are kept as long as their text stays the same, so that what was judged by them stands. */
interface KnownRules {
  text: string;
  rules: readonly Rule[];
}

interface KnownRelease {
  key: string;
  local: KnownRules;
  selector: Selector | undefined;
  /** All its rules, as of a state of the rule sets. */
  chain: { version: number; rules: readonly Rule[] } | undefined;
}

export interface RuleCatalogueOptions {
  client: KubeClient;
  onFault: (fault: ReflectorFault) => void;
  /** The rules of a Release may be others now. */
  onChange: (release: string) => void;
  /** A rule set is new, or another one. @param name its name */
  onRuleSet: (name: string) => void;
}

/** The health rules of every Release: its own, then those of the rule sets that it selects, by a watch. */
export class RuleCatalogue {
  readonly #options: RuleCatalogueOptions;
  readonly #sets: Reflector<GlobalHealthRuleSet>;
  readonly #rules = new Map<string, KnownRules>();
  /** By what labels name a Release by. */
  readonly #releases = new Map<string, KnownRelease>();
  readonly #faulty = Promise.withResolvers<never>();
  /** Counts the changes of rule sets. */
  #version = 0;

  constructor(options: RuleCatalogueOptions) {
    this.#options = options;
    const resource = RESOURCES.GlobalHealthRuleSet;
    this.#sets = new Reflector<GlobalHealthRuleSet>(listWatchOf(options.client, resource), {
      onFault: (fault) => {
        this.#faulty.reject(fault.error);
        options.onFault(fault);
      },
    });
    this.#faulty.promise.catch(() => undefined);
    this.#sets.addHandler({
      onAdd: (set) => this.#changed(set),
      onUpdate: (set, previous) => this.#changed(set, previous),
      onDelete: (set) => this.#gone(set),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#sets.run(signal);
  }

  /**
   * Waits for the rule sets, where a Release selects any: judged without them, it could pass a gate too early.
   * @throws ApiError, ConnectionError where they cannot be read
   */
  async ready({ spec }: Release, signal: AbortSignal): Promise<void> {
    if (spec.healthAssessment?.globalRuleSetSelector === undefined || this.#sets.hasSynced) return;
    await unlessAborted(Promise.race([this.#sets.synced, this.#faulty.promise]), signal);
  }

  /** Takes in what a Release says of its rules. @param key `namespace/name` */
  learn(key: string, { spec }: Release): void {
    const { rules = [], globalRuleSetSelector } = spec.healthAssessment ?? {};
    const text = JSON.stringify(rules);
    const owner = labelsOf(key);
    const known = this.#releases.get(owner);
    const local = known?.local.text === text ? known.local : { text, rules: localRules(rules) };
    this.#releases.set(owner, {
      key,
      local,
      selector: globalRuleSetSelector,
      chain: undefined,
    });
  }

  forget(key: string): void {
    this.#releases.delete(labelsOf(key));
  }

  /** A rule set as it is now. */
  find(name: string): KnownRuleSet | undefined {
    const set = this.#sets.get(name);
    return set && { set, rules: this.#rules.get(name)?.rules ?? [] };
  }

  /**
   * The rules of a Release, the first that is for an object counts.
   * @param owner the Release, as labels name it
   */
  rulesOf(owner: string): readonly Rule[] {
    const release = this.#releases.get(owner);
    if (release === undefined) return [];
    if (release.chain?.version !== this.#version) {
      const selected = selectedSets(this.#sets.list(), release.selector);
      const global = selected.flatMap(({ metadata }) => this.#rules.get(metadata.name)?.rules ?? []);
      release.chain = { version: this.#version, rules: [...release.local.rules, ...global] };
    }
    return release.chain.rules;
  }

  #changed(set: GlobalHealthRuleSet, previous?: GlobalHealthRuleSet): void {
    const { name } = set.metadata;
    const text = JSON.stringify(set.spec);
    const isSame = this.#rules.get(name)?.text === text;
    const isSelectedAlike = JSON.stringify(set.metadata.labels) === JSON.stringify(previous?.metadata.labels);
    if (!isSame) {
      this.#rules.set(name, { text, rules: rulesOfSet(set) });
      this.#options.onRuleSet(name);
    }
    if (!isSame || !isSelectedAlike) this.#tell([set, ...(previous === undefined ? [] : [previous])]);
  }

  #gone(set: GlobalHealthRuleSet): void {
    this.#rules.delete(set.metadata.name);
    this.#tell([set]);
  }

  /** @param states a rule set before and after a change */
  #tell(states: readonly GlobalHealthRuleSet[]): void {
    this.#version += 1;
    for (const { key, selector } of this.#releases.values())
      if (selectedSets(states, selector).length > 0) this.#options.onChange(key);
  }
}
