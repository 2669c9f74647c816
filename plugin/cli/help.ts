import { NOUNS, VERBS } from '../commands/verbs.ts';
import { helpPage } from '../views/helpPage.ts';
import { CONNECTION_FLAGS, FLAGS } from './flags.ts';
import { textOf } from './io.ts';

/** What `--help` prints for the words of a verb, of a noun, or for none. */
export function helpText(words: readonly string[], width: number): string {
  const options = { words, verbs: VERBS, nouns: NOUNS, flags: FLAGS, connectionFlags: CONNECTION_FLAGS };
  return textOf(helpPage(options, width));
}
