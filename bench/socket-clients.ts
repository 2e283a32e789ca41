// Clients of a server, with a socket each, in a process of their own; and the memory of the server's.
import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";

/** Connections that are being made at once: more would not fit into the queue of a listening socket. */
export const AT_ONCE = 100;

/** What the process has after a collection of its garbage. Needs `--expose-gc`. */
export async function memory(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc!();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage();
}

/** Resolves when each of `count` sockets has got the first bytes of its response. `onData` gets all bytes of each. */
export async function connectAll(
  port: number,
  count: number,
  pathOf: (index: number) => string,
  onData: (bytes: Buffer) => void,
): Promise<void> {
  const connectOne = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`GET ${pathOf(index)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      );
      socket.on("error", reject);
      socket.on("data", (bytes) => {
        resolve();
        onData(bytes);
      });
    });
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => connectOne(done + index)));
}

export async function end(clients: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => clients.once("exit", resolve));
  clients.kill("SIGKILL");
  await ended;
}
