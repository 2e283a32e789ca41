import type { ReasoningEffort } from "../../contracts/provider.js";
import type { ModelCapabilities } from "./model-capabilities.js";
import type { AnthropicMessage, AnthropicThinking } from "./wire.js";

/** Least budget that the API takes. Unit: tokens. */
const MIN_BUDGET = 1_024;

/** The token budget of each effort, where thinking has a budget. */
const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, "none">, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

/** The fields of a request that say how much the model thinks. */
export interface ThinkingFields {
  readonly thinking?: AnthropicThinking;
  readonly effort?: "low" | "medium" | "high";
}

/** The circumstances that thinking depends on besides the effort. */
export interface ThinkingScene {
  readonly capabilities: ModelCapabilities;
  readonly maxTokens: number;
  /** Whether a tool has to be called: the API refuses to think then. */
  readonly isForced: boolean;
  readonly messages: readonly AnthropicMessage[];
}

/** The form of a requested effort for this model. Without a request the model does as the vendor decides. */
export function thinkingFields(effort: ReasoningEffort | undefined, scene: ThinkingScene): ThinkingFields {
  const { capabilities, isForced } = scene;
  if (effort === undefined || capabilities.thinking === "none") return {};
  if (effort === "none") {
    return capabilities.withoutThinking === "unsaid" ? {} : { thinking: { type: capabilities.withoutThinking } };
  }
  if (capabilities.thinking === "budget") {
    const thinking = isForced || lacksThinking(scene.messages) ? undefined : budgetOf(effort, scene.maxTokens);
    return thinking ? { thinking } : {};
  }
  return {
    ...(!isForced && { thinking: { type: "adaptive", display: "summarized" } }),
    ...(capabilities.effort && { effort }),
  };
}

/** `undefined` when the output limit leaves no room to think and to answer. */
function budgetOf(effort: Exclude<ReasoningEffort, "none">, maxTokens: number): AnthropicThinking | undefined {
  const budget = Math.min(BUDGETS[effort], Math.floor(maxTokens / 2));
  return budget < MIN_BUDGET ? undefined : { type: "enabled", budget_tokens: budget };
}

/**
 * Whether the results of calls go back to a message that did not begin with thinking, because another model wrote it:
 * with a budget the API insists on the thinking that led to the calls.
 */
function lacksThinking(messages: readonly AnthropicMessage[]): boolean {
  if (!messages.at(-1)?.content.some(({ type }) => type === "tool_result")) return false;
  const first = messages.findLast(({ role }) => role === "assistant")?.content[0];
  return first?.type !== "thinking" && first?.type !== "redacted_thinking";
}

/** The thinking of a request whose earlier thinking may be stale: what no longer fits its conversation is dropped. */
export function withoutStaleThinking(thinking: AnthropicThinking | undefined): object {
  return { type: "adaptive", ...thinking, block_binding: { prefix_mismatch_behavior: "drop_block" } };
}
