/**
 * Tells whether a glob matches the whole text: `*` is any number of characters, `?` is one, all others are themselves.
 * Goes back to the latest star alone, since no earlier one can help: at most pattern × text steps, whatever the pattern.
 */
export function globMatches(pattern: string, text: string): boolean {
  const wanted = Array.from(pattern);
  const given = Array.from(text);
  let at = 0;
  let read = 0;
  let star: { at: number; read: number } | undefined;
  while (read < given.length) {
    if (wanted[at] === '*') {
      star = { at: ++at, read };
    } else if (wanted[at] === '?' || wanted[at] === given[read]) {
      at++;
      read++;
    } else if (star !== undefined) {
      read = ++star.read;
      at = star.at;
    } else {
      return false;
    }
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}
