import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { SessionStore } from "../../contracts/session.js";
import { quickDigest } from "../../json/digest.js";
import { type ImportReport, importSession } from "../../sessions/export-session.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { quoteName } from "../../text/quote-name.js";
import type { CommandLine } from "../command-line.js";
import { UsageError } from "../exit-codes.js";
import { findSessions, newestSession } from "./session-list.js";

/** The surroundings of a session that is brought in. */
export interface ImportPlace {
  readonly cwd: string;
  /** As `provider/model`: its own thinking is kept. */
  readonly model: string;
  /** Shown to the person. */
  say(text: string): void;
}

/** Unit: bytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** A file that was brought in before, and is as it was, has its session already. */
async function importFile(store: SessionStore, file: string, model: string, say: ImportPlace["say"]): Promise<string> {
  const text = await readSession(file);
  const suffix = quickDigest(text).slice(0, 8);
  const name = basename(file)
    .replace(/\.jsonl?$/, "")
    .replace(/[^\w.-]/g, "_")
    .slice(0, 100);
  const id = `${name}-${suffix}`;
  for await (const _ of store.read(id)) {
    say(`${quoteName(file)} was brought in before, as session ${id}: going on with that.`);
    return id;
  }
  const onReport = (report: ImportReport) => say(reportText(file, id, report));
  return importSession(store, text, { id, model, onReport }).catch((error: unknown) => {
    throw isHarnessError(error) ? new UsageError(`${quoteName(file)}: ${error.message}`) : error;
  });
}

async function readSession(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`The session ${quoteName(file)} cannot be read: ${describeThrown(error)}`);
  }
}

function reportText(file: string, id: string, report: ImportReport): string {
  const { format, messages, closedCalls, droppedThinking, leftOut } = report;
  const left = Object.entries(leftOut).map(([kind, count]) => `${count} × ${kind}`);
  return [
    `${quoteName(file)}: a session of ${format}, brought in as ${id} with ${messages} messages.`,
    ...(closedCalls > 0 ? [`${closedCalls} calls had no result; it is noted as not recorded.`] : []),
    ...(droppedThinking > 0 ? [`${droppedThinking} pieces of thinking were left out.`] : []),
    ...(left.length > 0 ? [`Not taken: ${left.join(", ")}.`] : []),
  ].join("\n");
}

/** The session that the command line goes on with; `undefined` for a new one. @throws UsageError when it is not there */
export async function chooseSession(
  { resume, continueLast }: Pick<CommandLine, "resume" | "continueLast">,
  store: SessionStore,
  { cwd, model, say }: ImportPlace,
): Promise<string | undefined> {
  if (resume !== undefined && /[/\\]|\.jsonl?$/.test(resume))
    return importFile(store, resolve(cwd, resume), model, say);
  if (resume !== undefined) return requireSession(store, resume);
  if (!continueLast) return undefined;
  const newest = await newestSession(store);
  if (newest !== undefined) return newest;
  throw new UsageError("There is no session of this project to go on with. Leave --continue out.");
}

/** @throws UsageError */
export async function requireSession(store: SessionStore, id: string): Promise<string> {
  const found = await findSessions(store, id);
  if (found.length === 1) return found[0]!;
  const hint = found.length > 1 ? `these begin so: ${found.slice(0, 5).join(", ")}` : "see loopwright sessions";
  throw new UsageError(`There is no session "${id}" of this project; ${hint}.`);
}
