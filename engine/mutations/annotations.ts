import type { Change } from './change.ts';

/** Sets annotations; others stay. */
export const setAnnotations: Change = (object, { annotations = {} }, writer) => {
  object.metadata.annotations = { ...object.metadata.annotations, ...writer.write(annotations) };
  return object;
};
