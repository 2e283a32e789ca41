import { getEventListeners } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import * as zlib from "node:zlib";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";
import { nodeClient } from "../../../../src/providers/shared/http/node-client.js";
import type { HttpRequest, Transport } from "../../../../src/providers/shared/http/transport.js";
import { closingServer } from "../../closing-server.js";

const { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } = zlib;
const { zstdCompressSync: zstdSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };
/** The fetch of Node 22 does not know zstd. */
const knowsZstd = Number.parseInt(process.versions.undici ?? "0", 10) >= 7;
const failures = new Failures({ provider: "p", model: "m", scrub: (text) => text });
const [FIRST, SECOND] = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];
const client: Transport = (...args) => nodeClient()!(...args);
const fetched: Transport = (url, request) => fetch(url, request);

afterEach(() => {
  vi.unstubAllGlobals();
});

const asked = (signal: AbortSignal = new AbortController().signal): HttpRequest => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
  signal,
  redirect: "manual",
});

/** A server that writes these bytes to whoever connects, and then does what `then` says. */
async function raw(bytes: string | Buffer, then: (socket: Socket) => void = (socket) => socket.end()): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write(bytes, () => then(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What a transport makes of a response: what it says and how it ends, as a provider would tell it. */
async function outcome(transport: Transport, url: string): Promise<object> {
  let response: Awaited<ReturnType<Transport>>;
  try {
    response = await transport(url, asked());
  } catch (thrown) {
    return { code: Reflect.get(failures.connection(thrown), "code") };
  }
  const { status, headers } = response;
  const named = ["content-type", "retry-after", "x-many", "location"].map((name) => headers.get(name));
  let text = "";
  try {
    const reader = response.body?.getReader();
    for (let packet = await reader?.read(); packet?.value; packet = await reader?.read()) {
      text += Buffer.from(packet.value).toString("latin1");
    }
    return { status, named, text };
  } catch (thrown) {
    return { status, named, text, code: Reflect.get(failures.streaming(thrown), "code") };
  }
}

const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
const packed = (coding: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(head(`content-encoding: ${coding}`, `content-length: ${bytes.length}`)), bytes]);
const TEXT = Buffer.from("data: 1\n\n".repeat(500));

const RESPONSES: Readonly<Record<string, string | Buffer>> = {
  "of a known length": `${head("content-length: 5", "content-type: a/b", "x-many: 1", "x-many: 2")}hello`,
  "that ends with its connection": `${head("retry-after: 3")}hello`,
  "of HTTP/1.0": "HTTP/1.0 200 OK\r\n\r\nhello",
  "in chunks": `${head("transfer-encoding: chunked")}5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nx-trailer: 1\r\n\r\n`,
  "in chunks that do not end": `${head("transfer-encoding: chunked")}5\r\nhello\r\n9\r\nwor`,
  "in chunks whose size is none": `${head("transfer-encoding: chunked")}zz\r\nhello\r\n`,
  "shorter than it says": `${head("content-length: 9")}hello`,
  "without a body": "HTTP/1.1 204 No Content\r\n\r\n",
  "that is a redirect": "HTTP/1.1 307 Temporary Redirect\r\nlocation: /v2\r\ncontent-length: 0\r\n\r\n",
  "that refuses": "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\nslow",
  "after a hint": `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head("content-length: 2")}ok`,
  "that is none": "SSH-2.0-OpenSSH_9.6\r\n",
  "that is none at all": "",
  "whose head does not end": "HTTP/1.1 200 OK\r\ncontent-le",
  "whose head is too large": head(`x-much: ${"a".repeat(100_000)}`),
  "with a line that is no header": "HTTP/1.1 200 OK\r\nhello\r\n\r\nhello",
  "with a header that is not ASCII": `${head("x-many: é")}hello`,
  "with more than it says": `${head("content-length: 5")}hello, and more`,
  "in chunks with something behind them": `${head("transfer-encoding: chunked")}5\r\nhello\r\n0\r\n\r\nmore`,
  "whose body must not be": "HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello",
  "that changes the protocol": "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  "with two lengths": `${head("content-length: 5", "content-length: 6")}hello`,
  "without a reason": "HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello",
  "in gzip": packed("gzip", gzipSync(TEXT)),
  "in x-gzip": packed("x-gzip", gzipSync(TEXT)),
  "in deflate": packed("deflate", deflateSync(TEXT)),
  "in deflate without its start": packed("deflate", deflateRawSync(TEXT)),
  "in br": packed("br", brotliCompressSync(TEXT)),
  ...(knowsZstd &&
    zstdSync && {
      "in zstd": packed("zstd", zstdSync(TEXT)),
      "in zstd that is cut": packed("zstd", zstdSync(TEXT).subarray(0, 10)),
      "called zstd that is none": packed("zstd", TEXT),
    }),
  "packed twice": packed("gzip, deflate", deflateSync(gzipSync(TEXT))),
  "in a coding that nobody knows": packed("rot13", TEXT),
  "in gzip that is cut": packed("gzip", gzipSync(TEXT).subarray(0, 30)),
  "called gzip that is none": packed("gzip", TEXT),
};

for (const [name, bytes] of Object.entries(RESPONSES)) {
  test(`Node's client and its fetch make the same of a response ${name}`, async () => {
    const url = await raw(bytes);

    expect(await outcome(client, url)).toEqual(await outcome(fetched, url));
  });
}

test("what is packed more often than five times is left as it is", async () => {
  const url = await raw(packed("gzip,".repeat(5).concat("gzip"), TEXT));

  expect(await outcome(client, url)).toMatchObject({ text: TEXT.toString() });
});

test("a packed body that ends before its response does leaves no connection behind", async () => {
  const start = Buffer.from(head("content-encoding: br", "content-length: 99999"));
  const bytes = Buffer.concat([start, brotliCompressSync(TEXT), Buffer.alloc(9)]);
  const onLeft = vi.fn();
  const url = await raw(bytes, (socket) => void socket.on("close", onLeft));

  expect(await outcome(client, url)).toMatchObject({ text: TEXT.toString() });
  await expect.poll(() => onLeft.mock.calls.length).toBeGreaterThan(0);
});

test("both tell of a connection that is reset, before the response and in it, and of one that is not made", async () => {
  const reset = (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 20);
  const urls = [await raw("", reset), await raw(`${head("content-length: 9")}hello`, reset), "http://127.0.0.1:1/"];
  const codes = ["CONNECTION", "STREAM_BROKEN", "CONNECTION"];

  for (const [index, url] of urls.entries()) {
    expect(await outcome(client, url)).toMatchObject({ code: codes[index] });
    expect(await outcome(fetched, url)).toMatchObject({ code: codes[index] });
  }
});

test("a refusal that comes while the request is still being sent is read", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 5\r\nconnection: close\r\n\r\nlarge", () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  const { status } = await client(`http://127.0.0.1:${port}/`, { ...asked(), body: "x".repeat(8 * 1024 * 1024) });

  expect(status).toBe(413);
});

test("connections are used again, and nothing stays behind on the signal", async () => {
  let connections = 0;
  const server = createHttpServer((_, response) => void response.end("data: 1\n\n"));
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();

  for (let i = 0; i < 5; i++) {
    expect(await outcome((to) => client(to, asked(signal)), url)).toMatchObject({ text: "data: 1\n\n" });
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(connections).toBe(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort rejects with its reason at once, before the response and while its body is read", async () => {
  const reason = new Error("enough");
  const silent = await raw("", () => {});
  const stalled = await raw(head("content-length: 9"), () => {});
  const before = new AbortController();
  const during = new AbortController();

  const posting = client(silent, asked(before.signal));
  setTimeout(() => before.abort(reason), 20);
  await expect(posting).rejects.toBe(reason);

  const reading = (await client(stalled, asked(during.signal))).body!.getReader().read();
  setTimeout(() => during.abort(reason), 20);
  await expect(reading).rejects.toBe(reason);
  await expect(client(silent, asked(before.signal))).rejects.toBe(reason);
});

test("a body that is cancelled closes its connection and ends", async () => {
  const server = await closingServer({ body: "data: 1\n\n", end: "stall" });
  const { body } = await client(server.url, asked());
  const reader = body!.getReader();
  await reader.read();
  const next = reader.read();

  await reader.cancel();

  expect(await next).toEqual({ done: true });
  expect(await server.requests[0]!.left).toBe(true);
});

test("a body that nobody reads does not fill the memory", async () => {
  const server = await closingServer({ body: "x".repeat(65_536), floodBytes: 1024 ** 3 });
  const { body } = await client(server.url, asked());
  await body!.getReader().read();
  const before = process.memoryUsage().arrayBuffers;

  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  await body!.getReader().cancel();
});

test("the host's replacement of fetch is asked instead", () => {
  expect(nodeClient()).toBeDefined();
  vi.stubGlobal("fetch", async () => new Response("ok"));

  expect(nodeClient()).toBeUndefined();
});

test("a sandbox without Node's modules has its fetch", async () => {
  const get = process.getBuiltinModule;
  const spy = vi.spyOn(process, "getBuiltinModule");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation((name: string) => (name === "node:http" ? undefined : get(name)) as ReturnType<typeof get>);
  vi.resetModules();

  const fresh = await import("../../../../src/providers/shared/http/node-client.js");
  expect(fresh.nodeClient()).toBeUndefined();
});

test("a dispatcher that the host has set is asked instead; the one that fetch makes is not", async () => {
  await fetch("http://127.0.0.1:1/").catch(() => {});
  expect(nodeClient()).toBeDefined();

  const usual = [FIRST, SECOND].map((name) => Reflect.get(globalThis, name));
  onTestFinished(() => [FIRST, SECOND].forEach((name, index) => void Reflect.set(globalThis, name, usual[index])));
  type Dispatcher = { readonly dispatch: () => void };
  const { constructor: Agent } = Reflect.get(globalThis, SECOND) ?? Reflect.get(globalThis, FIRST);
  const agent = (options: object): Dispatcher => Reflect.construct(Agent, [options]);
  const own = {
    "a certificate": agent({ connect: { ca: "x" } }),
    "a pool": agent({ factory: () => agent({}) }),
    "an interceptor": new Proxy(agent({}), {
      get: (on, key) => (key === "dispatch" ? () => {} : Reflect.get(on, key)),
    }),
    "a dispatch": Object.assign(agent({}), { dispatch: () => {} }),
    "a subclass": Reflect.construct(Agent, [{}], class ProxyAgent extends Agent {}),
    "an object": {},
    nothing: null,
  };
  for (const [name, dispatcher] of Object.entries(own)) {
    Reflect.set(globalThis, FIRST, dispatcher);
    expect(nodeClient(), name).toBeUndefined();
  }
  Reflect.set(globalThis, FIRST, agent({}));
  expect(nodeClient()).toBeDefined();
});
