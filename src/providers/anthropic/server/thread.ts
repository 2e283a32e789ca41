// Threads: the server keeps a conversation, and is sent only what is new.
import type { StatePlan } from "../../shared/state/server-state.js";
import type { AnthropicBody, AnthropicMessage } from "../wire.js";

/** The whole request as it goes out by a plan: the new messages alone where the server has the others. */
export function inThread(body: AnthropicBody, { isKept, previous }: StatePlan): AnthropicBody {
  if (!isKept) return body;
  if (!previous) return { ...body, thread: { type: "create" } };
  const messages = body.messages as readonly AnthropicMessage[];
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const thread = { type: "continue", previous_message_id: previous.responseId };
  return { ...body, messages: messages.slice(answer + 1), thread };
}
