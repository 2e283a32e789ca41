// A session of another program, brought in by its file.
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { SessionStore } from "../../contracts/session.js";
import { quickDigest } from "../../json/digest.js";
import { type ImportReport, importSession } from "../../sessions/export-session.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { quoteName } from "../../text/quote-name.js";
import { UsageError } from "../exit-codes.js";

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

/** Whether what was given for a session is a file. */
export function isSessionFile(given: string): boolean {
  return /[/\\]|\.jsonl?$/.test(given);
}

/** A file that was brought in before, and is as it was, has its session already. @throws UsageError for one that is not a session */
export async function importFile(
  store: SessionStore,
  given: string,
  { cwd, model, say }: ImportPlace,
): Promise<string> {
  const file = resolve(cwd, given);
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
