// One task as the text of its file: plain JSON, to be read and repaired by hand.
import type { Task } from "../contracts/task.js";
import { deepFrozen } from "../json/deep-frozen.js";
import { wrongField } from "./task-fields.js";

const SUFFIX = ".json";
/** The largest task there can be is smaller. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function fileNameOfTask(id: string): string {
  return id + SUFFIX;
}

/** The id a file's name gives it; `null` for a file that is not a task's. */
export function taskIdOfFile(name: string): string | null {
  return name.endsWith(SUFFIX) && !name.startsWith(".") ? name.slice(0, -SUFFIX.length) : null;
}

export function taskJson(task: Task): string {
  return `${JSON.stringify({ v: 1, ...task }, null, 2)}\n`;
}

/** The task, or what is wrong with the text. */
export function parseTask(text: string, id: string): Task | string {
  let stored: unknown;
  try {
    stored = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return text.trim() === "" ? "it is empty" : "it is not valid JSON";
  }
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return "it does not hold a JSON object";
  const { v, ...task } = stored as { v?: unknown } & Task;
  if (v !== 1) return `it has format version ${JSON.stringify(v)?.slice(0, 40) ?? "none"}, and this program reads 1`;
  const wrong = wrongField(task);
  if (wrong !== null) return `its field "${wrong}" is missing or wrong`;
  if (task.id !== id) return `it holds task "${task.id}", which belongs in "${fileNameOfTask(task.id)}"`;
  return deepFrozen(task);
}
