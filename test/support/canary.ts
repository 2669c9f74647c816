/**
 * The value that tests put into Secrets. What the programs write and what the API server holds of it outside of Secrets is
 * searched for it by the fixtures, so that each test is one of secrecy as well.
 */
export const CANARY = 'k4n4r1-in-the-mine';

/** Around what was found (characters). */
const SHOWN = 160;

/** As it is, and wherever it stands in a longer text of which somebody made base64. */
const FORMS: readonly string[] = [CANARY, ...[0, 1, 2].map(base64Within)];

/**
 * @param where what was searched, for the message
 * @throws Error where the text has the canary in any form
 */
export function refuseCanary(where: string, text: string): void {
  const at = FORMS.map((form) => text.indexOf(form)).find((index) => index >= 0);
  if (at === undefined) return;
  const excerpt = text.slice(Math.max(0, at - SHOWN), at + SHOWN);
  throw new Error(`${where} tells a value from a Secret: …${excerpt}…`);
}

/** The letters that base64 has of it, however much stands before and after: the first and the last group may vary. */
function base64Within(before: number): string {
  const text = Buffer.from('x'.repeat(before) + CANARY).toString('base64');
  return text.slice(before === 0 ? 0 : 4, -4);
}
