// The one way to a model's server. Every adapter posts JSON and reads events through it:
//
//   const { connection } = connectTo(VENDOR, options);                 // vendor-server.ts: key, base URL, environment
//
//   stream: (request) => new ResponseStream({                          // response-stream.ts: events, abort, close, cut-offs
//     request,
//     reader: new MyReader(),                                          // turns parsed data into ProviderEvents
//     failures: connection.failures,                                   // failures.ts: anything thrown → ProviderError
//     open: (signal) => connection.events("/messages", body, signal),  // server-events.ts: parsed data, a packet at a time
//   })
//
// `post` resolves with a response of status 2xx or throws a ProviderError. Keys never reach another origin, a message or
// the details of an error. Aborting the signal closes the connection, also while the response is being read.
import { ConfigurationError, type ProviderError } from "../../../contracts/errors.js";
import { ignoreFailure } from "../../../time/is-promise.js";
import { Failures } from "../failures/failures.js";
import { readRefusal } from "../failures/refusal-body.js";
import { createScrub } from "../failures/secrets.js";
import { joinURL } from "./base-url.js";
import { jsonBody } from "./json-body.js";
import { nodeClient } from "./node-client.js";
import { ServerEvents } from "./server-events.js";
import type { HttpRequest, HttpResponse, Transport } from "./transport.js";

/** `fetch`, or something with its shape: a proxy, a recorder, a test. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Redirects that are followed for one request. */
const MAX_REDIRECTS = 3;

/** These repeat the request as it is; after any other redirect `fetch` would send a GET. */
const REPEATING_REDIRECTS: ReadonlySet<number> = new Set([301, 307, 308]);

/** The server of a connection, and the identity it is used with. */
export interface ConnectionSettings {
  /** The adapter's `id`, for messages. */
  readonly provider: string;
  readonly model: string;
  /** Checked before; a query in it is kept. */
  readonly baseURL: string;
  /** Sent with every request, the key among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must not appear in messages; values that look like a key never do. */
  readonly secrets: readonly (string | undefined)[];
  /** Default: the platform's, for which Node's own client stands in where it can. */
  readonly fetch?: Fetch | undefined;
}

/** One server, as one adapter uses it. Holds no state between requests. */
export class Connection {
  readonly failures: Failures;
  readonly #headers: Record<string, string>;
  #path = "";
  #url = "";

  constructor(private readonly settings: ConnectionSettings) {
    const { provider, model, secrets, headers } = settings;
    this.failures = new Failures({ provider, model, scrub: createScrub(secrets) });
    this.#headers = { "content-type": "application/json", ...headers };
  }

  /**
   * Posts `body` as JSON to a path below the base URL. Resolves with a response whose status is 2xx and whose body has not
   * been read. `headers` are added to those of the connection, and win.
   *
   * @throws ProviderError for a refusal, `CONNECTION` or `TIMEOUT` when no response came
   */
  async post(
    path: string,
    body: unknown,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpResponse> {
    const client = this.settings.fetch ? undefined : nodeClient();
    const request: HttpRequest = {
      method: "POST",
      headers: headers ? { ...this.#headers, ...headers } : this.#headers,
      body: this.#write(body, client ? jsonBody : JSON.stringify),
      signal,
      redirect: "manual",
    };
    const transport: Transport = client ?? this.settings.fetch ?? globalThis.fetch;
    if (typeof transport !== "function") throw noFetch();
    const response = await this.#send(transport, this.#urlOf(path), request, MAX_REDIRECTS);
    if (response.status >= 200 && response.status <= 299) return response;
    const said = await readRefusal(response);
    throw this.failures.refusal(said, response.status, (name) => response.headers.get(name));
  }

  /** The same; the response is read as events of JSON. */
  async events(
    path: string,
    body: unknown,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ServerEvents> {
    return new ServerEvents(await this.post(path, body, signal, headers), this.failures.scene);
  }

  async #send(transport: Transport, url: string, request: HttpRequest, redirectsLeft: number): Promise<HttpResponse> {
    let response: HttpResponse;
    try {
      response = await transport(url, request);
    } catch (thrown) {
      throw this.failures.connection(thrown);
    }
    // Browsers hide where a redirect goes: its type says that it was one, its status is 0.
    const isHidden = response.type === "opaqueredirect";
    if (!isHidden && (response.status < 300 || response.status > 399)) return response;
    const location = response.headers.get("location");
    const target = location === null || !URL.canParse(location, url) ? undefined : new URL(location, url);
    ignoreFailure(response.body?.getReader().cancel());
    if (!target || redirectsLeft === 0 || !REPEATING_REDIRECTS.has(response.status) || !isSameServer(target, url)) {
      throw this.#redirected(target, response.status);
    }
    return this.#send(transport, target.href, request, redirectsLeft - 1);
  }

  #redirected(target: URL | undefined, status: number): ProviderError {
    const place = target ? ` to "${target.origin}"` : "";
    const said = `it redirects${place}, and the request was not sent there`;
    return this.failures.refusal(said, status || 302, () => null);
  }

  #write(body: unknown, write: typeof jsonBody): HttpRequest["body"] {
    try {
      return write(body);
    } catch (thrown) {
      throw this.failures.unsent(thrown);
    }
  }

  #urlOf(path: string): string {
    if (path !== this.#path) {
      this.#url = joinURL(this.settings.baseURL, path);
      this.#path = path;
    }
    return this.#url;
  }
}

/** The same origin, or the same host reached over TLS: no key goes to anybody else. */
function isSameServer(target: URL, from: string): boolean {
  const { origin, protocol, hostname, port } = new URL(from);
  if (target.origin === origin) return true;
  const isUpgrade = protocol === "http:" && target.protocol === "https:" && port === "" && target.port === "";
  return isUpgrade && target.hostname === hostname;
}

function noFetch(): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: 'This platform has no fetch. Pass one as the option "fetch".',
    details: { option: "fetch" },
  });
}
