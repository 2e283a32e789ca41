// The criterion `file`: what is on disk, through the workspace's sandbox. Where the engine has the tool `read_file`, it reads
// the file first, so that gate, hooks and audit see that it is looked at.
import { isHarnessError } from "../../contracts/errors.js";
import type { FileAccess } from "../../contracts/workspace.js";
import { shortQuote } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { attemptSession, plannedIn } from "../attempt/attempt-session.js";
import { finalTextOf, makeCall } from "../attempt/call-session.js";
import type { Criterion } from "../plan/plan.js";
import type { TaskProgress } from "../progress.js";
import type { Work } from "../work.js";
import { type Check, holds, refused, waiting } from "./check-result.js";

const READ_TOOL = "read_file";
/** Larger files are not searched. */
const MAX_BYTES = 64 * 1024 * 1024;
const RIGHT = "Its file is right.";

type FileCriterion = Extract<Criterion, { kind: "file" }>;

export async function checkFile(
  work: Work,
  progress: TaskProgress,
  criterion: FileCriterion,
  mayExist: boolean,
): Promise<Check> {
  const files = work.options.workspace?.files;
  if (!files) return refused("There is no longer a workspace to look for files in.");
  const { path } = criterion;
  try {
    if ((await files.stat(path)).kind === "directory") return aboutDirectory(criterion);
  } catch (error) {
    return refused(problemOf(path, error));
  }
  const unread = await readThroughGate(work, progress, path, mayExist);
  if (unread) return unread;
  try {
    return await aboutFile(files, criterion);
  } catch (error) {
    return refused(problemOf(path, error));
  }
}

/** Resolves with why the file may not be looked at. */
async function readThroughGate(
  work: Work,
  progress: TaskProgress,
  path: string,
  mayExist: boolean,
): Promise<Check | null> {
  if (!work.parts.tools.get(READ_TOOL)) return null;
  const call = { id: "verify", name: READ_TOOL, arguments: { path, limit: 1 } };
  const end = await makeCall(work, `${attemptSession(work, progress)}.verify`, call, mayExist, plannedIn(work));
  if (end.kind === "waiting") return waiting(end.requests);
  work.signal.throwIfAborted();
  return end.result.status === "denied" ? refused(`"${path}" may not be read: ${finalTextOf(end.result)}`) : null;
}

function aboutDirectory({ path, contains, equals }: FileCriterion): Check {
  if (contains !== undefined || equals !== undefined) return refused(`"${path}" is a directory, not a file.`);
  return holds(RIGHT, `${path} is a directory`);
}

async function aboutFile(files: FileAccess, { path, contains, equals }: FileCriterion): Promise<Check> {
  const { size } = await files.stat(path);
  if (contains === undefined && equals === undefined) return holds(RIGHT, `${path} exists (${size} bytes)`);
  if (size > MAX_BYTES) return refused(`"${path}" has ${size} bytes; at most ${MAX_BYTES} are compared.`);
  const text = new TextDecoder().decode(await files.read(path));
  if (equals !== undefined && text !== equals)
    return refused(`"${path}" is not what it has to be. It holds ${shortQuote(text)}; expected ${shortQuote(equals)}.`);
  if (contains !== undefined && !text.includes(contains))
    return refused(`"${path}" does not contain ${shortQuote(contains)}. It begins with ${shortQuote(text)}.`);
  return holds(
    RIGHT,
    equals !== undefined ? `${path} is exactly ${shortQuote(equals)}` : `${path} contains ${shortQuote(contains!)}`,
  );
}

function problemOf(path: string, error: unknown): string {
  if (isHarnessError(error, "PATH_NOT_FOUND")) return `"${path}" does not exist.`;
  return `"${path}" could not be looked at: ${describeThrown(error)}`;
}
