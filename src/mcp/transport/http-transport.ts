// Streamable HTTP is the SDK's. What is added: bounds on what a server may send and on how often streams are asked for again,
// an error for a request whose stream ends without a response, and the end of the session on close.
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { unlessAborted } from "../../time/unless-aborted.js";
import { CannotConnect, NOT_ANSWERED, reasonOf } from "../client/mcp-errors.js";
import type { ClientSdk } from "../mcp-sdk.js";
import { type RefusedRequest, renewTokens, signIn } from "../sign-in/authorization.js";
import { canSignIn, type StoredAuth } from "../sign-in/oauth.js";
import { boundedFetch, TOO_LONG } from "./bounded-fetch.js";
import { FLOODED, FloodGate } from "./flood-gate.js";
import { StreamPace } from "./stream-pace.js";

/** The address of a server, and the credentials for it. */
export interface ServerAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly auth?: object | undefined;
}

/** The time a server may take to end a session. Unit: milliseconds. */
const GOODBYE_MS = 1_000;
/** The time an authorization server may take for one request. Unit: milliseconds. */
const AUTH_MS = 30_000;
const NO_RESPONSE = -32_000;
const OTHERS = "it replied to requests that it was not sent";
/** The most often that one session sends the user to sign in. */
const MAX_SIGN_INS = 3;

/** Messages with a server at a URL. */
export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly hasPerRequestStream = true;
  /** The user was sent to sign in: what is called here ends with that. Time spent there is not the server's. */
  onSignIn: ((signedIn: Promise<void>) => void) | undefined;
  readonly #sdk: ClientSdk;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #auth: StoredAuth | undefined;
  readonly #inner: StreamableHTTPClientTransport;
  #signIns = 0;
  #closing: Promise<void> | undefined;
  /** The reason why the connection is over, where that is known; set before `onclose` is called. */
  endedBecause: string | undefined;
  readonly #gate = new FloodGate();
  readonly #pace = new StreamPace();
  /** A response was cut because of its length; the request that it was for fails next. */
  #isTooLong = false;
  /** Requests that are answered with one JSON text, of which nothing follows, until their response is found in it. */
  readonly #inOneText = new Set<unknown>();

  constructor(sdk: ClientSdk, { url, headers, auth }: ServerAddress) {
    this.#sdk = sdk;
    this.#url = new URL(url);
    this.#headers = { ...headers };
    this.#auth = canSignIn(auth) ? auth : undefined;
    this.#inner = new sdk.StreamableHTTPClientTransport(this.#url, {
      fetch: (input, init) => this.#fetch(input, init),
      reconnectionScheduler: (open, wantedMs) => this.#pace.later(open, wantedMs),
      requestInit: { headers: this.#headers },
      ...(auth && !this.#auth && { authProvider: auth as never }),
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 10_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 3,
      },
    });
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.#receive(message);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      if ("id" in message && "method" in message) this.#failRequest(message.id as number);
    };
    const id = "method" in message && "id" in message ? message.id : undefined;
    this.#inOneText.delete(id);
    await this.#inner.send(message, { ...options, onRequestStreamEnd }).catch((error) => this.#explain(error));
    if (this.#inOneText.delete(id)) this.#failRequest(id as number, OTHERS);
  }

  async #fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const response = await (this.#auth ? this.#fetchAs(this.#auth, input, init) : this.#fetchBounded(input, init));
    const isOneText = /^application\/json/i.test(response.headers.get("content-type") ?? "");
    const { body } = init ?? {};
    if (!response.ok || !isOneText || typeof body !== "string" || !body.startsWith("{")) return response;
    const { id, method } = JSON.parse(body);
    if (id !== undefined && method !== undefined) this.#inOneText.add(id);
    return response;
  }

  #fetchBounded(input: string | URL, init?: RequestInit): Promise<Response> {
    return boundedFetch(input, init, () => {
      this.#isTooLong = true;
    });
  }

  /** With the user's token. A refusal has it renewed, or the user sent to sign in, once each, and the request is made again. */
  async #fetchAs(auth: StoredAuth, input: string | URL, init: RequestInit = {}): Promise<Response> {
    const { signal, method } = init;
    let mayRenew = true;
    for (let hasSignedIn = false; ; ) {
      const tokens = await unlessAborted(auth.tokens(), signal);
      const headers = new Headers(init.headers);
      if (tokens) headers.set("authorization", `Bearer ${tokens.access_token}`);
      const response = await this.#fetchBounded(input, { ...init, headers });
      const { status } = response;
      const { error, scope, resourceMetadataUrl } = this.#sdk.extractWWWAuthenticateParams(response);
      const isTooNarrow = status === 403 && error === "insufficient_scope";
      // Nobody is sent away to say goodbye.
      if ((status !== 401 && !isTooNarrow) || hasSignedIn || method === "DELETE") return response;
      await response.body?.cancel();
      const { access_token: token, scope: granted } = tokens ?? {};
      const wanted = this.#sdk.computeScopeUnion(isTooNarrow ? granted : undefined, scope);
      const refusal = { sdk: this.#sdk, serverUrl: this.#url, token, scope: wanted, resourceMetadataUrl, signal };
      const asking = { ...refusal, fetch: (url: string | URL, more?: RequestInit) => this.#fetchForAuth(url, more) };
      if (mayRenew && !isTooNarrow && (await renewTokens(auth, asking))) {
        mayRenew = false;
        continue;
      }
      await this.#signIn(auth, asking);
      hasSignedIn = true;
    }
  }

  async #signIn(auth: StoredAuth, refusal: RefusedRequest): Promise<void> {
    if (++this.#signIns > MAX_SIGN_INS) throw new CannotConnect("it keeps asking to sign in.");
    const signedIn = signIn(auth, refusal).catch((cause) => {
      if (refusal.signal?.aborted) throw cause;
      throw new CannotConnect(`the user is not signed in: ${reasonOf(cause)}`, { cause });
    });
    this.onSignIn?.(signedIn);
    await signedIn;
  }

  /** Headers of the host for the server go nowhere else. */
  #fetchForAuth(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const own = new URL(input).origin === this.#url.origin ? this.#headers : {};
    const headers = new Headers({ ...own, ...Object.fromEntries(new Headers(init.headers)) });
    return boundedFetch(input, { ...init, headers, signal: AbortSignal.timeout(AUTH_MS) }, () => {});
  }

  #receive(message: JSONRPCMessage): void {
    if (this.endedBecause !== undefined) return;
    // Some send a number back as a string.
    if (!("method" in message)) for (const id of [message.id, Number(message.id)]) this.#inOneText.delete(id);
    if ("method" in message && this.#gate.isFlooded()) {
      this.endedBecause = FLOODED;
      this.#pace.stop();
      void this.#inner.close();
    } else this.onmessage?.(message);
  }

  #explain(error: unknown): never {
    const { status } = error as { status?: unknown };
    const isWall = this.#sdk.UnauthorizedError.isInstance(error) || status === 401;
    if (!isWall) throw error;
    throw new CannotConnect(
      "it answered with HTTP 401: it asks its user to sign in; pass `auth` (see createMcpAuth), or a valid `headers.Authorization`.",
      {
        cause: error,
      },
    );
  }

  /** Ignored by the SDK when the request has its response. */
  #failRequest(id: number, why = "the connection ended before its response had come"): void {
    const message = this.#isTooLong ? TOO_LONG : why;
    this.#isTooLong = false;
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: NO_RESPONSE, message, data: NOT_ANSWERED } });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#pace.stop();
    if (this.#inner.sessionId !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, GOODBYE_MS);
      });
      // A server that is gone has no session to end.
      await Promise.race([this.#inner.terminateSession().catch(() => undefined), timeUp]);
      clearTimeout(timer);
    }
    await this.#inner.close();
    this.#pace.stop();
  }
}
