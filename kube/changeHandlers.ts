import type { Change } from './store.ts';

/**
 * Who wants to know of changes. Called in the order of the changes, after the store has them. Handlers put a key into
 * a queue and return: the stream waits for them. A promise that one returns is not waited for; its failure counts.
 */
export interface ChangeHandler<T> {
  onAdd?(object: T): void;
  onUpdate?(object: T, previous: T): void;
  /** `finalStateKnown` is false where the deletion was missed and `object` is the last state that was seen. */
  onDelete?(object: T, finalStateKnown: boolean): void;
}

/** The handlers of one reflector: one that throws harms neither the others nor the stream. */
export class ChangeHandlers<T> {
  readonly #onError: (error: unknown) => void;
  /** Replaced, never changed, so that a handler can add or remove handlers while it is called. */
  #handlers: readonly ChangeHandler<T>[] = [];

  /** `onError` is told what handlers throw; it must not throw. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a handler and tells it of what is there. Returns the function that removes it. */
  add(handler: ChangeHandler<T>, present: Iterable<T>): () => void {
    for (const object of present) this.#call(handler, { type: 'add', object });
    this.#handlers = [...this.#handlers, handler];
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== handler);
    };
  }

  /** Tells all handlers, in the order in which they were added. */
  tell(change: Change<T>): void {
    for (const handler of this.#handlers) this.#call(handler, change);
  }

  #call(handler: ChangeHandler<T>, change: Change<T>): void {
    try {
      const outcome: unknown = dispatch(handler, change);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#onError(error));
    } catch (error) {
      this.#onError(error);
    }
  }
}

function dispatch<T>(handler: ChangeHandler<T>, change: Change<T>): unknown {
  switch (change.type) {
    case 'add':
      return handler.onAdd?.(change.object);
    case 'update':
      return handler.onUpdate?.(change.object, change.previous);
    case 'delete':
      return handler.onDelete?.(change.object, change.finalStateKnown);
  }
}
