import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The two ends of one connection through the proxy. */
interface Link {
  near: Socket;
  far: Socket;
}

/** A TCP proxy before an API server that spoils what goes through it. */
export class FaultyProxy {
  readonly url: string;
  /** Connections that were opened so far. */
  opened = 0;
  /** New connections are cut at once. */
  refusing = false;
  readonly #server: Server;
  readonly #port: number;
  readonly #cutAfterBytes: number;
  readonly #links = new Set<Link>();

  private constructor(server: Server, port: number, cutAfterBytes: number) {
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#server = server;
    this.#port = port;
    this.#cutAfterBytes = cutAfterBytes;
    server.on('connection', (near) => this.#join(near));
  }

  /** `port` is the API server's; each connection is cut once it has carried about `cutAfterBytes` to the client. */
  static async start(port: number, cutAfterBytes = Infinity): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyProxy(server, port, cutAfterBytes);
  }

  /** Cuts all connections, or those that are chosen. */
  cut(isChosen: () => boolean = () => true): void {
    for (const { near, far } of this.#links) {
      if (!isChosen()) continue;
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /**
   * Nothing comes through the connections that are open, or those that are chosen, any more, and nobody is told: the other
   * side seems to be there.
   */
  freeze(isChosen: () => boolean = () => true): void {
    for (const { near, far } of this.#links) {
      if (!isChosen()) continue;
      for (const socket of [near, far]) {
        socket.unpipe();
        socket.pause();
      }
    }
  }

  /** Cuts all connections, and takes no new ones. */
  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    const link = { near, far };
    this.#links.add(link);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // A close follows each error, and is dealt with here.
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#links.delete(link);
        other.destroy();
      });
    }
    if (this.refusing) near.resetAndDestroy();
    // Not always at the same place of an event.
    const limit = this.#cutAfterBytes * (1 + (this.opened % 7) / 7);
    this.opened += 1;
    let carried = 0;
    far.on('data', (chunk: Buffer) => {
      carried += chunk.length;
      if (carried > limit) near.resetAndDestroy();
    });
    near.pipe(far);
    far.pipe(near);
  }
}
