const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const MAX_QUOTED = 80;

/** What a key of labels and annotations is, in words. */
const KEY = 'NAME or PREFIX/NAME: NAME up to 63 letters, digits, -, _ and ., PREFIX a DNS name';
const VALUE = 'up to 63 letters, digits, -, _ and ., with a letter or digit at both ends, or nothing at all';

/** @returns what is wrong with a key of labels or annotations, by the API server's rule (`validation.IsQualifiedName`) */
export function keyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  const [prefix, ...more] = parts;
  const good = NAME.test(name) && more.length === 0 && (prefix === undefined || PREFIX.test(prefix));
  return good ? undefined : `${quoted(key)} is no valid key: write ${KEY}`;
}

/** @returns what is wrong with the value of a label (`validation.IsValidLabelValue`) */
export function labelValueProblem(value: string): string | undefined {
  return value === '' || NAME.test(value)
    ? undefined
    : `${quoted(value)} is no valid label value: write ${VALUE}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}
