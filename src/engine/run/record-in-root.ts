import { ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import { copyJson } from "../../json/copy.js";
import type { RunState } from "./run-state.js";

/** Records something in the main agent's session. */
export async function recordInRoot(run: RunState, name: string, data: JsonValue): Promise<void> {
  if (typeof name !== "string" || name === "" || name.startsWith("loopwright.")) {
    const message = 'record() takes a name that is not empty and does not begin with "loopwright.".';
    throw new ToolError("TOOL_FAILED", { message });
  }
  const { lifetime, recorder } = run.root;
  if (lifetime.ended || lifetime.ending)
    throw new ToolError("TOOL_FAILED", { message: "The run has ended, so its session takes no more records." });
  recorder.record({ type: "custom", name, data: copyJson(data, true) });
  if (!(await recorder.commit()))
    throw recorder.failure ?? new ToolError("TOOL_FAILED", { message: "record() could not write to the session." });
}
