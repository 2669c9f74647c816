import type { Mutation } from '../../api/release.ts';
import { FORBIDDEN_KEY } from '../render/syntax.ts';
import type { Change } from './change.ts';
import { insert, type Place, placeAt, read, remove, tokensOf } from './jsonPointer.ts';
import { Refusal } from './refusal.ts';
import { sameJson } from './sameJson.ts';
import type { Writer } from './writer.ts';

type Operation = NonNullable<Mutation['jsonPatch']>[number];

/** The object below one field, so that a pointer to the whole of it leads to a place like any other. */
type Document = Record<'object', unknown>;
type Apply = (document: Document, operation: Operation, writer: Writer) => void;

const OPERATIONS: Readonly<Record<Operation['op'], Apply>> = {
  add: (document, operation, writer) => {
    put(document, operation.path, writer.write(valueOf(operation)));
  },
  remove: (document, { path }) => {
    take(document, path);
  },
  replace: (document, operation, writer) => {
    take(document, operation.path);
    put(document, operation.path, writer.write(valueOf(operation)));
  },
  move: (document, operation) => {
    const { path } = operation;
    const from = fromOf(operation);
    if (path.startsWith(`${from}/`)) throw new Refusal('a value cannot be moved into itself', 'use copy');
    put(document, path, take(document, from));
  },
  copy: (document, operation, writer) => {
    put(document, operation.path, writer.write(find(document, fromOf(operation))));
  },
  test: (document, operation) => {
    if (sameJson(find(document, operation.path), valueOf(operation))) return;
    // The value itself may be a secret.
    throw new Refusal('the value there is another one', 'correct the patch, or target other objects');
  },
};

/** Makes the operations of RFC 6902 in order: all of them, or a Refusal that names the first that cannot be made. */
export const applyJsonPatch: Change = (object, { jsonPatch = [] }, writer) => {
  const document: Document = { object };
  for (const [index, operation] of jsonPatch.entries()) {
    try {
      OPERATIONS[operation.op](document, operation, writer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const what = `${operation.op} ${shown(operation.path)}: ${error.message}`;
      throw new Refusal(what, error.remedy, `.jsonPatch[${index}]`);
    }
  }
  return document.object;
};

function find(document: Document, pointer: string): unknown {
  const found = read(placeOf(document, pointer));
  if (found === undefined) throw missing(pointer);
  return found;
}

function take(document: Document, pointer: string): unknown {
  const found = find(document, pointer);
  remove(placeOf(document, pointer));
  return found;
}

function put(document: Document, pointer: string, value: unknown): void {
  if (!insert(placeOf(document, pointer), value)) throw missing(pointer);
}

function placeOf(document: Document, pointer: string): Place {
  const tokens = tokensOf(pointer);
  if (tokens.includes(FORBIDDEN_KEY))
    throw new Refusal(`the key ${FORBIDDEN_KEY} is not allowed`, 'rename it');
  const place = placeAt(document, ['object', ...tokens]);
  if (place === undefined) throw missing(pointer);
  return place;
}

function missing(pointer: string): Refusal {
  return new Refusal(`there is no ${shown(pointer)}`, 'correct the path, or target objects that have it');
}

function valueOf({ value }: Operation): unknown {
  if (value === undefined) throw new Refusal('it has no value', 'give it one');
  return value;
}

function fromOf({ from }: Operation): string {
  if (from === undefined) throw new Refusal('it has no from', 'say where the value comes from');
  return from;
}

/** `""`, the pointer to the whole object, would not be seen in a message. */
function shown(pointer: string): string {
  return pointer === '' ? '""' : pointer;
}
