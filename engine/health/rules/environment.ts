import { celEnv } from '@bufbuild/cel';
import { meteredFunctions } from './functions.ts';
import { Meter } from './meter.ts';

/** What all expressions pay from. An assessment begins, ends and leaves nothing in it before the next one begins. */
export const METER = new Meter();
export const FUNCTIONS = meteredFunctions(METER);
export const ENVIRONMENT = celEnv({ funcs: FUNCTIONS });
