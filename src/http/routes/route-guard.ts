// The checks of a request before a session is read: its user, their rights and rate, and the page it comes from.
import { isHarnessError, SessionError } from "../../contracts/errors.js";
import { isForHost } from "../describe-error.js";
import type { HubRun } from "../hub/hub-types.js";
import { toErrorResponse } from "../to-response.js";
import type { ChatAction, ChatRoute, ChatRoutesOptions, ChatUser } from "./route-options.js";

type Settings<User extends ChatUser> = Required<
  Pick<ChatRoutesOptions<User>, "identify" | "authorize" | "basePath" | "origins" | "requestsPerMinute">
>;
type Known<User extends ChatUser> = Pick<ChatRoutesOptions<User>, "onError"> & {
  readonly [Name in keyof Settings<User>]: NonNullable<Settings<User>[Name]>;
};

export class RouteGuard<User extends ChatUser> {
  readonly #rate: RequestRate;

  constructor(private readonly settings: Known<User>) {
    this.#rate = new RequestRate(settings.requestsPerMinute);
  }

  /** A route that answers whatever is thrown. What is refused and what does not exist look the same, whatever found it missing. */
  answering(work: ChatRoute): ChatRoute {
    return async (request) => {
      try {
        return await work(request);
      } catch (error) {
        const response = toErrorResponse(isHarnessError(error, "SESSION_NOT_FOUND") ? noSuchSession() : error);
        const hasLeft = request.signal.aborted && error === request.signal.reason;
        if (response.status >= 500 && !hasLeft) this.report(error);
        return response;
      }
    };
  }

  /** Lets the host know of a run's failure what its stream does not say. */
  watch({ result }: HubRun): void {
    result.then(
      ({ error }) => error && isForHost(error) && this.report(error),
      () => {}, // A run that was refused has been answered.
    );
  }

  /** Lets the host know what no client learns. */
  report(error: unknown): void {
    try {
      (this.settings.onError ?? console.error)(error);
    } catch (broken) {
      console.error(broken, error);
    }
  }

  /** A route for somebody who has signed in. What another site's page sends is not counted as theirs. */
  signedIn(does: "reads" | "changes", work: (request: Request, user: User) => Promise<Response>): ChatRoute {
    return this.answering(async (request) => {
      const refused = refusalOf(request, does, this.settings.origins);
      if (refused) return refused;
      const user = await this.settings.identify(request);
      // An id that is missing would be equal to the missing owner of a session.
      if (typeof user?.id !== "string" || user.id === "") return refusal(401, "UNAUTHORIZED", "Sign in first.");
      const waitMs = this.#rate.waitFor(user.id);
      return waitMs > 0 ? tooOften(waitMs) : work(request, user);
    });
  }

  /** A route about the session that its path names. Whoever may not is refused before anything is read but the id. */
  about(action: ChatAction, work: (id: string, request: Request, user: User) => Promise<Response>): ChatRoute {
    return this.signedIn(READS.has(action) ? "reads" : "changes", async (request, user) => {
      const id = this.nameIn(request);
      await this.check(user, id, action);
      return work(id, request, user);
    });
  }

  async may(user: User, session: string, action: ChatAction): Promise<boolean> {
    return !session.startsWith("sub-") && (await this.settings.authorize({ user, session, action })) === true;
  }

  /** @throws SessionError `SESSION_NOT_FOUND` */
  async check(user: User, session: string, action: ChatAction): Promise<void> {
    if (!(await this.may(user, session, action))) throw noSuchSession();
  }

  /** The part of the path where a session's id is. @throws SessionError `SESSION_NOT_FOUND` for a path without it */
  nameIn({ url }: Request): string {
    const { basePath } = this.settings;
    const { pathname } = new URL(url);
    const name = pathname.slice(basePath.length + 1).split("/", 1)[0]!;
    try {
      const id = decodeURIComponent(name);
      if (pathname.startsWith(`${basePath}/`) && id !== "") return id;
    } catch {
      // Not a URL of ours.
    }
    throw noSuchSession();
  }
}

export function noSuchSession(): SessionError {
  return new SessionError("SESSION_NOT_FOUND", { message: "There is no such session. Check the id." });
}

const READS: ReadonlySet<ChatAction> = new Set(["resume", "history", "branches", "pending", "list"]);

/**
 * The refusal of a request that is not known to come from an allowed page; `null` for any other. A page of another site can send
 * neither a JSON content type nor a false `Origin` without being asked about it first. What a route does counts, and not the method: a
 * host may offer it under any.
 */
function refusalOf({ url, headers }: Request, does: "reads" | "changes", origins: readonly string[]): Response | null {
  const origin = headers.get("origin");
  const isByOtherSite = headers.get("sec-fetch-site") === "cross-site";
  const mayLeaveOut = does === "reads" ? !isByOtherSite : !headers.has("cookie");
  const isKnown = origin === null ? mayLeaveOut : origin === new URL(url).origin || origins.includes(origin);
  if (!isKnown) return refusal(403, "ORIGIN_REFUSED", "This page may not send requests here.");
  if (does === "reads") return null;
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return refusal(415, "CONTENT_TYPE", "Send JSON, with the content type application/json.");
  return null;
}

/** Whether a browser could send this as `Origin`. Some apps bring a scheme of their own, such as `capacitor://localhost`. */
export function canBeSent(origin: unknown): boolean {
  if (typeof origin !== "string" || !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/.test(origin)) return false;
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin);
}

function tooOften(waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1_000);
  const error = { code: "TOO_MANY_REQUESTS", message: `You ask too often. Try again in ${seconds} s.` };
  return Response.json({ error }, { status: 429, headers: { "retry-after": String(seconds) } });
}

export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

// ── how often each user may ask: a bucket that holds a minute's requests and fills evenly ────────────────────────────

/** Users who have not asked for a minute are forgotten once there are more than this. */
const MAX_USERS = 10_000;
const MINUTE_MS = 60_000;

class RequestRate {
  readonly #used = new Map<string, { used: number; at: number }>();

  constructor(private readonly perMinute: number) {}

  /** Counts a request. The time until the user may send it, 0 for now. Unit: milliseconds. */
  waitFor(user: string, now = performance.now()): number {
    const { used, at } = this.#used.get(user) ?? { used: 0, at: now };
    const perMs = this.perMinute / MINUTE_MS;
    const left = Math.max(0, used - (now - at) * perMs);
    if (left + 1 > this.perMinute) return Math.ceil((left + 1 - this.perMinute) / perMs);
    this.#used.delete(user);
    this.#used.set(user, { used: left + 1, at: now });
    this.#forget(now);
    return 0;
  }

  /** Forgets users without recent requests; the least recent are first. */
  #forget(now: number): void {
    for (const [user, { at }] of this.#used) {
      if (this.#used.size <= MAX_USERS || now - at < MINUTE_MS) return;
      this.#used.delete(user);
    }
  }
}
