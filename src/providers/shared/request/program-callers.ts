import type { ToolDefinition } from "../../../contracts/tool-call.js";
import { RUN_PROGRAM } from "../../../json/program-source.js";

/** Who calls a tool besides the model: programs on the vendor's server, called `hosted`, where the tool takes programs and the run has none of its own. */
export function programCallers(
  { callers }: ToolDefinition,
  tools: readonly ToolDefinition[],
  hosted: string | undefined,
): readonly string[] | undefined {
  const isCallable = hosted !== undefined && callers?.includes("program");
  return isCallable && !tools.some(({ name }) => name === RUN_PROGRAM) ? ["direct", hosted] : undefined;
}
