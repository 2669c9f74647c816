import { expect, test } from 'vitest';
import { Redaction } from '../../../../engine/source/redaction.ts';

test.each([
  ['the value itself', ['hunter2'], 'x "hunter2" y', 'x "(a value from a Secret)" y'],
  ['a value inside of another', ['pass', 'password'], 'a password', 'a (a value from a Secret)'],
  ['a line of a value', ['first\nsecond'], 'not second', 'not (a value from a Secret)'],
  ['a value as JSON writes it', ['say "hi"'], 'got say \\"hi\\"', 'got (a value from a Secret)'],
  ['a value too short to be one', ['1'], '1 of 3', '1 of 3'],
])('a message does not tell %s', (_, values, message, told) => {
  const redaction = new Redaction();
  redaction.hide(values);
  expect(redaction.apply(message)).toBe(told);
});
