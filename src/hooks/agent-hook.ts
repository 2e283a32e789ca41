import type { Hook, HookInput, HookPoint, HookResult } from "../contracts/hook.js";
import type { BaseTool } from "../contracts/tool.js";
import { AgentEngine } from "../engine/engine.js";
import { checkOptions, listOf, type OptionTable, withMethods } from "../json/check-options.js";
import { checkedMatcher } from "./command-hook.js";
import { matchValuesOf } from "./matcher.js";
import { CHECK_SYSTEM, PROMPT_OPTIONS, type PromptHookOptions, promptFor, readVerdict } from "./prompt-hook.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TURNS = 50;

/** Options of `agentHook()`. */
export interface AgentHookOptions extends PromptHookOptions {
  /** What the agent may use: only tools with permission `none` and `read_only` run. Default: no tools. */
  readonly tools?: readonly BaseTool[] | undefined;
}

const OPTIONS = {
  ...PROMPT_OPTIONS,
  tools: listOf(withMethods("definition", "execute"), "tools"),
} satisfies OptionTable<AgentHookOptions>;

/**
 * A hook that is an agent: it looks into the matter with the tools it is given, at most 50 turns, and then says whether
 * the event may pass. Its "no" blocks with the reason it gives. Default of `timeoutMs`: 60_000. Its tokens count towards
 * no budget.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function agentHook<P extends HookPoint = HookPoint>(options: AgentHookOptions): Hook<P> {
  checkOptions("agentHook()", options, OPTIONS);
  const { provider, tools = [], onFailure } = options;
  const matches = checkedMatcher(options.matcher);

  return {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(onFailure && { onFailure }),
    async run(given, { signal }): Promise<HookResult | undefined> {
      const input = given as HookInput;
      if (!matches(matchValuesOf(input)) || options.appliesTo?.(input) === false) return undefined;
      const engine = new AgentEngine({
        provider,
        tools: tools.filter(({ permission }) => permission === "none" || permission === "read_only"),
        systemPrompt: CHECK_SYSTEM,
        limits: { maxTurns: MAX_TURNS },
      });
      try {
        const result = await engine.run(promptFor(options, input), { signal });
        if (result.status !== "completed") throw new Error(`the agent ended as "${result.status}"`);
        return readVerdict(result.text, input.hookEventName);
      } finally {
        await engine.close();
      }
    },
  };
}
