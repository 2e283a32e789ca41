import type { RunResult } from "../../contracts/run.js";
import { withOrThrow } from "../run/run-lifetime.js";
import type { RunState } from "../run/run-state.js";
import { textOfMessage } from "../transcript/message-shape.js";

/** The end of a child as a string that is never empty: its final answer, the last it said, or why there is nothing. */
export function withUsefulText(child: RunState, result: RunResult): RunResult {
  if (result.text.trim() !== "") return result;
  return withOrThrow({ ...result, text: lastTextOf(child) ?? whyNothing(child, result) });
}

/** The last text an agent has written; `null` when it has written none. */
export function lastTextOf({ transcript }: RunState): string | null {
  for (let at = transcript.messages.length - 1; at >= 0; at--) {
    const message = transcript.messages[at]!;
    const text = message.role === "assistant" ? textOfMessage(message) : "";
    if (text.trim() !== "") return text;
  }
  return null;
}

const REASONS: { readonly [Status in RunResult["status"]]?: string } = {
  "needs-approval": "it waits for an approval",
  "budget-exceeded": "the budget for tokens or cost was used up",
  deadline: "it ran out of time",
  "hook-stopped": "a hook stopped it",
  aborted: "it was aborted",
};

function whyNothing({ agentPath, limits, transcript }: RunState, { status, turns, error }: RunResult): string {
  const name = agentPath.at(-1) ?? "";
  if (status === "completed") return `The sub-agent "${name}" answered without text.`;
  const reason = status === "max-turns" ? `it used all of its ${limits.maxTurns} turns` : REASONS[status];
  const why = error ? `${reason ?? status}: ${error.message}` : (reason ?? status);
  const calls = transcript.callIds.size;
  return `The sub-agent "${name}" ended without a final answer, after ${turns} turns and ${calls} tool calls, because ${why}`.replace(
    /\.*$/,
    ".",
  );
}
