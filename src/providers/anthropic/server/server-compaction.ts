// Compaction on demand: the server's summary of a conversation, which leads the conversation from then on.
// Source: Anthropic's documentation of compaction on demand (read 2026-11).
import type { Message } from "../../../contracts/message.js";
import type { ProviderRequest } from "../../../contracts/provider.js";
import { ownSummary } from "../../shared/state/server-summary.js";
import type { AnthropicBlock, AnthropicBody } from "../wire.js";

/** Instructions take the place of the server's own prompt: what it would ask for has to be said with them. */
const PROMPT =
  "Sum up this conversation so that the work can go on from the summary alone. Write down the goal, what the user has said, what was decided and why, files and identifiers word for word, what has failed, what is open, and the next step.";

/** A request for a summary of its messages. What the API refuses beside that is left out. */
export function asCompaction(body: AnthropicBody, { instructions }: NonNullable<ProviderRequest["compact"]>) {
  const { context_management: _edits, stop_sequences: _stops, ...rest } = body;
  const asked = instructions === undefined ? {} : { instructions: `${PROMPT}\n\nIn particular: ${instructions}` };
  return { ...rest, compaction: { type: "summarize", ...asked } };
}

/** The newest summary of the model's own, and the messages behind it: it represents all in front of it. */
export function fromSummary(messages: readonly Message[], owner: string) {
  for (let at = messages.length - 1; at >= 0; at--) {
    const block = ownSummary(messages[at]!, owner) as AnthropicBlock | undefined;
    if (block) return { block, rest: messages.slice(at + 1) };
  }
  return { block: undefined, rest: messages };
}
