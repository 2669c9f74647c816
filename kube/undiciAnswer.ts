import type { Dispatcher } from 'undici';
import type { WireAnswer } from './httpExchange.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * One answer as undici tells of it, and its body for one reader. A stream of Node's would cost more than all else about
 * a small answer; and those of many requests hold one another, so that they outlive their answers until a whole heap is
 * collected.
 */
export class UndiciAnswer implements Dispatcher.DispatchHandler, AsyncIterable<Uint8Array> {
  /** Resolves when the answer begins. */
  readonly head: Promise<WireAnswer>;
  readonly #head = Promise.withResolvers<WireAnswer>();
  readonly #signal: AbortSignal | undefined;
  readonly #checkBeforeSend: (() => void) | undefined;
  readonly #onAbort = (): void => this.destroy(this.#signal?.reason as Error);
  #controller: Controller | undefined;
  #chunks: Uint8Array[] = [];
  #error: Error | undefined;
  #isOver = false;
  #wakeReader: () => void = () => undefined;

  /**
   * @param signal ends the request, with its reason; not aborted yet
   * @param checkBeforeSend what it throws ends the request unsent
   */
  constructor(signal: AbortSignal | undefined, checkBeforeSend: (() => void) | undefined) {
    this.head = this.#head.promise;
    this.#signal = signal;
    this.#checkBeforeSend = checkBeforeSend;
    signal?.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#error !== undefined) controller.abort(this.#error);
    else this.#checkBeforeSend?.();
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    if (status >= 200) this.#head.resolve({ status, headers, body: this });
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_: Controller, error: Error): void {
    this.#end(error);
  }

  /** Gives the answer up. */
  destroy(error: Error = new Error('the answer is not wanted any more')): void {
    if (this.#isOver) return;
    this.#end(error);
    this.#controller?.abort(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        yield* this.#chunks.splice(0);
        if (this.#chunks.length > 0) continue;
        if (this.#error !== undefined) throw this.#error;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    } finally {
      this.destroy();
    }
  }

  #end(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (error !== undefined) this.#head.reject(error);
    this.#wakeReader();
  }
}
