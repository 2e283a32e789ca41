// How Node's client waits, connects and connects again: what a differential against its fetch would take minutes to see.
import { createServer as createHttpServer, globalAgent, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";
import { nodeClient } from "../../../../src/providers/shared/http/node-client.js";
import type { ByteReader, HttpRequest } from "../../../../src/providers/shared/http/transport.js";

const failures = new Failures({ provider: "p", model: "m", scrub: (text) => text });

const asked = (headers: Record<string, string> = {}): HttpRequest => ({
  method: "POST",
  headers,
  body: "{}",
  signal: new AbortController().signal,
  redirect: "manual",
});

/** Another file of this process may have left a dispatcher, or have had the client look at `fetch` in a sandbox: it looks again. */
beforeEach(() => {
  vi.stubGlobal("fetch", () => {});
  nodeClient();
  vi.unstubAllGlobals();
  for (const name of [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")]) {
    const left: unknown = Reflect.get(globalThis, name);
    Reflect.set(globalThis, name, undefined);
    onTestFinished(() => void Reflect.set(globalThis, name, left));
  }
});

const send = (url: string, headers?: Record<string, string>) => nodeClient()!(url, asked(headers));

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const serving = async (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  `http://${await listening(createHttpServer(answer))}`;

async function textOf(reader: ByteReader): Promise<string> {
  let text = "";
  for (let packet = await reader.read(); packet.value; packet = await reader.read()) {
    text += Buffer.from(packet.value).toString("latin1");
  }
  return text;
}

/** How many connections to a server are in use. Other files of this process may have some of their own. */
function socketsTo(url: string): number {
  const inUse = Object.entries(globalAgent.sockets).filter(([name]) => name.startsWith(`${new URL(url).host}:`));
  return inUse.flatMap(([, sockets]) => sockets).length;
}

/** Sockets that are told to wait this long wait as long as that says. */
function hurry(shorter: Readonly<Record<number, number>>): void {
  const wait = Socket.prototype.setTimeout;
  const spy = vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function (this: Socket, ms, ...onTimeout) {
    return wait.call(this, shorter[ms] ?? ms, ...onTimeout);
  });
  onTestFinished(() => spy.mockRestore());
}

test("a connection that takes too long fails as one that is not made", async () => {
  const url = `https://${await listening(createServer((socket) => void socket.on("error", () => {})))}`;
  hurry({ 10000: 50 });

  const thrown = await send(url).catch((error: unknown) => error);

  expect(failures.connection(thrown)).toMatchObject({ code: "CONNECTION", retryable: true });
  expect(String(thrown)).toContain("no connection within 10000 ms");
});

test("a server that sends nothing is too slow, before its response and in it", async () => {
  const mute = await serving(() => {});
  const stalled = await serving((_, response) => void response.write("data: 1\n\n"));
  hurry({ 300000: 500 });

  const unanswered = await send(mute).catch((error: unknown) => error);
  const reader = (await send(stalled)).body!.getReader();
  const unfinished = await textOf(reader).catch((error: unknown) => error);

  expect(failures.connection(unanswered)).toMatchObject({ code: "TIMEOUT", retryable: true });
  expect(failures.streaming(unfinished)).toMatchObject({ code: "TIMEOUT", retryable: true });
});

test("a reader may take longer than a server may be silent", async () => {
  const length = 4 * 1024 * 1024;
  const url = await serving((_, response) => void response.end("x".repeat(length)));
  hurry({ 300000: 2_000 });

  const reader = (await send(url)).body!.getReader();
  const { value } = await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 4_500));

  expect((await textOf(reader)).length + value!.length).toBe(length);
});

test("a connection that the server closes as it is used again is replaced, one that it resets at work is not", async () => {
  let requests = 0;
  const server = createHttpServer((request, response) => {
    requests++;
    const { first, delay } = request.headers;
    if (first) response.end("ok");
    else if (sockets.has(request.socket)) setTimeout(() => request.socket.resetAndDestroy(), Number(delay));
    else response.end("again");
    sockets.add(request.socket);
  });
  const sockets = new Set<Socket>();
  const url = `http://${await listening(server)}`;
  const used = async () => {
    await textOf((await send(url, { first: "yes" })).body!.getReader());
    await new Promise((resolve) => setImmediate(resolve));
  };

  await used();
  expect(await textOf((await send(url, { delay: "0" })).body!.getReader())).toBe("again");
  await used();
  await expect(send(url, { delay: "1200" })).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(requests).toBe(5);
});

test("a server that answers and does not read the rest of the request is left", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.pause();
    socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 5\r\n\r\nlarge");
  });
  const url = `http://${await listening(server)}`;

  const { body } = await nodeClient()!(url, { ...asked(), body: "x".repeat(16 * 1024 * 1024) });
  expect(socketsTo(url)).toBe(1);
  expect(await textOf(body!.getReader())).toBe("large");

  await expect.poll(() => socketsTo(url)).toBe(0);
});

test("headers arrive as they were given, and the length is that of the body", async () => {
  const url = await serving((request, response) => void response.end(JSON.stringify(request.headers)));

  const { body } = await send(url, { "x-name": "é", "Content-Length": "5", Host: "other.example" });

  const headers = { "x-name": "é", "content-length": "2", host: "other.example" };
  expect(JSON.parse(Buffer.from(await textOf(body!.getReader()), "latin1").toString())).toMatchObject(headers);
});
