import { type CelValue, isCelList } from '@bufbuild/cel';
import type { Meter } from './meter.ts';
import { isCompound, isText, payForAll, reading } from './weight.ts';

/** Pays for one call. @param values the target, where there is one, and the arguments */
type Cost = (values: readonly CelValue[], meter: Meter) => void;

/** Of calls that make a time or a quantity: some steps more than others. */
const CONVERSION = 20;
/** A search for more characters than these compares so many of them at each place, at worst. */
const SHORT_NEEDLE = 16;
const MAX_NEEDLE = 256;
const COMPARISONS_PER_STEP = 64;

const texts: Cost = (values, meter) => {
  for (const value of values) if (isText(value)) meter.spend(reading(value));
};

/** By character, not by block. */
const characters: Cost = (values, meter) => {
  for (const value of values) if (isText(value)) meter.spend(value.length);
};

const conversion: Cost = (values, meter) => {
  meter.spend(CONVERSION);
  characters(values, meter);
};

/** Only what is made of other values is compared part by part, and only with its like. */
const equality: Cost = ([left = null, right = null], meter) => {
  if (isCompound(left) && isCompound(right)) for (const side of [left, right]) payForAll(side, meter);
  else texts([left, right], meter);
};

const membership: Cost = ([value = null, list = null], meter) => {
  if (!isCelList(list)) return;
  payForAll(list, meter);
  if (!isCompound(value)) return;
  const before = meter.left;
  payForAll(value, meter);
  meter.spend((before - meter.left) * list.size);
};

const search: Cost = ([text, needle], meter) => {
  if (!isText(text) || !isText(needle)) return;
  const comparisons = text.length * Math.min(needle.length, MAX_NEEDLE);
  meter.spend(reading(text) + (needle.length > SHORT_NEEDLE ? comparisons / COMPARISONS_PER_STEP : 0));
};

const joining: Cost = ([list = null, separator = ''], meter) => {
  payForAll(list, meter);
  if (isCelList(list) && isText(separator)) meter.spend(list.size * reading(separator));
};

/** By function; those that are not here read the texts that they are given. */
const COSTS: Readonly<Record<string, Cost>> = {
  '_==_': equality,
  '_!=_': equality,
  '@in': membership,
  contains: search,
  indexOf: search,
  lastIndexOf: search,
  join: joining,
  size: characters,
  split: characters,
  trim: characters,
  lowerAscii: characters,
  upperAscii: characters,
  int: conversion,
  uint: conversion,
  timestamp: conversion,
  duration: conversion,
  quantity: conversion,
  isQuantity: conversion,
};

/**
 * Pays for one call of a function before it is made.
 * @throws CostError
 */
export function payForCall(name: string, values: readonly CelValue[], meter: Meter): void {
  meter.spend(1);
  (COSTS[name] ?? texts)(values, meter);
}
