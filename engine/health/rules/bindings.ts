import { celError, type CelInput } from '@bufbuild/cel';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { KubeObject } from '../../../api/object.ts';
import { STATUS } from './instrument.ts';
import type { Meter } from './meter.ts';
import { fromJson } from './values.ts';

/** By name, what an expression reads. */
export type Bindings = Readonly<Record<string, CelInput>>;

/** The error of an expression that reads the status of an object which has none. */
export const NO_STATUS = 'no status yet';

/** What expressions read of an object. A part that it does not have is an error where it is read. */
export function bindingsOf(object: KubeObject, now: Date, meter: Meter): Bindings {
  const part = (name: string, error = `the object has no ${name}`): CelInput => {
    const value = object[name];
    // A variable may hold an error of its own, which the types of the library do not tell.
    return value === undefined || value === null ? (celError(error) as never) : fromJson(value, meter);
  };
  return {
    self: fromJson(object, meter),
    metadata: part('metadata'),
    spec: part('spec'),
    data: part('data'),
    [STATUS]: part('status', NO_STATUS),
    now: timestampFromDate(now),
  };
}

export function atTime(bindings: Bindings, now: Date): Bindings {
  return { ...bindings, now: timestampFromDate(now) };
}
