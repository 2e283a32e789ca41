// The messages before a sub-agent's prompt: none, or those that its parent has read.
import type { Label } from "../../contracts/label.js";
import type { Message, ToolMessage } from "../../contracts/message.js";
import { labelOfCalls, labelOfRun } from "../calls/call-label.js";
import type { RunState } from "../run/run-state.js";
import type { Transcript } from "../transcript/transcript.js";

/** The first messages of a sub-agent, and where these and its prompt come from, where labels are used. */
export interface Beginning {
  readonly history: readonly Message[];
  readonly label: Label | undefined;
}

/** An empty transcript. Its prompt is made from what the call was. */
export function freshBeginning(parent: RunState): Beginning {
  return { history: [], label: labelOfCalls(parent) };
}

/**
 * The view of the parent's model, and its last message. The calls of that message are still open in the parent: in the fork they
 * have a result that says so. A fork has read what has come of the calls beside its own, too.
 */
export function forkBeginning(parent: RunState): Beginning {
  return { history: closedView(parent.transcript, PLACEHOLDER), label: labelOfRun(parent) };
}

/** The messages that a model was sent; calls without a result get `instead`. */
export function closedView({ view, open }: Transcript, instead: string): readonly Message[] {
  if (!open) return [...view];
  const content = open.calls.map(({ id: toolCallId, name }, index): ToolMessage["content"][number] => {
    const result = open.results[index];
    const output = result?.output ?? instead;
    return { type: "tool-result", toolCallId, name, output, isError: result?.isError ?? false };
  });
  return [...view, { role: "tool", content }];
}

const PLACEHOLDER =
  "[You are a copy of the agent that made this call. The call will be carried out without you; its result is not for you.]";
