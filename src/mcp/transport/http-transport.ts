// Streamable HTTP is the SDK's. What is added: bounds on what a server may send, an error for a request whose stream ends
// without a response, and the end of the session on close.
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { CannotConnect, reasonOf } from "../client/mcp-errors.js";
import type { ClientSdk } from "../client/mcp-sdk.js";
import { canSignIn, type McpAuth } from "../client/oauth.js";

/** Where a server is reached. */
export interface ServerAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly auth?: object | undefined;
}

/** Of one response, or of one line of a stream. Unit: bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** How long a server may take to end a session. Unit: milliseconds. */
const GOODBYE_MS = 1_000;
/** How often one session sends the user to sign in. */
const MAX_SIGN_INS = 3;
const NEWLINE = 10;

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

  constructor(sdk: ClientSdk, { url, headers, auth }: ServerAddress) {
    this.#sdk = sdk;
    this.#auth = auth;
    this.#inner = new sdk.StreamableHTTPClientTransport(new URL(url), {
      fetch: boundedFetch,
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
    this.#inner.onmessage = (message) => this.onmessage?.(message);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      if ("id" in message && "method" in message) this.#failRequest(message.id as number);
    };
    const send = () => this.#inner.send(message, { ...options, onRequestStreamEnd });
    const auth = this.#auth;
    if (!canSignIn(auth)) return send().catch((error) => this.#explain(error));
    await this.#signingIn?.catch(() => undefined);
    // Before there are tokens, one request at a time: each that meets the wall would send the user away of its own.
    if (!(await auth.tokens())) return this.#alone(() => this.#sendOrSignIn(send, auth));
    await this.#sendOrSignIn(send, auth);
  }

  #explain(error: unknown): never {
    const { status } = error as { status?: unknown };
    const isWall = this.#sdk.UnauthorizedError.isInstance(error) || status === 401;
    if (!isWall) throw error;
    throw new CannotConnect(
      "it asks its user to sign in; pass `auth` (see createMcpAuth), or a valid `headers.Authorization`.",
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
      if (++this.#signIns > MAX_SIGN_INS) throw new CannotConnect("it asks to sign in again and again.");
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
  #failRequest(id: number): void {
    const error = { code: -32000, message: "the connection ended before its response had come" };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
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
  }
}

/** `fetch` whose responses end with an error once they are too long. */
async function boundedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  const isStream = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(limit(isStream)), { status, statusText, headers });
  Object.defineProperty(bounded, "url", { value: response.url });
  Object.defineProperty(bounded, "redirected", { value: response.redirected });
  return bounded;
}

function limit(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const line = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
      bytes = line === -1 ? bytes + chunk.length : chunk.length - line - 1;
      if (bytes <= MAX_RESPONSE_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`The server sent more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB at once.`));
    },
  });
}
