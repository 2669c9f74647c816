import type { KubeObject } from '../../api/object.ts';
import { Fields, ShapeError } from './fields.ts';

/**
 * Whether a CustomResourceDefinition declares `status.conditions` for a version, so that an instance without any is one that
 * its controller has not seen yet. False for a definition that does not say, or cannot be read.
 */
export function declaresConditions(definition: KubeObject, version: string): boolean {
  try {
    return new Fields(definition, '')
      .map('spec')
      .list('versions')
      .filter((entry) => entry.text('name') === version)
      .map((entry) => entry.map('schema').map('openAPIV3Schema').map('properties').map('status'))
      .some((status) => status.map('properties').has('conditions'));
  } catch (error) {
    if (error instanceof ShapeError) return false;
    throw error;
  }
}
