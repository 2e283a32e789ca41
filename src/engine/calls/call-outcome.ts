// The outcome of every call is decided here, with the question for code that would repeat it. A model decides for itself.
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { CallOutcome, ToolResult } from "../../contracts/tool-call.js";
import { isReplayable } from "../tools/tool-defaults.js";

/** The result with its outcome. `wasEntered`: the tool was, in this process or an earlier one. */
export function withOutcome(result: ToolResult, wasEntered: boolean): ToolResult {
  const outcome = decideOutcome(result, wasEntered);
  return outcome === "done" ? result : { ...result, outcome };
}

function decideOutcome({ isError, status, details }: ToolResult, wasEntered: boolean): CallOutcome {
  if (status === "unknown") return "unknown";
  if (isError && !wasEntered) return "not-started";
  // A refusal after it was entered meets a call that had suspended itself.
  if (status === "timeout" || status === "aborted" || status === "denied") return "unknown";
  return saidBy(details) ?? "done";
}

/** A tool that knows better says it in the details of what it returns or throws. */
function saidBy(details: JsonValue | undefined): ToolResult["outcome"] {
  const { outcome } = Object(details) as { readonly outcome?: JsonValue };
  return outcome === "unknown" || outcome === "not-started" ? outcome : undefined;
}

/** The outcome of a call, by its result. An aborted call of a version that did not record it counts as `unknown`. */
export function outcomeOf({ outcome, status }: Pick<ToolResult, "outcome" | "status">): CallOutcome {
  if (outcome !== undefined) return outcome;
  if (status === "denied") return "not-started";
  return status === "timeout" || status === "aborted" || status === "unknown" ? "unknown" : "done";
}

/** The tool's policy for a call that may have had effects already. */
export function unknownPolicy(tool: BaseTool | undefined): NonNullable<BaseTool["onUnknown"]> {
  return tool?.onUnknown ?? (tool && isReplayable(tool) ? "retry" : "fail");
}
