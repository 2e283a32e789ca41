// Signing in to a server: the SDK speaks OAuth, the host keeps what it yields and sends the user to the sign-in page.
import { randomBytes } from "node:crypto";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../contracts/errors.js";
import {
  checkOptions,
  FUNCTION,
  type OptionTable,
  optionOf,
  required,
  STRING,
  secret,
  withMethods,
} from "../../json/check-options.js";

/** The host's store of one server's data: its tokens among it, so not a place that others read. */
export interface McpAuthStore {
  /** `undefined`: there is nothing under this key. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** The result is awaited. */
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** Options of `createMcpAuth()`. */
export interface McpAuthOptions {
  /** One for each server. */
  readonly store: McpAuthStore;
  /** The address to which the sign-in page sends the user back: a page of the host's, or a port of this machine it listens on. */
  readonly redirectUrl: string;
  /**
   * Sends the user to the sign-in page. Resolves with the URL, or its query, that the user came back with; rejects if
   * the user does not come back.
   */
  readonly signIn: (url: URL) => Promise<string | URL | URLSearchParams>;
  /** As the sign-in page shows it. Default: `loopwright`. */
  readonly clientName?: string | undefined;
  /** The id of a client that is registered already. Default: the client registers itself. */
  readonly clientId?: string | undefined;
  /** The secret of a client that was registered by hand. Default: none. */
  readonly clientSecret?: string | undefined;
  /** The address at which the client describes itself, for servers that read such documents instead of registering it. */
  readonly clientMetadataUrl?: string | undefined;
  /** Default: what the server asks for. */
  readonly scope?: string | undefined;
}

const OPTIONS = {
  store: required(withMethods("get", "set", "delete")),
  redirectUrl: required(optionOf((value) => typeof value === "string" && URL.canParse(value), "a URL")),
  signIn: required(FUNCTION),
  clientName: STRING,
  clientId: STRING,
  clientSecret: secret(STRING),
  clientMetadataUrl: optionOf((value) => typeof value === "string" && URL.canParse(value), "a URL"),
  scope: STRING,
} satisfies OptionTable<McpAuthOptions>;

/** The option `auth` of a server that wants its user to sign in. Made by `createMcpAuth`. */
export interface McpAuth {
  /** The query of the page the user came back to, once after each time the user was sent away. */
  takeCallback(): Promise<URLSearchParams>;
  tokens(): unknown;
}

/** Tokens that a store did not take. The old ones are used up. */
const UNSAVED = new WeakMap<McpAuthStore, StoredOAuthTokens>();

/**
 * Lets a user sign in to a server at a URL, when it asks for that: OAuth 2.1 with PKCE, discovery and registration as the
 * protocol describes them. Tokens are refreshed and kept in `store`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createMcpAuth(options: McpAuthOptions): McpAuth {
  checkOptions("createMcpAuth()", options, OPTIONS);
  return new StoredAuth(options);
}

/** Whether the user can be sent to sign in, and waited for. */
export function canSignIn(auth: object | undefined): auth is StoredAuth {
  return typeof (auth as Partial<McpAuth> | undefined)?.takeCallback === "function";
}

/** The methods that the SDK asks for, on the store of the host. */
export class StoredAuth implements OAuthClientProvider, McpAuth {
  readonly #options: McpAuthOptions;
  readonly clientMetadataUrl?: string;
  #callback: Promise<URLSearchParams> | undefined;
  #state: string | undefined;
  #verifier: string | undefined;

  constructor(options: McpAuthOptions) {
    this.#options = options;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
  }

  /** The store of these tokens, for all connections that have a provider of their own. */
  get store(): McpAuthStore {
    return this.#options.store;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName = "loopwright", redirectUrl, scope, clientSecret } = this.#options;
    return {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(clientSecret !== undefined && { token_endpoint_auth_method: "client_secret_post" }),
      ...(scope !== undefined && { scope }),
    };
  }

  state(): string {
    this.#state = randomBytes(24).toString("base64url");
    return this.#state;
  }

  /** A value without an issuer of its own belongs to the server that is asked: the SDK would say so on the console. */
  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.#options;
    const given = { client_id: clientId ?? "", ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    const client = clientId === undefined ? await this.#read<StoredOAuthClientInformation>("client") : given;
    return client && { ...context, ...client };
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#write("client", client);
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const tokens = UNSAVED.get(this.store) ?? (await this.#read<StoredOAuthTokens>("tokens"));
    return tokens && { ...context, ...tokens };
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    UNSAVED.set(this.store, tokens);
    await this.#write("tokens", tokens);
    UNSAVED.delete(this.store);
  }

  /** From now on what the store has counts, whoever put it there. */
  forgetUnsaved(): void {
    UNSAVED.delete(this.store);
  }

  redirectToAuthorization(url: URL): void {
    const state = this.#state;
    this.#callback = this.#options.signIn(url).then((back) => readCallback(back, state));
    this.#callback.catch(() => undefined);
  }

  /** The query of the page the user came back to, once after each time the user was sent away. */
  takeCallback(): Promise<URLSearchParams> {
    const callback = this.#callback ?? Promise.reject(new Error("The user was not sent to sign in."));
    this.#callback = undefined;
    return callback;
  }

  /** Kept here: in the store, it would be taken for that of a sign-in in another process. */
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("No sign-in is under way.");
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): Promise<void> {
    return this.#write("discovery", state);
  }

  discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    return this.#read<OAuthDiscoveryState>("discovery");
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const keys = scope === "all" ? ["client", "tokens", "discovery"] : [scope];
    if (keys.includes("tokens")) this.forgetUnsaved();
    for (const key of keys) await this.store.delete(key);
  }

  async #read<T>(key: string): Promise<T | undefined> {
    const text = await this.store.get(key);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      return undefined; // A token that cannot be read is requested again.
    }
  }

  async #write(key: string, value: unknown): Promise<void> {
    await this.store.set(key, JSON.stringify(value));
  }
}

/** A page that another site sends the user to must not sign anybody in. */
function readCallback(back: string | URL | URLSearchParams, state: string | undefined): URLSearchParams {
  const query = back instanceof URLSearchParams ? back : new URL(String(back), "http://localhost").searchParams;
  if (state === undefined || query.get("state") === state) return query;
  throw new ToolError("MCP_FAILED", {
    message: "The page that the user came back to belongs to another sign-in. Start again.",
  });
}
