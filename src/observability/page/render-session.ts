import type { PriceLookup } from "../../contracts/provider.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import {
  checkOptions,
  eitherOf,
  FLAG,
  FUNCTION,
  listOf,
  type OptionTable,
  optionError,
  optionOf,
  STRING,
} from "../../json/check-options.js";
import type { AuditRecord } from "../audit-chain.js";
import { PageCollector, type PageSources } from "./collect-page.js";
import { PageText } from "./page-text.js";

/** The source of a page: entries as a store reads them, or an exported session. */
export type SessionPageSource =
  | AsyncIterable<SessionEntry>
  | { readonly id: string; readonly entries: readonly SessionEntry[] };

/** The parts of a session page beside the session itself. */
export interface SessionPageOptions {
  /** Default: the session's id, or "Session". */
  readonly title?: string | undefined;
  /**
   * Further shapes of secrets. What looks like a secret is always left out, as in an audit trail's contents, unless this
   * is `false`.
   */
  readonly redact?: readonly RegExp[] | boolean | undefined;
  /** The store of sub-agents, of a plan's tasks and of programs' calls, so that they are shown inside the call they work for. */
  readonly sessions?: Pick<SessionStore, "read"> | undefined;
  /** The session's id, when the source does not say it: tasks of a plan, and sub-agents that were cut off, are found by it. */
  readonly sessionId?: string | undefined;
  /** Records of an audit trail, as `queryAudit` reads them: they add decisions, hooks, restarts and notices. */
  readonly audit?: AsyncIterable<AuditRecord> | undefined;
  /** The store of offloaded output. Default: what the transcript keeps of it is shown, and its path. */
  readonly artifacts?: Pick<ArtifactStore, "get"> | undefined;
  /** The prices of model calls. Default: no costs are shown. */
  readonly prices?: PriceLookup | undefined;
}

const ITERABLE = optionOf(isAsyncIterable, "an async iterable of audit records, as queryAudit() returns");

/** The options of a page about a session, however the session is read. */
export const PAGE_OPTIONS = {
  title: STRING,
  redact: eitherOf(
    FLAG,
    listOf(
      optionOf((value) => value instanceof RegExp, "a regular expression"),
      "regular expressions",
    ),
  ),
  sessions: optionOf((value) => has(value, "read"), "a session store"),
  sessionId: STRING,
  audit: ITERABLE,
  artifacts: optionOf((value) => has(value, "get"), "an artifact store"),
  prices: FUNCTION,
} satisfies OptionTable<SessionPageOptions>;

/**
 * A session as one HTML file that needs nothing else: a timeline of turns with every message, tool call, diff, decision
 * and compaction, tokens, cost and time plotted.
 *
 * It runs no script but its own and loads nothing; what the session says is shown as text. Each text is cut at 200,000
 * characters. Rejects with what the source throws before its first entry; where it fails later, or the audit trail does,
 * the page shows what was read and says why it ends. Memory: the page.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function renderSession(source: SessionPageSource, options: SessionPageOptions = {}): Promise<string> {
  checkOptions("renderSession()", options, PAGE_OPTIONS);
  const { audit } = options;
  const sources = { ...readersOf(source, options), ...(audit && { readAudit: () => audit }) };
  const text = pageText(options);
  const page = new PageCollector(sources, text);
  await page.update();
  const { pageHtml } = await import("./page-html.js");
  const { entries, agents, notes } = page;
  const title = text.short(options.title ?? sources.sessionId ?? "Session");
  return pageHtml({ v: 1, title, madeAt: Date.now(), entries, agents, notes });
}

function readersOf(source: SessionPageSource, options: SessionPageOptions): PageSources {
  const { sessions, artifacts, prices } = options;
  const rest = { sessions, artifacts, prices };
  if (isAsyncIterable(source)) return { ...rest, read: () => source, sessionId: options.sessionId };
  if (!has(source, "entries") || !Array.isArray(source.entries)) {
    throw optionError("renderSession()", "source", source, "what a session store reads, or a parsed exportSession()");
  }
  // An export may have been made by another program.
  const id = typeof source.id === "string" ? source.id : undefined;
  return { ...rest, read: () => source.entries, sessionId: options.sessionId ?? id };
}

/** The cleaner of a page's texts, with these options. */
export function pageText({ redact = [] }: Pick<SessionPageOptions, "redact">): PageText {
  return new PageText(redact === false ? null : redact === true ? [] : redact);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<never> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, Symbol.asyncIterator) === "function";
}

function has(value: unknown, name: string): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && name in value;
}
