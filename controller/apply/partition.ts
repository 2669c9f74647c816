/** Those that pass the test, and the others, each in their order. */
export function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
