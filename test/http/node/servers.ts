import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createServer2, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type NodeHandlerOptions, toNodeHandler, type WebHandler } from "../../../src/http/index.js";

/** Listens on loopback until the test ends. Returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A server of node:http whose every request `handler` answers. */
export async function serveNode(handler: WebHandler, options?: NodeHandlerOptions) {
  const handle = toNodeHandler(handler, options);
  return serveListener(handle);
}

export async function serveListener(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void) {
  const port = await listen(createServer(handle));
  return { url: `http://127.0.0.1:${port}`, port };
}

/** A server of node:http2, without TLS. */
export async function serveHttp2(handle: (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void) {
  const server = createServer2(handle);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the server sends for bytes that no client library would send. */
export async function sendRaw(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return text(socket);
}

/** A promise, and the function that resolves it. */
export function signalled<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
