import type { KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import type { Writer } from './writer.ts';

/**
 * Makes one mutation on one object that it targets. The object may be changed in place; what the mutation holds stands in
 * the Release and goes into the object through the writer alone.
 * @returns what the object is then: a patch can make anything of it
 * @throws Refusal where it cannot be made
 */
export type Change = (object: KubeObject, mutation: Mutation, writer: Writer) => unknown;
