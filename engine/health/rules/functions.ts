import {
  celEnv,
  celFunc,
  type CelFunc,
  type CelInput,
  celList,
  celMethod,
  CelScalar,
  type CelType,
  type CelValue,
  isCelError,
  isCelList,
  listType,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { payForCall } from './costs.ts';
import type { Meter } from './meter.ts';
import { readPattern } from './pattern.ts';
import { QUANTITY_FUNCTIONS } from './quantityType.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/** Of the library's functions over texts, those that cost no more than their texts are long. */
const TEXT_FUNCTIONS = new Set([
  'charAt',
  'indexOf',
  'lastIndexOf',
  'lowerAscii',
  'upperAscii',
  'split',
  'substring',
  'trim',
  'join',
]);

/** Of a regular expression's program, for each character. */
const INSTRUCTIONS_PER_STEP = 4;

/** Names that no expression can write: the calls that `instrument` puts in. */
export const RANGE = '@range';
export const STEP = '@step';
export const COLLECT = '@collect';
export const APPEND = '@append';

/** All functions of health rules, each paid for when it is called. */
export function meteredFunctions(meter: Meter): CelFunc[] {
  const standard = [...celEnv().funcs].filter(isOffered);
  const texts = strings.filter(({ name }) => TEXT_FUNCTIONS.has(name));
  const all = [...standard, timestampOfInt(standard), ...texts, ...QUANTITY_FUNCTIONS];
  return [...all.map((func) => metered(func, meter)), matches(meter), ...loopFunctions(meter)];
}

/** A time zone is looked up in a data base; `matches` is ours. */
function isOffered({ name, target, arguments: parameters }: CelFunc): boolean {
  const isInTimeZone = target?.name === 'google.protobuf.Timestamp' && parameters.length > 0;
  return name !== 'matches' && !isInTimeZone;
}

/** The library takes milliseconds; CEL says seconds since the epoch. */
function timestampOfInt(standard: readonly CelFunc[]): CelFunc {
  const { result = DYN } = standard.find(({ id }) => id === 'timestamp(int)') ?? {};
  return celFunc('timestamp', [INT], result, (seconds) => timestampFromMs(Number(seconds) * 1000));
}

function matches(meter: Meter): CelFunc {
  return celMethod('matches', STRING, [STRING], BOOL, function (text) {
    const pattern = readPattern(text);
    meter.spend(1 + (this.length * pattern.size) / INSTRUCTIONS_PER_STEP);
    return pattern.test(this);
  });
}

function metered(func: CelFunc, meter: Meter): CelFunc {
  const parameters: readonly CelType[] = func.arguments;
  const call = (target: CelValue | undefined, args: CelValue[]): CelInput => {
    payForCall(func.name, target === undefined ? args : [target, ...args], meter);
    const result = func.call(0, target, args);
    if (result === undefined) throw new Error(`${func.name} does not take these`);
    if (isCelError(result)) throw result;
    return result;
  };
  return func.target === undefined
    ? celFunc(func.name, parameters, func.result, (...args: CelValue[]) => call(undefined, args))
    : celMethod(func.name, func.target, parameters, func.result, function (...args: CelValue[]) {
        return call(this, args);
      });
}

/** A loop pays for its list before it begins, then for each round; what a macro gathers goes into one list. */
function loopFunctions(meter: Meter): CelFunc[] {
  const gathered = new WeakMap<object, CelInput[]>();
  return [
    celFunc(RANGE, [DYN], DYN, (range) => {
      if (isCelList(range)) meter.spend(range.size);
      return range;
    }),
    celFunc(STEP, [DYN, INT], DYN, (condition, steps) => {
      meter.spend(Number(steps));
      return condition;
    }),
    celFunc(COLLECT, [], LIST, () => {
      const entries: CelInput[] = [];
      const list = celList(entries);
      gathered.set(list, entries);
      return list;
    }),
    celFunc(APPEND, [LIST, DYN], LIST, (list, entry) => {
      gathered.get(list)?.push(entry);
      return list;
    }),
  ];
}
