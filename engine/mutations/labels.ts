import type { Change } from './change.ts';

/** Sets labels; others stay. */
export const setLabels: Change = (object, { labels = {} }, writer) => {
  object.metadata.labels = { ...object.metadata.labels, ...writer.write(labels) };
  return object;
};
