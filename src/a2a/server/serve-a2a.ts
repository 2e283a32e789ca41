import { isHarnessError } from "../../contracts/errors.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import { STREAM_TABLE } from "../../http/byte-stream.js";
import { describeError, isForHost } from "../../http/describe-error.js";
import type { RunHub } from "../../http/hub/hub-types.js";
import { createRunHub } from "../../http/hub/run-hub.js";
import { READ_TABLE } from "../../http/requests/read-prompt.js";
import { readRequestBody } from "../../http/requests/request-body.js";
import {
  checkOptions,
  eitherOf,
  FUNCTION,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  required,
} from "../../json/check-options.js";
import { type A2aServerSdk, loadA2aServerSdk } from "../a2a-sdk.js";
import type { A2aCaller, A2aRunOptions } from "./a2a-caller.js";
import { type A2aCard, CARD_RULE, cardResponse, toCard } from "./agent-card.js";
import { type Caller, callContext } from "./call-state.js";
import { answerRest } from "./rest-routes.js";
import { StoredTasks } from "./stored-tasks.js";
import { streamResponse } from "./stream-response.js";
import { type Card, TaskHandler } from "./task-handler.js";

/** Options of `serveA2a()`. */
export interface ServeA2aOptions {
  /** The agent; either this or `hub`. */
  readonly engine?: AgentEngine | undefined;
  /** The agent's hub, where other views of its runs are served as well. */
  readonly hub?: RunHub | undefined;
  /** The agent's description of itself. */
  readonly card: A2aCard;
  /**
   * The user of a request: an id that is the same whenever this user comes back. `null`: the request is refused with the status 401.
   * Called for each request but those for the card, before anything of its body is read.
   *
   * `"nobody"`: no one is asked, and all clients are one user, who sees every task.
   */
  readonly authenticate: "nobody" | ((request: Request) => string | null | Promise<string | null>);
  /** The options of a caller's run. Called for each message that starts or continues one. Default: those of the engine. */
  readonly optionsFor?: ((caller: A2aCaller) => A2aRunOptions | Promise<A2aRunOptions>) | undefined;
  /** Largest body that is read. Unit: bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** The silence of a stream before it sends a comment, so that proxies keep it open. Unit: milliseconds. Default: 15,000. 0: never. */
  readonly heartbeatMs?: number | undefined;
  /** Called with what went wrong here and clients learn nothing of. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const OPTIONS = {
  engine: optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine"),
  hub: optionOf((value) => ENGINE_PARTS.has(Object(value)), "a hub, as createRunHub() returns it"),
  card: required(CARD_RULE),
  authenticate: required(eitherOf(FUNCTION, oneOf("nobody"))),
  optionsFor: FUNCTION,
  maxBytes: READ_TABLE.maxBytes,
  heartbeatMs: STREAM_TABLE.heartbeatMs,
  onError: FUNCTION,
} satisfies OptionTable<ServeA2aOptions>;

const WELL_KNOWN = "/.well-known/agent-card.json";
const VERSION = "a2a-version";
const BUSY = "Another task of this context is under way. Send the message to that task, or wait until it is over.";
const JSON_TYPES = new Set(["application/json", "application/a2a+json"]);

/**
 * Serves an agent to other agents by A2A 1.0, over JSON-RPC and REST, both with streams, and to clients of version 0.3. Needs the
 * package `@a2a-js/sdk`, which is loaded with the first request.
 *
 * Returns a function from `Request` to `Response`, for `toNodeHandler()` or any framework that has them. It answers the requests below
 * the path of `card.url`, and those for the card at `/.well-known/agent-card.json`; any other with the status 404. The function rejects with
 * `PEER_MISSING` or `PEER_UNSUPPORTED` as long as the package is not there.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function serveA2a(options: ServeA2aOptions): (request: Request) => Promise<Response> {
  const { engine, hub, ...rest } = checkOptions("serveA2a()", options, OPTIONS);
  if ((engine === undefined) === (hub === undefined))
    throw optionError("serveA2a()", "engine", engine, "either an engine or a hub");
  const served = hub ?? createRunHub({ engine: engine! });
  let loading: Promise<Agent> | undefined;
  return async (request) => {
    loading ??= loadA2aServerSdk().then((sdk) => new Agent(sdk, served, rest));
    const agent = await loading.catch((error) => {
      loading = undefined;
      throw error;
    });
    return agent.answer(request);
  };
}

type Settings = Omit<ServeA2aOptions, "engine" | "hub"> & { readonly maxBytes: number; readonly heartbeatMs: number };

class Agent {
  readonly #card: Card;
  readonly #path: string;
  readonly #handler: TaskHandler;
  readonly #rpc: { readonly modern: RpcTransport; readonly legacy: RpcTransport };

  constructor(
    private readonly sdk: A2aServerSdk,
    hub: RunHub,
    private readonly settings: Settings,
  ) {
    const { card, optionsFor } = settings;
    this.#card = toCard(sdk, card);
    this.#path = new URL(card.url).pathname.replace(/\/+$/, "");
    this.#handler = new TaskHandler({
      sdk,
      hub,
      tasks: new StoredTasks(sdk, hub, ENGINE_PARTS.get(hub)!.config),
      card: this.#card,
      optionsFor: async ({ user, request }, contextId) => (await optionsFor?.({ user, contextId, request })) ?? {},
      explain: (error) => this.#explain(error),
    });
    this.#rpc = {
      modern: new sdk.JsonRpcTransportHandler(this.#handler),
      legacy: new sdk.LegacyJsonRpcTransportHandler(this.#handler),
    };
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const version = request.headers.get(VERSION);
    if (isRead && (pathname === WELL_KNOWN || pathname === this.#path + WELL_KNOWN))
      return cardResponse(this.sdk, this.#card, version);
    if (pathname !== this.#path && !pathname.startsWith(`${this.#path}/`)) return refuse(404, "There is nothing here.");
    const user = await this.#userOf(request);
    if (user instanceof Response) return user;
    const left = new AbortController();
    const caller = { user: user.id, request, left: left.signal };
    const path = pathname.slice(this.#path.length);
    if (request.method === "POST" && /^\/?$/.test(path)) return this.#answerRpc(caller, version, left);
    const context = callContext(this.sdk, caller, version ?? undefined);
    try {
      this.sdk.validateVersion(context.requestedVersion, this.#card, "HTTP+JSON");
      const rest = { method: request.method, path, query: searchParams, body: () => this.#bodyOf(request) };
      return await answerRest(this.sdk, this.#handler, rest, context, this.#streaming(left));
    } catch (error) {
      const explained = this.#explain(error);
      const status = this.sdk.restStatusFor(explained);
      return Response.json(this.sdk.toRestErrorBody(explained, status), { status });
    }
  }

  async #answerRpc(caller: Caller, version: string | null, left: AbortController): Promise<Response> {
    const { sdk } = this;
    // A request of 0.3 names no version.
    const isLegacy = (version || "0.3") === "0.3";
    const toError = isLegacy
      ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError
      : sdk.JsonRpcTransportHandler.mapToJSONRPCError;
    let id: unknown = null;
    const failure = (error: unknown) => ({ jsonrpc: "2.0", id, error: toError(this.#explain(error)) });
    try {
      const context = callContext(sdk, caller, version || undefined);
      sdk.validateVersion(context.requestedVersion, this.#card, "JSONRPC");
      const body = await this.#bodyOf(caller.request);
      id = (body as { readonly id?: unknown }).id ?? null;
      const answer = await this.#rpc[isLegacy ? "legacy" : "modern"].handle(body as never, context);
      if (!isStream(answer)) return Response.json(answer);
      return await streamResponse(answer, { ...this.#streaming(left), failure });
    } catch (error) {
      return Response.json(failure(error));
    }
  }

  /** The user of a request, or the response to a client that is not one. */
  async #userOf(request: Request): Promise<{ readonly id: string | null } | Response> {
    const { authenticate } = this.settings;
    if (authenticate === "nobody") return { id: null };
    try {
      const id = await authenticate(request);
      if (typeof id === "string" && id !== "") return { id };
    } catch (error) {
      this.#explain(error);
      return refuse(500, "The server failed. Its log may say why.");
    }
    return refuse(401, "The request is not signed in. The agent's card says how to.", { "www-authenticate": "Bearer" });
  }

  /** A page elsewhere can send no JSON without asking first: so a browser's cookies are of no use to it. */
  #bodyOf(request: Request): Promise<unknown> {
    const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";", 1);
    if (!JSON_TYPES.has(type.trim())) throw new this.sdk.ContentTypeNotSupportedError("Send application/json.");
    return readRequestBody(request, this.settings.maxBytes);
  }

  #streaming(left: AbortController) {
    return { heartbeatMs: this.settings.heartbeatMs, leave: () => left.abort() };
  }

  /** An error as a client may read it. What it may not read goes to `onError`. */
  #explain(error: unknown): Error {
    const { A2AError, RequestMalformedError, UnsupportedOperationError } = this.sdk;
    const { onError = console.error } = this.settings;
    if (error instanceof A2AError) return error;
    if (isHarnessError(error, "OPTION_INVALID")) return new RequestMalformedError(error.message);
    if (isHarnessError(error, "SESSION_BUSY")) return new UnsupportedOperationError(BUSY);
    if (isForHost(error)) onError(error);
    return new A2AError(describeError(error).message);
  }
}

type RpcTransport = Pick<InstanceType<A2aServerSdk["JsonRpcTransportHandler"]>, "handle">;

function isStream(answer: object): answer is AsyncGenerator<unknown, void, undefined> {
  return Symbol.asyncIterator in answer;
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error: { code: status, message } }, { status, headers });
}
