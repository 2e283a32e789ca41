import type { ContextBudget, ContextUsage, View } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { byDefault, checkOptions, FUNCTION, type OptionTable } from "../json/check-options.js";
import { countMessage, countTools, estimateTokens, type TokenCounter } from "./token-count.js";
import { isCredible } from "./view-lines.js";

type Category = "system" | "tools" | "skills" | "memory" | "messages" | "toolResults";

/** Options of `contextUsage()`. */
export interface ContextUsageOptions {
  /** Default: an estimate. */
  readonly countTokens?: TokenCounter | undefined;
}

const OPTIONS = {
  countTokens: byDefault(estimateTokens, FUNCTION),
} satisfies OptionTable<ContextUsageOptions>;

/**
 * Tokens of a request by category. What the provider counted for its last request is the truth: the categories are
 * scaled to add up to it, plus an estimate of what came since.
 *
 * Sections of the system prompt whose id begins with `skill` or `memory` count as such, as do messages with origin
 * `skill`. Looks at the whole view: for a display, not for every turn.
 */
export function contextUsage(
  view: View,
  { contextWindow, reservedOutputTokens }: ContextBudget,
  options: ContextUsageOptions = {},
): ContextUsage {
  const { countTokens } = checkOptions("contextUsage()", options, OPTIONS);
  const count = (message: Message) => countMessage(message, countTokens);
  const parts: Record<Category, number> = { system: 0, tools: 0, skills: 0, memory: 0, messages: 0, toolResults: 0 };
  for (const { id, text } of view.system) parts[sectionCategory(id)] += countTokens(text);
  parts.tools = countTools(view.tools, countTokens);
  const sentMessages = view.lastUsage?.messageCount ?? 0;
  let sent = 0;
  let all = 0;
  for (const [index, message] of view.messages.entries()) {
    const tokens = count(message);
    parts[messageCategory(message)] += tokens;
    all += tokens;
    if (index < sentMessages) sent += tokens;
  }
  const head = parts.system + parts.tools + parts.skills + parts.memory;
  const ratio = scaleOf(view, head + sent);
  const reported = ratio === 1 ? head + sent : (view.lastUsage?.usage.inputTokens ?? 0);
  const used = Math.round(reported + (all - sent) * ratio);
  return { ...scaled(parts, used), used, ...roomLeft(used, contextWindow, reservedOutputTokens) };
}

function roomLeft(used: number, contextWindow: number | null, reserved: number) {
  if (contextWindow === null) return { reserved, free: null, contextWindow };
  return { reserved, free: Math.max(0, contextWindow - reserved - used), contextWindow };
}

/** Real tokens for each estimated one, as far as the provider's count can be believed. */
function scaleOf({ lastUsage }: View, estimate: number): number {
  if (!lastUsage || lastUsage.usage.estimated || lastUsage.messageCount === 0) return 1;
  const { inputTokens } = lastUsage.usage;
  return isCredible(inputTokens, estimate) ? inputTokens / Math.max(1, estimate) : 1;
}

/** Whole numbers that add up to `used`; what rounding leaves goes to the largest. */
function scaled(parts: Record<Category, number>, used: number): Record<Category, number> {
  const names = Object.keys(parts) as Category[];
  const total = Math.max(
    1,
    names.reduce((sum, name) => sum + parts[name], 0),
  );
  const rounded = { ...parts };
  for (const name of names) rounded[name] = Math.floor((parts[name] * used) / total);
  const largest = names.reduce((most, name) => (rounded[name] > rounded[most] ? name : most));
  rounded[largest] += used - names.reduce((sum, name) => sum + rounded[name], 0);
  return rounded;
}

function sectionCategory(id: string): Category {
  if (/^skill/i.test(id)) return "skills";
  return /^memory/i.test(id) ? "memory" : "system";
}

function messageCategory(message: Message): Category {
  if (message.role === "tool") return "toolResults";
  return message.role === "user" && message.origin === "skill" ? "skills" : "messages";
}
