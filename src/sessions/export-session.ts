import { SessionError } from "../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import { loadLoop } from "../engine/load-loop.js";
import { branchOf } from "../engine/transcript/branch.js";
import { isMessage } from "../engine/transcript/message-shape.js";
import type { Transcript } from "../engine/transcript/transcript.js";
import { ANYTHING, checkOptions, FUNCTION, type OptionTable, STRING } from "../json/check-options.js";
import { isObject } from "../json/is-object.js";
import { copiedBackgroundIds, withBackgroundIds, withNewStarts } from "./background-copies.js";
import { entriesOfPast } from "./foreign/foreign-entries.js";
import { FOREIGN_FORMATS, type ForeignFormat, type ForeignPast } from "./foreign/foreign-past.js";
import { readForeign } from "./foreign/read-foreign.js";
import { beginSession, checkNewId, noSession, readdressed } from "./session-tree.js";

const FORMAT = "loopwright-session";
const VERSION = 1;

/** An exported session, once parsed. */
export interface SessionExport {
  readonly format: typeof FORMAT;
  readonly v: typeof VERSION;
  readonly id: string;
  /** All of its branches, oldest first. */
  readonly entries: readonly SessionEntry[];
}

/**
 * A session as the text of one JSON file, one line for each entry: all of its branches, whole.
 *
 * It holds everything that was said, and what tools answered.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, and what the store throws
 */
export async function exportSession(store: SessionStore, id: string): Promise<string> {
  const lines: string[] = [];
  for await (const entry of store.read(id)) lines.push(JSON.stringify(entry));
  if (lines.length === 0) throw noSession(id);
  return `{"format":"${FORMAT}","v":${VERSION},"id":${JSON.stringify(id)},"entries":[\n${lines.join(",\n")}\n]}\n`;
}

/** Options of `importSession()`. */
export interface ImportOptions {
  /** Default: the session's own, and of another program's session its format and its own. */
  readonly id?: string | undefined;
  /**
   * `provider/model` of the model that is to go on with another program's session: thinking stays where that model wrote it.
   * Default: it is left out.
   */
  readonly model?: string | undefined;
  /** Called with what came of another program's session, before it is kept. */
  readonly onReport?: ((report: ImportReport) => void) | undefined;
}

/** The outcome of reading another program's session. */
export interface ImportReport {
  readonly format: ForeignFormat;
  readonly messages: number;
  /** Calls without a result: they have one now, which says that theirs was not recorded. */
  readonly closedCalls: number;
  readonly droppedThinking: number;
  /** The number of parts that were not taken, by kind, such as `progress` or `not JSON`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

const IMPORT_OPTIONS = { id: ANYTHING, model: STRING, onReport: FUNCTION } satisfies OptionTable<ImportOptions>;

/**
 * Keeps an exported session in a store, under its own id unless another is given. Resolves with the id.
 *
 * Takes the text of `exportSession`, or what it parses to, and the text of a session of Claude Code, Codex, pi or opencode,
 * which its first lines tell. All of it is checked first, so a file that was damaged or made up cannot bring an invalid
 * transcript into the store. Of another program's session, the branch that it stands on is taken: messages, calls, results and
 * compactions; calls keep the names of that program's tools.
 *
 * @throws SessionError `SESSION_CORRUPT` for what is not a session, `SESSION_VERSION` for a newer one,
 * `TRANSCRIPT_INVALID`, and what the store throws
 * @throws ConfigurationError `OPTION_INVALID` when the session exists already, or its id is not one that a run takes
 */
export async function importSession(
  store: SessionStore,
  json: string | SessionExport,
  options: string | ImportOptions = {},
): Promise<string> {
  const given: ImportOptions = typeof options === "string" ? { id: options } : options;
  const { id, model, onReport } = checkOptions("importSession()", given, IMPORT_OPTIONS);
  const foreign = typeof json === "string" ? readForeign(json) : null;
  const { id: exportedId, entries } = foreign ? exportOf(foreign, model, onReport) : readExport(json);
  const { Transcript } = await loadLoop();
  for (const branch of branchesIn(entries)) replay(new Transcript(), branch);
  const newId = id ?? exportedId;
  checkNewId("importSession()", "id", newId);
  // Under another id it has sub-agents of its own. Their sessions are not in the file: they start over.
  const background = copiedBackgroundIds(branchOf(entries), exportedId, newId);
  const kept = withBackgroundIds(readdressed(entries, exportedId, newId), background);
  await beginSession(store, newId, withNewStarts(kept, new Set(background.values())));
  return newId;
}

function exportOf(past: ForeignPast, model?: string, onReport?: ImportOptions["onReport"]): SessionExport {
  const { entries, closedCalls, droppedThinking } = entriesOfPast(past, model);
  if (entries.length === 0) throw corrupt(`it is a session of ${past.format} without a message`);
  const messages = entries.filter(({ type }) => type === "message").length;
  const leftOut = Object.fromEntries(past.leftOut.counts);
  onReport?.({ format: past.format, messages, closedCalls, droppedThinking, leftOut });
  return {
    format: FORMAT,
    v: VERSION,
    id: `${past.format}-${past.id}`.slice(0, 200).replace(/[^\w.-]/g, "_"),
    entries,
  };
}

function readExport(json: string | SessionExport): SessionExport {
  // A copy of its own: what the caller does with his later changes nothing.
  const exported = parse(json);
  if (!isObject(exported) || exported.format !== FORMAT) throw corrupt("it is not an exported session");
  if (Number(exported.v) > VERSION) throw newer();
  const { v, id, entries } = exported;
  if (v !== VERSION || typeof id !== "string" || id === "" || !Array.isArray(entries) || entries.length === 0) {
    throw corrupt("it has no version, id or entries");
  }
  checkEntries(entries);
  return exported as unknown as SessionExport;
}

function parse(json: string | SessionExport): unknown {
  try {
    return JSON.parse(typeof json === "string" ? json : JSON.stringify(json));
  } catch (cause) {
    throw corrupt("it is not JSON", cause);
  }
}

/** Every entry follows one before it. */
function checkEntries(entries: readonly unknown[]): asserts entries is readonly SessionEntry[] {
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (isObject(entry) && Number(entry.v) > VERSION) throw newer();
    if (!isSessionEntry(entry)) throw corrupt(`entry ${index + 1} is not one`);
    const isLinked = entry.parent === null || ids.has(entry.parent);
    if (!isLinked || ids.has(entry.id)) {
      throw corrupt(`entry ${index + 1} ("${entry.id}") follows no entry before it, or has the id of another`);
    }
    ids.add(entry.id);
  }
}

/** All branches: a rewind may bring any of them back. */
function branchesIn(entries: readonly SessionEntry[]): (readonly SessionEntry[])[] {
  const followed = new Set(entries.map(({ parent }) => parent));
  return entries.flatMap(({ id }, index) => (followed.has(id) ? [] : [branchOf(entries.slice(0, index + 1))]));
}

/** A branch is a valid transcript. */
function replay(transcript: Transcript, branch: readonly SessionEntry[]): void {
  for (const entry of branch) {
    try {
      transcript.apply(entry);
    } catch (cause) {
      if (cause instanceof SessionError) throw cause;
      throw corrupt(`entry "${entry.id}" is not what its type ("${entry.type}") promises`, cause);
    }
  }
}

/** Whether it has the shape of an entry, as far as every reader relies on it. */
export function isSessionEntry(entry: unknown): entry is SessionEntry {
  if (!isObject(entry)) return false;
  const { v, id, parent, at, runId, turn } = entry;
  const isLinked = typeof id === "string" && id !== "" && (parent === null || typeof parent === "string");
  const isDated = typeof at === "number" && typeof runId === "string" && typeof turn === "number";
  return v === VERSION && isLinked && isDated && hasMessages(entry);
}

/** Whether what the model may be sent has the shape of messages. */
function hasMessages({ type, message, result, replacement }: { readonly [key: string]: unknown }): boolean {
  if (type === "message") return isMessage(message) && message.role !== "tool";
  if (type === "tool-result") return isMessage({ role: "tool", content: [result] });
  if (type === "view-edit") return Array.isArray(replacement) && replacement.every(isMessage);
  return typeof type === "string";
}

function corrupt(why: string, cause?: unknown): SessionError {
  return new SessionError("SESSION_CORRUPT", {
    message: `The session was not imported: ${why}. Pass what exportSession() gave, or the file of a session of ${FOREIGN_FORMATS.join(", ")}. Nothing was kept.`,
    cause,
  });
}

function newer(): SessionError {
  return new SessionError("SESSION_VERSION", {
    message: "The session was not imported: a newer version of loopwright exported it. Update the package.",
  });
}
