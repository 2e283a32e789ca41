import type { SessionEntry } from "../../contracts/session.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  required,
  STRING,
} from "../../json/check-options.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import type { AuditRecord } from "../audit-chain.js";
import { PageCollector } from "./collect-page.js";
import { PAGE_OPTIONS, pageText, type SessionPageOptions } from "./render-session.js";

/** Options of `createSessionPage()`. */
export interface LiveSessionPageOptions extends Omit<SessionPageOptions, "audit"> {
  /** The session's entries from the first one, as `store.read(id)` gives them. Called for each look at the session. */
  readonly read: () => AsyncIterable<SessionEntry>;
  /** Records of an audit trail, as `queryAudit(file)` reads them. A file that does not exist yet has none. */
  readonly audit?: (() => AsyncIterable<AuditRecord>) | undefined;
  /** The time between an open page's requests for news. Unit: milliseconds. Default: 1_000. */
  readonly everyMs?: number | undefined;
  /**
   * Names of the host it answers under, without ports. A request for another one is refused, so that no website can read
   * the page through a name of its own. Default: `127.0.0.1`, `localhost` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[] | undefined;
}

const OPTIONS = {
  ...PAGE_OPTIONS,
  read: required(FUNCTION),
  audit: FUNCTION,
  everyMs: byDefault(1_000, numberFrom(50, "milliseconds", LONGEST_TIMER_MS)),
  allowedHosts: byDefault(["127.0.0.1", "localhost", "[::1]"], listOf(STRING, "host names")),
} satisfies OptionTable<LiveSessionPageOptions>;

/**
 * The page of a session that goes on: a function from Request to Response, for any web server. An open page asks it for
 * new entries and shows them as they come.
 *
 * Each look reads the session again; what was shown once is kept as the page has it. It needs no lock, so the run may be
 * another process's. Whoever may send it a request may read the session: bind the server to the loopback interface.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createSessionPage(options: LiveSessionPageOptions): (request: Request) => Promise<Response> {
  const settings = checkOptions("createSessionPage()", options, OPTIONS);
  const { read, audit, everyMs, allowedHosts } = settings;
  const { sessionId, sessions, artifacts, prices, title = sessionId ?? "Session" } = settings;
  const sources = { read, sessionId, sessions, artifacts, prices, ...(audit && { readAudit: () => begun(audit()) }) };
  const page = new PageCollector(sources, pageText(options));
  // One look after the other: each goes on where the last one ended.
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    looking = looking.catch(() => {}).then(() => page.update());
    return looking;
  };

  return async (request) => {
    const { hostname, searchParams } = new URL(request.url);
    if (!allowedHosts.includes(hostname)) return refusal(403, "This host name is not allowed here.");
    if (request.method !== "GET" && request.method !== "HEAD") return refusal(405, "The page is only read.");
    try {
      await look();
    } catch (error) {
      return refusal(500, `The session could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { entries, agents, notes } = page;
    if (searchParams.has("from")) {
      const [from, fromNote] = [Number(searchParams.get("from")), Number(searchParams.get("notes"))];
      const isKnown = Number(searchParams.get("agents")) === page.agentEntries;
      const news = { isNewer: from <= entries.length, entries: entries.slice(from), notes: notes.slice(fromNote) };
      return respond(JSON.stringify(isKnown ? news : { ...news, agents }), "application/json");
    }
    const { contentSecurityPolicy, pageHtml } = await import("./page-html.js");
    const live = { url: "", everyMs };
    const html = pageHtml({ v: 1, title, madeAt: Date.now(), entries, agents, notes, live });
    const policy = `${contentSecurityPolicy(true)}; frame-ancestors 'none'`;
    return respond(html, "text/html", { "content-security-policy": policy });
  };
}

/** A trail has no file before its first record. */
async function* begun(records: AsyncIterable<AuditRecord>): AsyncGenerator<AuditRecord> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
  }
}

function respond(body: string, type: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}

function refusal(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
