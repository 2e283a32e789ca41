import type { Message, ToolMessage } from "../../contracts/message.js";
import type { RunState } from "../run/run-state.js";

/**
 * What a fork of `parent` begins with: what the parent's model was sent, and its last message.
 *
 * The calls of that message are still open in the parent. In the fork they have a result that says so.
 */
export function forkHistory({ transcript }: RunState): readonly Message[] {
  const { view, open } = transcript;
  if (!open) return [...view];
  const content = open.calls.map(({ id: toolCallId, name }, index): ToolMessage["content"][number] => {
    const result = open.results[index];
    const output = result?.output ?? PLACEHOLDER;
    return { type: "tool-result", toolCallId, name, output, isError: result?.isError ?? false };
  });
  return [...view, { role: "tool", content }];
}

const PLACEHOLDER =
  "[You are a copy of the agent that made this call. The call is its own business; its result is not for you.]";
