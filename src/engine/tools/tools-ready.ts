import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { Registry } from "../../contracts/tool.js";
import { describeThrown } from "../../text/describe-thrown.js";

/**
 * Waits for every tool that has to get ready.
 *
 * @throws ToolError `TOOL_FAILED`, or the error a tool itself has named
 */
export async function toolsReady(registry: Registry): Promise<void> {
  try {
    await (registry.ready?.() ?? Promise.all(registry.list().map((tool) => tool.ready?.())));
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    throw new ToolError("TOOL_FAILED", { message: `A tool's ready() failed: ${describeThrown(cause)}`, cause });
  }
}
