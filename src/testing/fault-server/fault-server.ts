import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { parseJson } from "../../json/parse-json.js";
import type { FaultReply, FaultRequest, FaultScript } from "./reply.js";

/** Largest request that is read; larger ones get status 413. Unit: bytes. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** Requests that are kept; older ones are forgotten. */
const MAX_REQUESTS = 10_000;

/** A loopback server that answers as its script says. */
export interface FaultServer {
  /** E.g. `http://127.0.0.1:41234/v1`: the `baseURL` of a provider. */
  readonly url: string;
  /** Every request so far, in order of arrival; at most 10,000. */
  readonly requests: readonly FaultRequest[];
  /** Closes every connection, also stalled ones, and frees the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an HTTP server on a free loopback port that plays faults: bytes split, cut, reset, stalled, dripped, flooded,
 * compressed, and any status, header and body.
 *
 * @example
 * const server = await createFaultServer([{ status: 503 }, { body: sse(chatChunks({ text: "Hello." })), cutAt: 100 }]);
 * const provider = openai({ model: "m", apiKey: "test", baseURL: server.url });
 */
export async function createFaultServer(script: FaultScript): Promise<FaultServer> {
  const requests: FaultRequest[] = [];
  let count = 0;
  const server = createServer((incoming, response) => {
    // A client that leaves in the middle is the point of many scripts.
    incoming.on("error", () => {});
    response.on("error", () => {});
    answer(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(`The script of the fault server failed: ${String(error)}`);
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = count++;
    const text = await readText(incoming);
    if (text === null) return void response.writeHead(413, { connection: "close" }).end();
    const request = toRequest(incoming, response, text);
    requests.push(request);
    if (requests.length > MAX_REQUESTS) requests.shift();
    await play(await replyFor(script, request, index), response);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close, [Symbol.asyncDispose]: close };
}

function replyFor(script: FaultScript, request: FaultRequest, index: number): FaultReply | Promise<FaultReply> {
  if (typeof script === "function") return script(request, index);
  if (!isList(script)) return script;
  const reply = script[Math.min(index, script.length - 1)];
  if (!reply) throw new Error("it has no replies");
  return reply;
}

function isList(script: FaultReply | readonly FaultReply[]): script is readonly FaultReply[] {
  return Array.isArray(script);
}

async function play(reply: FaultReply, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, delayMs = 0, packetDelayMs = 0, end = "close" } = reply;
  if (delayMs > 0) await pause(delayMs, response);
  if (isGone(response)) return;
  response.writeHead(status, {
    "content-type": "text/event-stream",
    ...(reply.gzip && { "content-encoding": "gzip" }),
    ...headers,
  });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  for (const packet of packetsOf(reply)) {
    await send(packet, response);
    if (isGone(response)) return;
    await pause(packetDelayMs, response);
  }
  if (isGone(response) || end === "stall") return;
  if (end === "reset") response.socket?.resetAndDestroy();
  else response.end();
}

function* packetsOf(reply: FaultReply): Generator<Uint8Array> {
  const { body = "", gzip = false, splitAt = [], splitEvery, floodBytes = 0 } = reply;
  const plain = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const whole = gzip ? gzipSync(plain) : plain;
  const bytes = whole.subarray(0, reply.cutAt ?? whole.length);
  const offsets = new Set(splitAt.filter((offset) => offset > 0 && offset < bytes.length));
  if (splitEvery !== undefined) {
    for (let at = splitEvery; at < bytes.length; at += Math.max(1, splitEvery)) offsets.add(at);
  }
  const ends = [...offsets].sort((a, b) => a - b).concat(bytes.length);
  let sent = 0;
  do {
    let start = 0;
    for (const end of ends) {
      if (end > start) yield bytes.subarray(start, end);
      start = end;
    }
    sent += bytes.length;
  } while (bytes.length > 0 && sent < floodBytes);
}

/** Resolves when the packet has been passed to the network, or the connection is gone. */
function send(packet: Uint8Array, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.write(packet, () => {
      response.off("close", resolve);
      resolve();
    });
  });
}

/** Waits, but not for a client that has left. Without a time it lets the client's own reads come first. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0) return void setImmediate(() => setImmediate(resolve));
    const timer = setTimeout(done, ms);
    response.once("close", done);
    function done() {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    }
  });
}

function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.socket === null || response.socket.destroyed;
}

async function readText(incoming: IncomingMessage): Promise<string | null> {
  const packets: Buffer[] = [];
  let bytes = 0;
  for await (const packet of incoming as AsyncIterable<Buffer>) {
    bytes += packet.length;
    if (bytes > MAX_REQUEST_BYTES) return null;
    packets.push(packet);
  }
  return Buffer.concat(packets).toString("utf8");
}

function toRequest(incoming: IncomingMessage, response: ServerResponse, text: string): FaultRequest {
  const left = new Promise<boolean>((resolve) => {
    response.once("close", () => resolve(!response.writableFinished));
  });
  const { method = "", url = "", headers } = incoming;
  return { method, path: url, headers, body: parseJson(text) ?? text, text, left };
}
