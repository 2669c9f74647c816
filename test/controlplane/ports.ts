import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

// Below the ports that systems hand to outgoing connections (32768 and above on Linux), so that a port stays free
// while its API server is restarted, and below Kubernetes' node ports.
const LOWEST = 15_000;
const HIGHEST = 29_999;
const ATTEMPTS = 100;

/** `count` different ports of the loopback address that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (let attempt = 0; ports.length < count; attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new Error(`no ${count} free ports found between ${LOWEST} and ${HIGHEST}`);
      const port = randomInt(LOWEST, HIGHEST + 1);
      const server = await listen(port);
      if (server === undefined) continue;
      held.push(server);
      ports.push(port);
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((closed) => server.close(closed))));
  }
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
