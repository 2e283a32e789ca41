import type { JsonValue } from "../../contracts/json.js";
import type { ToolContext } from "../../contracts/tool.js";
import { clip } from "../../text/cut.js";

/** Reports of one call that are all passed on; then one each `PAUSE_MS`. */
const MAX_AT_ONCE = 200;
const PAUSE_MS = 100;
const MAX_MESSAGE_CHARS = 1_000;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Passes a server's reports on as the call's progress: `{ progress, total?, message? }`. A flood of them is thinned out. */
export function progressReader({ progress }: Pick<ToolContext, "progress">): (report: Progress) => void {
  let count = 0;
  let last = 0;
  return ({ progress: done, total, message }) => {
    const now = performance.now();
    if (++count > MAX_AT_ONCE && now - last < PAUSE_MS) return;
    last = now;
    const update: { [field: string]: JsonValue } = { progress: done };
    if (total !== undefined) update.total = total;
    if (message !== undefined) update.message = clip(message, MAX_MESSAGE_CHARS);
    progress(update);
  };
}
