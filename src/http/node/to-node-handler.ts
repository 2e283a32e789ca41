import { ConfigurationError } from "../../contracts/errors.js";
import { checkOptions, FUNCTION, type OptionTable, optionError, optionOf } from "../../json/check-options.js";
import { toErrorResponse } from "../to-response.js";
import { toRequest } from "./node-request.js";
import type { NodeRequest, NodeResponse } from "./node-types.js";
import { type Sending, sendResponse } from "./send-response.js";

/** Answers a web standard `Request`, as Hono's `app.fetch` and the route handlers of Next do. */
export type WebHandler = (request: Request) => Response | Promise<Response>;

/** A request handler of `node:http`, `node:https` and `node:http2`, which Express and connect take as well. */
export type NodeHandler = (incoming: NodeRequest, outgoing: NodeResponse, next?: (error?: unknown) => void) => void;

/** Options of `toNodeHandler()`. */
export interface NodeHandlerOptions {
  /**
   * The beginning of each request's URL, such as `https://chat.example.com`: the public address of a server behind a proxy.
   *
   * Default: the scheme of the connection, and the host that the client names. `X-Forwarded-Proto` and its like are not read, since
   * any client can send them.
   */
  readonly origin?: string | undefined;
  /**
   * Called with what the handler, or the body of its response, has thrown. The client learns nothing of it. What is thrown because
   * the client has left (`request.signal.reason`) is left out.
   *
   * Default: `console.error`, but nothing where Express or connect pass `next`: they get the error in any case.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const OPTIONS = {
  origin: optionOf(isOrigin, "scheme, host and port, such as https://chat.example.com"),
  onError: FUNCTION,
} satisfies OptionTable<NodeHandlerOptions>;

function isOrigin(value: unknown): boolean {
  return (
    typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value
  );
}

/**
 * Serves a function from `Request` to `Response` on Node: `http.createServer(toNodeHandler(chat))`, or `app.use(toNodeHandler(chat))`
 * in Express.
 *
 * - Bodies stream both ways, as fast as they are read. The head of a response is sent at once, before the first event of its body.
 * - `request.signal` aborts when the client leaves before the response is complete; the response's body is cancelled then.
 * - A body that a parser such as `express.json()` has read before is taken from `req.body`, written as JSON again. A form that was
 *   parsed, or a body that is gone, is an error.
 * - A request whose target or `Host` is malformed gets 400, and never reaches the handler.
 * - If the handler throws, or returns no `Response`, the client gets 500, or Express gets the error by `next`. If the body of the
 *   response fails, its connection (in HTTP/2, its stream) is cut, so that the client does not take it for complete.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function toNodeHandler(handler: WebHandler, options: NodeHandlerOptions = {}): NodeHandler {
  if (typeof handler !== "function")
    throw optionError("toNodeHandler()", "handler", handler, "a function from Request to Response");
  checkOptions("toNodeHandler()", options, OPTIONS);
  const { origin, onError } = options;

  async function answer(incoming: NodeRequest, outgoing: NodeResponse, left: AbortController, sending: Sending) {
    if (outgoing.headersSent) {
      const message = "The request had been answered before toNodeHandler() got it. Its handler did not run.";
      throw new ConfigurationError("OPTION_INVALID", { message, details: { option: "outgoing" } });
    }
    const request = toRequest(incoming, outgoing, { origin, left });
    const response = request instanceof Response ? request : await handler(request);
    if (!isResponse(response)) {
      const message = `The handler of toNodeHandler() returned ${typeof response}. Return a Response.`;
      throw new ConfigurationError("OPTION_INVALID", { message, details: { option: "handler" } });
    }
    await sendResponse(response, outgoing, sending);
  }

  return (incoming, outgoing, next) => {
    const left = new AbortController();
    const leave = () => left.abort();
    if (outgoing.destroyed || outgoing.stream?.destroyed) leave();
    outgoing.on("close", leave);
    // An error of the connection is followed by "close".
    outgoing.on("error", () => {});
    const sending = {
      isHead: incoming.method === "HEAD",
      isHttp2: incoming.httpVersionMajor >= 2,
      left: left.signal,
    };
    const fail = async (error: unknown) => {
      if (!next && !outgoing.headersSent) await sendResponse(toErrorResponse(undefined), outgoing, sending);
      if (left.signal.aborted && error === left.signal.reason) return;
      next?.(error);
      if (onError) onError(error);
      else if (!next) console.error(error);
    };
    void answer(incoming, outgoing, left, sending)
      .catch(fail)
      .finally(() => outgoing.off("close", leave));
  };
}

function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "headers" in value && "status" in value;
}
