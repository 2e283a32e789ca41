// A request of Node's as the web's: nothing that a client sends may decide more than its own request.
import { ConfigurationError, isHarnessError } from "../../contracts/errors.js";
import { badRequest } from "../requests/request-body.js";
import { toErrorResponse } from "../to-response.js";
import type { NodeRequest, NodeResponse } from "./node-types.js";

/** A host name or address, with or without a port, and nothing that a URL would read as a user, a path or a query. */
const HOST = /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

export interface RequestOptions {
  readonly origin: string | undefined;
  /** Aborted when the client leaves: its signal is the request's. */
  readonly left: AbortController;
}

/**
 * The web's form of a request, whose body is read as fast as it is asked for; or, if it has none, the response that says so.
 *
 * @throws ConfigurationError `OPTION_INVALID` if the body is gone: the host's mistake
 */
export function toRequest(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  { origin, left }: RequestOptions,
): Request | Response {
  const { method = "GET" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const parsed = hasBody ? parsedBody(incoming) : undefined;
  try {
    const url = (origin ?? originOf(incoming)) + pathOf(incoming);
    const headers = headersOf(incoming, parsed !== undefined);
    const body = hasBody ? (parsed ?? bodyOf(incoming, outgoing, left)) : null;
    // The option that Node's fetch requires for a streamed body is not among the web's types.
    return new Request(url, { method, headers, signal: left.signal, body, duplex: "half" } as RequestInit);
  } catch (error) {
    const refused = isHarnessError(error) ? error : badRequest(`The request is not valid: ${error}.`, "request");
    return toErrorResponse(refused);
  }
}

function originOf({ headers, socket }: NodeRequest): string {
  const scheme = socket && Reflect.get(socket, "encrypted") === true ? "https" : "http";
  const host = headers[":authority"] ?? headers.host ?? "localhost";
  if (typeof host !== "string" || !HOST.test(host))
    throw badRequest("The Host header of the request is not a host, such as example.com:8080.", "host");
  return `${scheme}://${host}`;
}

/** The path is put behind the origin, not resolved against it: `//elsewhere.com/` is a path too. */
function pathOf({ url = "/", originalUrl = url }: NodeRequest): string {
  if (originalUrl.startsWith("/")) return originalUrl;
  // A client sends a proxy a whole address.
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(originalUrl)?.[1];
  if (path === undefined) throw badRequest("The target of the request is not a path.", "url");
  return path;
}

/** As Node joins repeated ones: a second `Host` or `Authorization` does not count. */
function headersOf({ headers: given }: NodeRequest, isParsed: boolean): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(given)) {
    if (name.startsWith(":")) continue;
    for (const each of [value].flat()) headers.append(name, each);
  }
  const authority = given[":authority"];
  if (typeof authority === "string" && !headers.has("host")) headers.set("host", authority);
  // They describe the bytes that were sent, not those that are written for what was parsed.
  if (isParsed) for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  return headers;
}

/** The body that a body parser has read, as bytes again; `undefined` if nobody has read the body. */
function parsedBody({
  readableDidRead,
  body,
  method,
  headers,
}: NodeRequest): string | Uint8Array<ArrayBuffer> | undefined {
  if (!readableDidRead) return undefined;
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  const type = String(headers["content-type"] ?? "");
  if (body !== undefined && !/form/i.test(type)) return JSON.stringify(body);
  throw new ConfigurationError("OPTION_INVALID", {
    message: `The body of a ${method} request had been read before toNodeHandler() got it${type && ` (${type})`}. Register it before whatever parses bodies, or leave the parser out for this route.`,
    details: { option: "body" },
  });
}

/** Nothing is read before it is asked for, and Node discards what nobody asks for. */
function bodyOf(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  left: AbortController,
): ReadableStream<Uint8Array> | null {
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  if (incoming.httpVersionMajor < 2 && encoding === undefined && length === "0") return null;
  incoming.pause();
  let isOver = false;
  let take: (chunk: unknown) => void;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (close: () => void) => () => {
          if (!isOver) close();
          isOver = true;
        };
        const fail = (why: () => unknown) => end(() => controller.error(why()));
        take = (chunk) => {
          controller.enqueue(chunk as Uint8Array);
          if (controller.desiredSize! <= 0) incoming.pause();
        };
        incoming.on("data", take);
        incoming.on(
          "end",
          end(() => controller.close()),
        );
        const cutOff = fail(() => {
          left.abort();
          return left.signal.reason;
        });
        incoming.on("error", cutOff);
        incoming.on("close", cutOff);
        // Node then discards the rest of the body, which would look like its end.
        outgoing.on(
          "finish",
          fail(() => new Error("The body of the request was read after the response was sent.")),
        );
      },
      pull: () => void incoming.resume(),
      cancel() {
        isOver = true;
        incoming.off("data", take);
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
