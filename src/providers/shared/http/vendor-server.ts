// The way from an adapter's options to its server: over HTTP with a key, or through a ready client of the vendor's SDK.
import { ConfigurationError } from "../../../contracts/errors.js";
import { Failures } from "../failures/failures.js";
import { createScrub } from "../failures/secrets.js";
import { isHostedBy } from "./base-url.js";
import { Connection } from "./connection.js";
import {
  type ConnectionOptions,
  lowerCased,
  readEnvironmentKey,
  readEnvironmentURL,
  secretsIn,
} from "./connection-options.js";
import type { Endpoint } from "./model-api.js";

/** The address of a vendor's API, and the variables and the header of its key. */
export interface Vendor {
  /** The factory as its user writes it, such as `openai()`. */
  readonly owner: string;
  /** Default of `baseURL`, after the variable. */
  readonly url: string;
  readonly urlVariable: string;
  /** The domain of the vendor's own servers, which need a key. */
  readonly domain: string;
  /** Whether every server over TLS needs a key. Default: `false`. */
  readonly needsKey?: boolean;
  readonly keyVariables: readonly string[];
  /** `"authorization"` carries the key as a bearer token. */
  readonly keyHeader: "authorization" | "x-api-key" | "x-goog-api-key";
}

export type AdapterOptions = ConnectionOptions & { readonly id: string; readonly model: string };

/** A connection to a vendor's API. */
export interface VendorConnection {
  readonly connection: Connection;
  readonly baseURL: string;
  /** Whether the server is the vendor's own, so that its prices and limits apply. */
  readonly isVendors: boolean;
}

/**
 * The connection for an adapter's options. The host's headers replace `fixed` and the key.
 *
 * @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong
 */
export function connectTo(vendor: Vendor, options: AdapterOptions, fixed = {}): VendorConnection {
  const { id: provider, model, fetch } = options;
  const headers = lowerCased(options.headers);
  const baseURL = options.baseURL ?? readEnvironmentURL(vendor.urlVariable) ?? vendor.url;
  const isVendors = isHostedBy(baseURL, vendor.domain);
  const isSignedIn = headers.authorization !== undefined || headers[vendor.keyHeader] !== undefined;
  const apiKey = options.apiKey ?? (isSignedIn ? undefined : readEnvironmentKey(...vendor.keyVariables));
  if (apiKey === undefined && !isSignedIn && (isVendors || (vendor.needsKey && baseURL.startsWith("https:")))) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `${vendor.owner} has no API key. Pass "apiKey", set ${vendor.keyVariables[0]}, or pass the "baseURL" of a server that needs none.`,
      details: { option: "apiKey" },
    });
  }
  const credentials = vendor.keyHeader === "authorization" ? `Bearer ${apiKey}` : apiKey;
  const connection = new Connection({
    provider,
    model,
    baseURL,
    fetch,
    headers: { ...fixed, ...(apiKey !== undefined && { [vendor.keyHeader]: credentials }), ...headers },
    secrets: [apiKey, ...secretsIn(headers)],
  });
  return { connection, baseURL, isVendors };
}

/** Sends a request through a client; rejects as the client does. */
type ClientCall<Body> = (body: Body, signal: AbortSignal) => PromiseLike<AsyncIterable<unknown>>;

/** The endpoint behind an SDK client. Wrappers count and trace what passes through theirs, so the client's own stream is read. */
export function clientEndpoint<Body extends object>(
  client: object,
  { id: provider, model, headers }: AdapterOptions,
  call: ClientCall<Body>,
): Endpoint<Body> & { readonly baseURL: string } {
  const { baseURL, apiKey } = client as { baseURL?: unknown; apiKey?: unknown };
  const secrets = [typeof apiKey === "string" ? apiKey : undefined, ...secretsIn(headers)];
  const failures = new Failures({ provider, model, scrub: createScrub(secrets) });
  return {
    async send(body, signal) {
      try {
        return await call(body, signal);
      } catch (thrown) {
        throw failures.client(thrown, false);
      }
    },
    failure: (thrown) => failures.client(thrown, true),
    failures,
    baseURL: typeof baseURL === "string" ? baseURL : "",
  };
}
