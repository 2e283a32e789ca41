import { ProviderError } from "../../contracts/errors.js";

/** What one model takes: guessed from its name, corrected by what it has refused. */
export interface ModelHabits {
  /** How thinking is asked for: by effort, by a budget of tokens, or not at all. */
  readonly thinking: "adaptive" | "budget" | "none";
  /** How a model is told not to think; `"unsaid"` where it cannot be. */
  readonly withoutThinking: "disabled" | "between_tools" | "unsaid";
  /** Whether earlier thinking goes back. */
  readonly replaysThinking: boolean;
  /** Whether what the server has done by itself goes back: kinds of blocks that a beta or a tool of its own brings. */
  readonly replaysServerWork: boolean;
  /** Whether the API is asked to drop thinking whose conversation has changed since; it refuses the request otherwise. */
  readonly dropsStaleThinking: boolean;
  /** Whether the model can be made to call a tool. */
  readonly forcedChoice: boolean;
  /** Whether `output_config.effort` is understood. */
  readonly effort: boolean;
  /** How a structured answer is asked for: by `output_config.format`, or as the call of a tool. */
  readonly structured: "format" | "tool";
  readonly temperature: boolean;
  readonly cacheControl: boolean;
  /** Most output tokens that the model takes, once it has said so. */
  readonly maxTokens?: number;
}

const WITHOUT_THINKING = /claude-(?:3-5|3-opus|3-sonnet|3-haiku|2|instant)/;

/** Up to Claude 4.5; later ones think by effort. */
const WITH_BUDGET = /claude-3-7|claude-(?:opus|sonnet|haiku)-4(?![-.]?[6-9](?!\d))/;

const WITHOUT_FORMAT = /claude-(?:[23]|instant)|claude-(?:opus|sonnet)-4(?:-0|-2025|@2025|$)/;

/** Models that are not Anthropic's own, behind servers that speak its protocol, know the older ways. */
export function initialModelHabits(model: string): ModelHabits {
  const name = model.toLowerCase();
  const isClaude = name.includes("claude");
  return {
    thinking: WITHOUT_THINKING.test(name) ? "none" : !isClaude || WITH_BUDGET.test(name) ? "budget" : "adaptive",
    withoutThinking: "disabled",
    replaysThinking: true,
    replaysServerWork: true,
    dropsStaleThinking: false,
    forcedChoice: true,
    effort: isClaude,
    structured: !isClaude || WITHOUT_FORMAT.test(name) ? "tool" : "format",
    temperature: true,
    cacheControl: true,
  };
}

/**
 * What to do differently after a refusal; `null` when it is not about one of our habits. A habit is given up once at
 * most, so that asking again ends.
 */
export function learnModelHabits(error: unknown, habits: ModelHabits): ModelHabits | null {
  if (!(error instanceof ProviderError) || error.code !== "BAD_REQUEST") return null;
  const said = error.message.toLowerCase();
  const limit = /max_tokens: \d+ > (\d+), which is the maximum allowed/.exec(said)?.[1];
  if (limit !== undefined && habits.maxTokens === undefined) return { ...habits, maxTokens: Number(limit) };
  if (habits.replaysThinking && STALE_THINKING.test(said)) {
    const mayDrop = said.includes("prefix_mismatch_behavior") && !habits.dropsStaleThinking;
    return mayDrop ? { ...habits, dropsStaleThinking: true } : { ...habits, replaysThinking: false };
  }
  if (habits.replaysServerWork && UNKNOWN_WORK.test(said)) return { ...habits, replaysServerWork: false };
  if (!REFUSED.test(said)) return null;
  if (habits.effort && /effort/.test(said) && !/thinking/.test(said)) return { ...habits, effort: false };
  if (habits.structured === "format" && /output_(?:config|format)|structured output/.test(said)) {
    return { ...habits, structured: "tool" };
  }
  if (habits.forcedChoice && /tool_choice/.test(said) && !/thinking/.test(said)) {
    return { ...habits, forcedChoice: false };
  }
  if (/thinking/.test(said) && !/temperature|tool_choice|budget_tokens/.test(said))
    return withOtherThinking(said, habits);
  if (habits.temperature && /temperature/.test(said)) return { ...habits, temperature: false };
  if (habits.cacheControl && /cache_control/.test(said)) return { ...habits, cacheControl: false };
  return null;
}

function withOtherThinking(said: string, habits: ModelHabits): ModelHabits | null {
  if (habits.withoutThinking === "disabled" && /disabled/.test(said)) {
    return { ...habits, withoutThinking: said.includes("between_tools") ? "between_tools" : "unsaid" };
  }
  if (habits.thinking === "budget" && /adaptive|enabled/.test(said)) return { ...habits, thinking: "adaptive" };
  if (habits.thinking === "adaptive" && /adaptive/.test(said)) return { ...habits, thinking: "budget", effort: false };
  return habits.thinking === "none" ? null : { ...habits, thinking: "none" };
}

/** Thinking that is not the model's own, was changed, or stands behind messages that have changed since. */
const STALE_THINKING =
  /invalid.{0,20}signature.{0,40}thinking|thinking.{0,60}cannot be modified|block_binding.{0,20}extra inputs/;

/** Blocks of a beta that the request does not name, or of a tool that it does not have any more. */
const UNKNOWN_WORK = /input tag .{1,60} does not match any of the expected tags|tool reference .{1,120} not found/;

const REFUSED =
  /unsupported|not supported|(?:does|do) not (?:support|allow)|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|not available|extra inputs|deprecated|cannot be|must be|may only be|input should be|invalid value/;
