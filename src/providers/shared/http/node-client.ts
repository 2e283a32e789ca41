// Node's own HTTP client, in the shape of `fetch`. A request costs a third of what it costs there: Node's `fetch` copies the
// request, puts web streams around both bodies, and loads some 20 ms of code with its first use (docs/decisions/0028).
import type { ClientRequest, IncomingMessage } from "node:http";
import { followSignal } from "../../../time/follow-signal.js";
import { NodeBody } from "./node-body.js";
import type { HttpRequest, HttpResponse, Transport } from "./transport.js";

/** The longest silence of a server, the same as in Node's `fetch`. Unit: milliseconds. */
const MAX_SILENCE_MS = 300_000;

/** The longest time for a connection, the same as in Node's `fetch`. Unit: milliseconds. */
const MAX_CONNECT_MS = 10_000;

/**
 * A server may close a connection at the moment it is used again. Within this time of a request that is taken for what has
 * happened, and the request sent again; later the server may have been at work on it. Unit: milliseconds.
 */
const MAX_STALE_MS = 1_000;

/** The default headers of `fetch`. Some gateways refuse a client that does not name itself. */
const HEADERS = { accept: "*/*", "user-agent": "node" };

/** The global names of a dispatcher for Node's `fetch`; the second is that of undici 8. */
const DISPATCHERS = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];

/** Takes the place of absent options. */
const NOT_PLAIN = [null];

/** The last `fetch` that was looked at, and whether it is Node's. */
let fetchSeen: unknown;
let isNodesFetch = false;

/**
 * The client, where it stands in for `fetch`; `undefined` where that has to be asked: on other platforms, when somebody has
 * put another in its place, and when a dispatcher, such as one for a proxy, says how it connects.
 */
export function nodeClient(): Transport | undefined {
  if (globalThis.fetch !== fetchSeen) {
    fetchSeen = globalThis.fetch;
    const isNodes = /internal\/deps\/undici/.test(String(fetchSeen));
    isNodesFetch = isNodes && globalThis.process?.getBuiltinModule?.("node:http") !== undefined; // A sandbox may have none.
  }
  return isNodesFetch && DISPATCHERS.every(isUsual) ? send : undefined;
}

/** Whether nobody has set a dispatcher, or the one that is there is what Node's `fetch` makes for itself. */
function isUsual(name: symbol): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, name);
  if (typeof dispatcher !== "object" || dispatcher === null) return dispatcher === undefined;
  // Undici 8 leaves a wrapper around its own dispatcher for older versions.
  if (dispatcher.constructor.name === "Dispatcher1Wrapper") return DISPATCHERS[1]! in globalThis;
  const symbols = Object.getOwnPropertySymbols(dispatcher);
  const part = (of: string): unknown =>
    Reflect.get(dispatcher, symbols.find(({ description }) => description === of) ?? of);
  const isPlain = (value: unknown) => value === undefined || value === Number.POSITIVE_INFINITY;
  return (
    dispatcher.constructor.name === "Agent" &&
    Object.values(part("options") ?? NOT_PLAIN).every(isPlain) &&
    /^function defaultFactory\b/.test(String(part("factory"))) &&
    // Interceptors put a dispatch of their own in front.
    part("dispatch") === Reflect.get(Object.getPrototypeOf(dispatcher), "dispatch")
  );
}

const send = (url: string, asked: HttpRequest, begunAt = performance.now()): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { method, headers, body, signal } = asked;
    signal.throwIfAborted();
    const length = Buffer.byteLength(body);
    const options = { method, headers: { ...HEADERS, ...headers, "content-length": length }, timeout: MAX_SILENCE_MS };
    const request = clientFor(url).request(url, options);
    let answer: NodeBody | undefined;
    const end = (error: unknown): void => {
      if (answer) answer.fail(error);
      else {
        reject(error);
        request.destroy();
      }
    };
    const leave = followSignal(signal, () => end(signal.reason));
    const isWaiting = () => !answer || answer.isAwaited;
    limitSilence(request, url.startsWith("https:") ? "secureConnect" : "connect", isWaiting, end);
    request.on("response", (response) => {
      answer = new NodeBody(response);
      resolve(answerOf(response, answer));
      // A server that has answered may never read the rest.
      response.on("end", () => request.writableFinished || request.destroy());
    });
    // Once there is a response, its body reports the end of the connection; a server may refuse a body that is still being sent.
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isReset = error.code === "ECONNRESET" || error.code === "EPIPE";
      const isStale = !answer && isReset && request.reusedSocket && performance.now() - begunAt < MAX_STALE_MS;
      if (isStale && !signal.aborted) resolve(send(url, asked, begunAt));
      else reject(error);
    });
    request.on("close", () => {
      leave();
      if (!answer) reject(new Error("the connection was closed")); // Also by a server that answers in another protocol.
    });
    // Node encodes a string in one piece with the head, which is not UTF-8: so where that would differ, as bytes.
    if (typeof body === "string" && length !== body.length) request.end(Buffer.from(body));
    else request.end(body, "latin1");
  });

/** Ends a request whose connection takes too long, or whose server sends nothing for too long while somebody waits for it. */
function limitSilence(
  request: ClientRequest,
  connected: "connect" | "secureConnect",
  isWaiting: () => boolean,
  end: (error: unknown) => void,
): void {
  let isConnecting = false;
  request.on("socket", (socket) => {
    if (!socket.connecting) return; // It is used again.
    isConnecting = true;
    socket.setTimeout(MAX_CONNECT_MS);
    socket.once(connected, () => {
      isConnecting = false;
      socket.setTimeout(MAX_SILENCE_MS);
    });
  });
  request.on("timeout", () => {
    if (isConnecting) end(new Error(`no connection within ${MAX_CONNECT_MS} ms`));
    else if (isWaiting()) end(new DOMException(`no packet for ${MAX_SILENCE_MS} ms`, "TimeoutError"));
    else request.socket!.setTimeout(MAX_SILENCE_MS, () => request.emit("timeout")); // Node hears the first one only.
  });
}

function answerOf(response: IncomingMessage, body: NodeBody): HttpResponse {
  return {
    status: response.statusCode!,
    headers: {
      get: (name) => {
        const value = response.headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
    },
    body: { getReader: () => body },
  };
}

function clientFor(url: string) {
  return url.startsWith("https:") ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
}
