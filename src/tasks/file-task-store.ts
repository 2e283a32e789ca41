import { resolve } from "node:path";
import type { Runtime } from "../contracts/runtime.js";
import type { TaskStore } from "../contracts/task.js";
import { checkOptions, type OptionTable, optionOf, required, withMethods } from "../json/check-options.js";
import { FileShelf } from "./file-shelf.js";
import { ShelfTaskStore } from "./shelf-task-store.js";

/** Options of `createFileTaskStore()`. */
export interface FileTaskStoreOptions {
  /** The directory of the tasks: one JSON file each. Made, with its parents, when the first task is. */
  readonly dir: string;
  /** The clock of leases; processes that share a directory must share it. Default: the system's. */
  readonly runtime?: Pick<Runtime, "now"> | undefined;
}

const OPTIONS = {
  dir: required(
    optionOf((value) => typeof value === "string" && value !== "" && !value.includes("\0"), "the path of a directory"),
  ),
  runtime: withMethods("now"),
} satisfies OptionTable<FileTaskStoreOptions>;

/**
 * Keeps tasks as files: one of plain JSON for each, replaced in one step.
 *
 * - Any number of processes of one machine may share the directory: of many who claim a task one gets it. A process that
 *   dies, also in the middle of a change, leaves whole tasks, and its own are free again when their leases are over.
 * - `get`, `list` and changes of a task whose file is damaged are refused with `TASK_CORRUPT`, which names the file; so is
 *   a `claim` that finds nothing else. The file is never touched. Tasks blocked by it stay blocked.
 * - Ids count up from "1" unless `create` is given one.
 *
 * @throws ConfigurationError `OPTION_INVALID` for an option it does not know, or a `dir` that is not a path
 */
export function createFileTaskStore(options: FileTaskStoreOptions): TaskStore {
  checkOptions("createFileTaskStore()", options, OPTIONS);
  return new ShelfTaskStore(new FileShelf(resolve(options.dir), options.runtime ?? Date));
}
