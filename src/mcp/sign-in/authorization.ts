// The steps after a server has refused a request for want of a right: tokens are renewed, or the user is sent to sign in. The SDK
// speaks OAuth; here is when, how often, and that nothing of it reaches the console.
import { describeThrown } from "../../text/describe-thrown.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import { wait } from "../../time/wait.js";
import type { ClientSdk } from "../mcp-sdk.js";
import type { StoredAuth } from "./oauth.js";

interface Flight<T> {
  readonly work: Promise<T>;
  waiting: number;
}

/** One piece of work at a time for each owner: whoever wants it meanwhile waits for the same. */
export class Flights<T> {
  readonly #underWay = new WeakMap<object, Flight<T>>();

  /** `isLeft`: work that nobody waits for any more may be begun again. It is never stopped. */
  constructor(private readonly isLeft: boolean) {}

  /** Resolves with what `begin`, or the work that is under way, resolves with. @throws what that rejects with; the signal's reason */
  async join(owner: object, signal: AbortSignal | null | undefined, begin: () => Promise<T>): Promise<T> {
    const flight = this.#underWay.get(owner) ?? this.#begin(owner, begin);
    flight.waiting++;
    try {
      return await unlessAborted(flight.work, signal);
    } finally {
      if (--flight.waiting === 0 && this.isLeft) this.#end(owner, flight);
    }
  }

  #begin(owner: object, begin: () => Promise<T>): Flight<T> {
    const flight = { work: begin(), waiting: 0 };
    this.#underWay.set(owner, flight);
    const end = () => this.#end(owner, flight);
    flight.work.then(end, end);
    return flight;
  }

  #end(owner: object, flight: Flight<T>): void {
    if (this.#underWay.get(owner) === flight) this.#underWay.delete(owner);
  }
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** A request that was refused, and how to reach whoever gives the right to it. */
export interface RefusedRequest {
  readonly sdk: ClientSdk;
  readonly serverUrl: URL;
  /** The token it was sent with. */
  readonly token: string | undefined;
  /** The rights that the server wants the user to have granted, and where it says who may grant them. */
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
  /** Aborts when nobody waits for the request any more. */
  readonly signal?: AbortSignal | null | undefined;
  readonly fetch: Fetch;
}

/** The errors for which a token endpoint will not take a request however often it is sent. */
const REFUSED = new Set(["invalid_client", "unauthorized_client", "invalid_grant", "invalid_dpop_proof"]);
const CLIENT_REFUSED = new Set<unknown>(["invalid_client", "unauthorized_client"]);
/** Unit: milliseconds. */
const RENEWAL_MS = 60_000;
/** The waits before the store is read again after a refresh token was refused: another process may be about to save its successor. */
const READ_AGAIN_MS = [0, 100, 200, 400, 800];

/** By store, since each connection may have a provider of its own, and a refresh token often counts once. */
const RENEWALS = new Flights<boolean>(false);
const SIGN_INS = new Flights<void>(true);

/**
 * New tokens in place of the refused ones, without the user. Resolves with whether there are any.
 *
 * @throws Error when that is not known: the authorization server cannot be reached, the store fails
 */
export function renewTokens(auth: StoredAuth, refusal: RefusedRequest): Promise<boolean> {
  const renew = async () => (await hasOther(auth, refusal.token)) || (await refresh(auth, refusal));
  // A store that hangs holds nobody up for ever.
  const begin = () => unlessAborted(renew(), AbortSignal.timeout(RENEWAL_MS));
  return RENEWALS.join(auth.store, refusal.signal, begin);
}

/** Sends the user to sign in, unless there are other tokens by now. Resolves once there are. @throws Error when the user did not sign in */
export function signIn(auth: StoredAuth, refusal: RefusedRequest): Promise<void> {
  const { sdk, serverUrl, token, scope, resourceMetadataUrl } = refusal;
  const fetchFn = withRefusals(refusal.fetch);
  return SIGN_INS.join(auth.store, refusal.signal, async () => {
    if (await hasOther(auth, token)) return;
    const asked = { serverUrl, fetchFn, scope, resourceMetadataUrl, forceReauthorization: true };
    if ((await sdk.auth(auth, asked as never)) === "AUTHORIZED") return;
    const callback = await auth.takeCallback();
    const transport = new sdk.StreamableHTTPClientTransport(serverUrl, { authProvider: auth, fetch: fetchFn });
    await transport.finishAuth(callback).catch((error) => forgetClient(auth, error));
  });
}

/** Whether somebody else has put other tokens there meanwhile. */
async function hasOther(auth: StoredAuth, token: string | undefined): Promise<boolean> {
  const tokens = await auth.tokens();
  return tokens !== undefined && tokens.access_token !== token;
}

async function refresh(
  auth: StoredAuth,
  { sdk, serverUrl, resourceMetadataUrl, fetch }: RefusedRequest,
): Promise<boolean> {
  const tokens = await auth.tokens();
  if (tokens?.refresh_token === undefined) return false;
  const asked = { fetchFn: fetch, ...(resourceMetadataUrl && { resourceMetadataUrl }) };
  const found = (await auth.discoveryState()) ?? (await sdk.discoverOAuthServerInfo(serverUrl, asked));
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const issuer = metadata?.issuer ?? authorizationServerUrl;
  const clientInformation = await auth.clientInformation({ issuer });
  // A token of one authorization server is not shown to another.
  const isOwn = [tokens, clientInformation].every((given) => isSame(given?.issuer ?? issuer, issuer));
  if (!clientInformation || !isOwn) return false;
  const resource = (await sdk.selectResourceURL(serverUrl, auth, resourceMetadata)) && resourceMetadata?.resource;
  let status = 0;
  const fetchFn: Fetch = async (input, init) => {
    const response = await fetch(input, init);
    status = response.status;
    return response;
  };
  try {
    const given = { metadata, clientInformation, refreshToken: tokens.refresh_token, resource, fetchFn };
    const renewed = await sdk.refreshAuthorization(authorizationServerUrl, given as never);
    await auth.saveTokens({ ...renewed, issuer });
    return true;
  } catch (error) {
    // A token endpoint that is down says nothing of the token.
    if (status < 400 || status >= 500 || status === 408 || status === 429) {
      throw new Error(`its tokens could not be renewed: ${describeThrown(error)}`, { cause: error });
    }
    auth.forgetUnsaved();
    for (const ms of READ_AGAIN_MS) {
      await wait(ms);
      if (await hasOther(auth, tokens.access_token)) return true;
    }
    await forgetClient(auth, error).catch(() => undefined);
    await auth.invalidateCredentials("tokens");
    return false;
  }
}

/** A client that is not known any more registers itself again. @throws the error */
async function forgetClient(auth: StoredAuth, error: unknown): Promise<never> {
  if (CLIENT_REFUSED.has(Object(error).code)) await auth.invalidateCredentials("client");
  throw error;
}

/** A slash at the end makes no other issuer. */
function isSame(issuer: string, other: string): boolean {
  return issuer.replace(/\/$/, "") === other.replace(/\/$/, "");
}

/** Refusals of the token endpoint as errors: the SDK would print them on the console, and begin again. */
function withRefusals(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || init?.method !== "POST") return response;
    const said = await response
      .clone()
      .json()
      .catch(() => undefined);
    const { error: code, error_description: why } = Object(said);
    if (!REFUSED.has(code)) return response;
    throw Object.assign(new Error(`the authorization server refused it: ${code}${why ? ` (${why})` : ""}`), { code });
  };
}
