import type { Random } from './clock.ts';

/*
 * A connection may carry nothing any more and look open to this side: a proxy hangs, a router has forgotten it. HTTP/1.1 has
 * no ping, and a quiet watch hears a bookmark about once a minute only. But a server ends each watch in the time that it is
 * asked for, with a bookmark before: so watches are short, and one that does not end is known for dead. To begin one
 * anew costs one request and no list.
 */

/** A watch that one may rely on is at least so long (s). */
const SHORTEST_S = 15;
/** However many there are, none is longer than this, before it is drawn (s): bookmarks keep it honest then. */
const LONGEST_S = 300;
/** Of watches of one kind so many are begun anew in a second at most: a thousand short ones would be a load of their own. */
const BEGUN_A_SECOND = 5;
/** A watch may be longer than the shortest by this part of it. */
const SPREAD = 2 / 3;
/** For a watch to end, and a page of a list to come (ms). */
const GRACE_MS = 3_000;

/**
 * Whole seconds after which the server is to end a watch, drawn anew, so that watches do not all end at once: 15 to 25, and more
 * in a crowd.
 * @param crowd how many watches of its kind this process has open
 */
export function watchSeconds(random: Random, crowd = 1): number {
  const shortest = Math.min(LONGEST_S, Math.max(SHORTEST_S, crowd / BEGUN_A_SECOND));
  return Math.floor(shortest * (1 + SPREAD * random()));
}

/** The longest time in which nothing comes from a server that is there, in milliseconds: a watch, and some seconds for its end. */
export function silenceMs(seconds: number): number {
  return seconds * 1_000 + GRACE_MS;
}

/** The same for any watch that is not in a crowd, and for a page of a list. */
export const SILENCE_MS = silenceMs(SHORTEST_S * (1 + SPREAD));
