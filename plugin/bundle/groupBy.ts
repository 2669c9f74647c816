interface Grouping {
  groupBy?: <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => Map<K, T[]>;
}

/** Map.groupBy came with Node 21; people run the plugin on the Node that they have. */
(Map as Grouping).groupBy ??= (items, keyOf) => {
  const groups = new Map<ReturnType<typeof keyOf>, (typeof items extends Iterable<infer T> ? T : never)[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
