// A file tool replaces only what its session has seen. Each attempt is a session of its own, so that what the task itself has
// written in an earlier attempt, and what tasks before it have read or written, is made known to it: the plan has seen it.
import type { JsonValue } from "../../contracts/json.js";
import type { TaskProgress } from "../progress.js";
import type { Work } from "../work.js";
import { changedFile } from "./activity.js";
import { attemptSession } from "./attempt-session.js";

/** Tasks that are looked at, nearest first. */
const MAX_TASKS = 200;

/** Makes the file that a call is about to change known to its session, if the plan knows it and nobody has changed it since. */
export async function shareKnownFile(
  work: Work,
  progress: TaskProgress,
  tool: { readonly name: string; readonly input: JsonValue },
): Promise<void> {
  const { workspace } = work.options;
  const path = changedFile(work.parts.tools.get(tool.name), tool.input);
  if (!workspace?.fileState || path === undefined) return;
  const { fileState, files } = workspace;
  const real = await files.resolve(path, "write").catch(() => null); // The tool itself says what is wrong with it.
  if (real === null) return;
  const own = attemptSession(work, progress);
  for (const session of earlierSessions(work, progress)) {
    const digest = fileState.get(session, real);
    if (digest === undefined || (fileState.unseen?.(session, real) ?? null) !== null) continue;
    fileState.note(own, real, digest);
    return;
  }
}

/** Newest attempts first: those of the task itself, then those of the tasks it depends on, directly or through others. */
function* earlierSessions({ id, journal }: Work, { task, attempts }: TaskProgress): Generator<string> {
  for (let attempt = attempts - 1; attempt > 0; attempt--) yield `${id}.${task.id}.${attempt}`;
  const found = new Set(task.dependsOn);
  for (const before of found) {
    const progress = journal.progress.tasks.get(before);
    if (!progress || found.size > MAX_TASKS) continue;
    yield `${id}.${before}.${progress.attempts}`;
    for (const further of progress.task.dependsOn) found.add(further);
  }
}
