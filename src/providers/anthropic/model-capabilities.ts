// Serves: Anthropic, Bedrock, Vertex AI and servers that speak Anthropic's protocol.
import type { Lesson } from "../shared/lessons.js";
import { findListedModel } from "../shared/models/known-models.js";
import type { ListedModel } from "../shared/models/model-list.js";
import { namedContainer } from "./server/code-calls.js";

/** The capabilities of one model: the list's, guessed from its name where it is not listed, corrected by its refusals. */
export interface ModelCapabilities {
  /** The form in which thinking is asked for: by effort, by a budget of tokens, or not at all. */
  readonly thinking: "adaptive" | "budget" | "none";
  /** The type of thinking that switches it off; `"unsaid"` where no type does. */
  readonly withoutThinking: "disabled" | "between_tools" | "unsaid";
  /** Whether earlier thinking goes back. */
  readonly replaysThinking: boolean;
  /** Whether work of the server's own goes back: kinds of blocks that a beta or a tool of its own brings. */
  readonly replaysServerWork: boolean;
  /** Whether the API is asked to drop thinking whose conversation has changed since; it refuses the request otherwise. */
  readonly dropsStaleThinking: boolean;
  /** Whether the model can be made to call a tool. */
  readonly forcedChoice: boolean;
  /** Whether `output_config.effort` is understood. */
  readonly effort: boolean;
  /** The form in which a structured answer is asked for: `output_config.format`, or the call of a tool. */
  readonly structured: "format" | "tool";
  readonly temperature: boolean;
  readonly cacheControl: boolean;
  /** Most output tokens that the model takes, once it has said so. */
  readonly maxTokens?: number;
  /** The containers that were refused, `""` for none where one was wanted: a program that waits in one of them is given up. */
  readonly lostContainers: readonly string[];
}

const WITHOUT_THINKING = /claude-(?:3-5|3-opus|3-sonnet|3-haiku|2|instant)/;

/** Up to Claude 4.5; later ones think by effort. */
const WITH_BUDGET = /claude-3-7|claude-(?:opus|sonnet|haiku)-4(?![-.]?[6-9](?!\d))/;

const WITHOUT_FORMAT = /claude-(?:[23]|instant)|claude-(?:opus|sonnet)-4(?:-0|-2025|@2025|$)/;

/** The vendor's name in those of Bedrock and Vertex AI: "us.anthropic.claude-opus-5-v1:0", "claude-opus-5@20260301". */
const LISTED_NAME = /claude-[\w.-]+?(?=-v\d|[@:]|$)/;

function listed(name: string): ListedModel | undefined {
  const model = LISTED_NAME.exec(name)?.[0];
  return model === undefined ? undefined : findListedModel({ provider: "anthropic", model });
}

/** Models that are not Anthropic's own, behind servers that speak its protocol, know the older ways. */
function thinkingOf(name: string): ModelCapabilities["thinking"] {
  if (WITHOUT_THINKING.test(name)) return "none";
  const { traits } = listed(name) ?? {};
  if (traits?.has("adaptive")) return "adaptive";
  return traits?.has("budget") || !name.includes("claude") || WITH_BUDGET.test(name) ? "budget" : "adaptive";
}

/** Whether a model takes an effort and a budget for its task: all but those known to be older. */
export function thinksByEffort(model: string): boolean {
  const name = model.toLowerCase();
  return !WITHOUT_THINKING.test(name) && (!WITH_BUDGET.test(name) || /opus-4-5/.test(name));
}

export function initialModelCapabilities(model: string): ModelCapabilities {
  const name = model.toLowerCase();
  const isClaude = name.includes("claude");
  return {
    thinking: thinkingOf(name),
    withoutThinking: "disabled",
    replaysThinking: true,
    replaysServerWork: true,
    dropsStaleThinking: false,
    forcedChoice: true,
    effort: isClaude,
    structured: !isClaude || WITHOUT_FORMAT.test(name) ? "tool" : "format",
    temperature: !listed(name)?.traits.has("no-temperature"),
    cacheControl: true,
    lostContainers: [],
  };
}

const REFUSED =
  /unsupported|not supported|(?:does|do) not (?:support|allow)|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|not available|extra inputs|deprecated|cannot be|must be|may only be|input should be|invalid value/;

/** A lesson that needs a word of refusal: a mention alone may be about anything. */
function refused(field: RegExp, change: Lesson<ModelCapabilities>[1]): Lesson<ModelCapabilities> {
  return [field, (now, said, body) => REFUSED.test(said) && change(now, said, body)];
}

/** The lessons of refusals by Anthropic's models and by servers that speak its protocol. */
export const ANTHROPIC_LESSONS: readonly Lesson<ModelCapabilities>[] = [
  [
    /max_tokens: \d+ > (\d+), which is the maximum allowed/,
    ({ maxTokens }, said) => maxTokens === undefined && { maxTokens: Number(/> (\d+)/.exec(said)?.[1]) },
  ],
  // Thinking that is not the model's own, was changed, or stands behind messages that have changed since.
  [
    /invalid.{0,20}signature.{0,40}thinking|thinking.{0,60}cannot be modified|block_binding.{0,20}extra inputs/,
    ({ replaysThinking, dropsStaleThinking }, said) => {
      const mayDrop = said.includes("prefix_mismatch_behavior") && !dropsStaleThinking;
      return replaysThinking && (mayDrop ? { dropsStaleThinking: true } : { replaysThinking: false });
    },
  ],
  [
    /container/,
    ({ lostContainers: lost }, _said, { container }) =>
      !lost.includes(namedContainer(container)) && { lostContainers: [...lost, namedContainer(container)] },
  ],
  // Blocks of a beta that the request does not name, a summary that the server does not take back, or of a tool that it does not have any more.
  [
    /input tag .{1,60} does not match any of the expected tags|compaction|tool reference .{1,120} not found/,
    (now) => now.replaysServerWork && { replaysServerWork: false },
  ],
  refused(/^(?!.*thinking).*effort/s, (now) => now.effort && { effort: false }),
  refused(/output_(?:config|format)|structured output/, (now) => now.structured === "format" && { structured: "tool" }),
  refused(/^(?!.*thinking).*tool_choice/s, (now) => now.forcedChoice && { forcedChoice: false }),
  refused(/^(?!.*(?:temperature|tool_choice|budget_tokens)).*thinking/s, otherThinking),
  refused(/temperature/, (now) => now.temperature && { temperature: false }),
  refused(/cache_control/, (now) => now.cacheControl && { cacheControl: false }),
];

function otherThinking({ thinking, withoutThinking }: ModelCapabilities, said: string) {
  if (withoutThinking === "disabled" && /disabled/.test(said)) {
    return { withoutThinking: said.includes("between_tools") ? ("between_tools" as const) : ("unsaid" as const) };
  }
  if (thinking === "budget" && /adaptive|enabled/.test(said)) return { thinking: "adaptive" as const };
  if (thinking === "adaptive" && /adaptive/.test(said)) return { thinking: "budget" as const, effort: false };
  return thinking !== "none" && { thinking: "none" as const };
}
