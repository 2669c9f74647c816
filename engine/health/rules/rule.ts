import type { HealthRule, HealthState } from '../../../api/healthRules.ts';
import type { KubeObject } from '../../../api/object.ts';
import { type Assessment, progressing, unknown } from '../assessment.ts';
import { atTime, type Bindings, bindingsOf, NO_STATUS } from './bindings.ts';
import { METER } from './environment.ts';
import { compileExpression, type Expression, type Outcome } from './expression.ts';
import { COST_LIMIT, FEW_STEPS } from './meter.ts';
import { expressionsLength } from './length.ts';
import { nextChange } from './nextChange.ts';
import { asText, typeName } from './result.ts';
import { ExpressionError } from './syntax.ts';
import { isFor } from './target.ts';

/** In the order in which they are asked; the first that is true decides. */
const STATES = [
  ['degraded', 'Degraded'],
  ['progressing', 'Progressing'],
  ['healthy', 'Healthy'],
] as const satisfies readonly (readonly [keyof HealthRule, HealthState])[];
const FIELDS = [...STATES.map(([field]) => field), 'message'] as const;

type Field = (typeof FIELDS)[number];
type Expressions = Readonly<Partial<Record<Field, Expression>>>;

/** What reading an expression takes, at worst. */
const STEPS_PER_CHARACTER = 15;

/** When to look again where it cannot be told when time changes the answer (ms). */
const RECHECK_MS = 60_000;

/** One health rule, whose expressions are read when it is asked first. */
export class Rule {
  /** Which it is: `rules[2] of cert-manager`. */
  readonly where: string;
  readonly spec: HealthRule;
  readonly #isLocal: boolean;
  #compiled: Expressions | undefined;
  #problems: readonly string[] = [];

  /** @param isLocal a Release brings it: reading it is paid for as well, since anybody may write many of those */
  constructor(spec: HealthRule, where: string, isLocal = false) {
    this.spec = spec;
    this.where = where;
    this.#isLocal = isLocal;
  }

  isFor(object: KubeObject): boolean {
    return isFor(this.spec.target, object);
  }

  /** Reads its expressions, which the first question does otherwise. */
  read(): void {
    this.#expressions();
  }

  /** What is wrong with its expressions: `healthy: column 8: unknown variable …`. */
  get problems(): readonly string[] {
    this.#expressions();
    return this.#problems;
  }

  /**
   * What it says of an object. Pure, and never throws: an expression that fails, or costs too much, makes Unknown.
   * @param object one that it is for
   */
  judge(object: KubeObject, now: Date): Assessment {
    const reading = this.#readingSteps();
    const expressions = this.#expressions();
    const [problem] = this.#problems;
    if (problem !== undefined) return counted(unknown(`${this.where}: ${problem}`), reading);
    METER.start();
    const bindings = bindingsOf(object, now, METER);
    const decided = this.#decide(expressions, bindings);
    const assessment = { ...decided, message: decided.message || this.#message(expressions, bindings) };
    const steps = reading + COST_LIMIT - METER.left;
    const usesNow = STATES.some(([field]) => expressions[field]?.usesNow === true);
    if (!usesNow) return counted(assessment, steps);
    const recheckAfterMs = this.#recheckAfter(expressions, bindings, now);
    return counted({ ...assessment, recheckAfterMs }, steps + COST_LIMIT - METER.left);
  }

  #readingSteps(): number {
    const isFree = !this.#isLocal || this.#compiled !== undefined;
    return isFree ? 0 : STEPS_PER_CHARACTER * expressionsLength([this.spec]);
  }

  /** The message is left empty where an expression decides. */
  #decide(expressions: Expressions, bindings: Bindings): Assessment {
    for (const [field, state] of STATES) {
      const outcome = expressions[field]?.evaluate(bindings) ?? { value: false };
      if ('error' in outcome) return this.#failed(field, outcome.error);
      if (outcome.value === true) return { state, message: '' };
      if (outcome.value !== false)
        return this.#failed(field, `gives ${typeName(outcome.value)}, and has to give true or false`);
    }
    return { state: 'Unknown', message: '' };
  }

  #failed(field: Field, error: string): Assessment {
    return error === NO_STATUS ? progressing(NO_STATUS) : unknown(`${this.where}: ${field}: ${error}`);
  }

  #message({ message }: Expressions, bindings: Bindings): string {
    const own = `by ${this.where}`;
    if (message === undefined) return own;
    const outcome: Outcome = message.evaluate(bindings);
    if ('error' in outcome) return `${own} (its message: ${outcome.error})`;
    const text = asText(outcome.value);
    if (text === undefined) return `${own} (its message gives ${typeName(outcome.value)}, no text)`;
    return text === '' ? own : text;
  }

  #recheckAfter(expressions: Expressions, bindings: Bindings, now: Date): number {
    METER.start(COST_LIMIT);
    const afterMs = nextChange((aheadMs) => {
      const later = new Date(now.getTime() + aheadMs);
      return this.#decide(expressions, atTime(bindings, later)).state;
    });
    return METER.isExhausted ? RECHECK_MS : afterMs;
  }

  #expressions(): Expressions {
    if (this.#compiled !== undefined) return this.#compiled;
    const compiled: Partial<Record<Field, Expression>> = {};
    const problems: string[] = [];
    for (const field of FIELDS) {
      const text = this.spec[field];
      if (text === undefined) continue;
      try {
        compiled[field] = compileExpression(text);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        problems.push(`${field}: ${error.message}`);
      }
    }
    this.#problems = problems;
    this.#compiled = compiled;
    return compiled;
  }
}

function counted(assessment: Assessment, steps: number): Assessment {
  return steps > FEW_STEPS ? { ...assessment, steps } : assessment;
}
