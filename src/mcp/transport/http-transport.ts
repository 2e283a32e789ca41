// Streamable HTTP is the SDK's. What is added: bounds on what a server may send and on how often streams are asked for again,
// an error for a request whose stream ends without a response, and the end of the session on close.
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { CannotConnect, NOT_ANSWERED, reasonOf } from "../client/mcp-errors.js";
import type { ClientSdk } from "../client/mcp-sdk.js";
import { canSignIn, type McpAuth } from "../client/oauth.js";
import { boundedFetch, TOO_LONG } from "./bounded-fetch.js";
import { FLOODED, FloodGate } from "./flood-gate.js";
import { StreamPace } from "./stream-pace.js";

/** Where a server is reached. */
export interface ServerAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly auth?: object | undefined;
}

/** How long a server may take to end a session. Unit: milliseconds. */
const GOODBYE_MS = 1_000;
const NO_RESPONSE = -32_000;
const OTHERS = "it replied to requests that it was not sent";
/** How often one session sends the user to sign in. */
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
  readonly #auth: object | undefined;
  readonly #inner: StreamableHTTPClientTransport;
  #signingIn: Promise<void> | undefined;
  #signIns = 0;
  #first: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** Why the connection is over, where that is known; set before `onclose` is called. */
  endedBecause: string | undefined;
  readonly #gate = new FloodGate();
  readonly #pace = new StreamPace();
  /** A response was cut because of its length; the request that it was for fails next. */
  #isTooLong = false;
  /** Requests that are answered with one JSON text, of which nothing follows, until their response is found in it. */
  readonly #inOneText = new Set<unknown>();

  constructor(sdk: ClientSdk, { url, headers, auth }: ServerAddress) {
    this.#sdk = sdk;
    this.#auth = auth;
    this.#inner = new sdk.StreamableHTTPClientTransport(new URL(url), {
      fetch: (input, init) => this.#fetch(input, init),
      reconnectionScheduler: (open, wantedMs) => this.#pace.later(open, wantedMs),
      ...(headers && { requestInit: { headers: { ...headers } } }),
      ...(auth && { authProvider: auth as never }),
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
    const send = async () => {
      const id = "method" in message && "id" in message ? message.id : undefined;
      this.#inOneText.delete(id);
      await this.#inner.send(message, { ...options, onRequestStreamEnd });
      if (this.#inOneText.delete(id)) this.#failRequest(id as number, OTHERS);
    };
    const auth = this.#auth;
    if (!canSignIn(auth)) return send().catch((error) => this.#explain(error));
    await this.#signingIn?.catch(() => undefined);
    // Before there are tokens, one request at a time: each that meets the wall would send the user away of its own.
    if (!(await auth.tokens())) return this.#alone(() => this.#sendOrSignIn(send, auth));
    await this.#sendOrSignIn(send, auth);
  }

  async #fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const response = await boundedFetch(input, init, () => {
      this.#isTooLong = true;
    });
    const isOneText = /^application\/json/i.test(response.headers.get("content-type") ?? "");
    const { body } = init ?? {};
    if (!response.ok || !isOneText || typeof body !== "string" || !body.startsWith("{")) return response;
    const { id, method } = JSON.parse(body);
    if (id !== undefined && method !== undefined) this.#inOneText.add(id);
    return response;
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

  async #alone(work: () => Promise<void>): Promise<void> {
    const before = this.#first;
    const mine = before.then(work);
    this.#first = mine.catch(() => undefined);
    await mine;
  }

  async #sendOrSignIn(send: () => Promise<void>, auth: McpAuth): Promise<void> {
    try {
      await send();
    } catch (error) {
      if (!this.#sdk.UnauthorizedError.isInstance(error)) throw error;
      await this.#signIn(auth);
      await send();
    }
  }

  /** Waits for the user; requests that meet the same wall wait together. */
  async #signIn(auth: McpAuth): Promise<void> {
    if (!this.#signingIn) {
      if (++this.#signIns > MAX_SIGN_INS) throw new CannotConnect("it keeps asking to sign in.");
      this.#signingIn = auth
        .takeCallback()
        .then((callback) => this.#inner.finishAuth(callback))
        .catch((cause) => {
          throw new CannotConnect(`the user is not signed in: ${reasonOf(cause)}`, { cause });
        });
      this.onSignIn?.(this.#signingIn);
    }
    try {
      await this.#signingIn;
    } finally {
      this.#signingIn = undefined;
    }
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
