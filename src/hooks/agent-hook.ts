import type { Hook, HookPoint } from "../contracts/hook.js";
import type { BaseTool } from "../contracts/tool.js";
import { AgentEngine } from "../engine/engine.js";
import { checkOptions, listOf, type OptionTable, withMethods } from "../json/check-options.js";
import { filteredHook } from "./filtered-hook.js";
import { CHECK_SYSTEM, PROMPT_OPTIONS, type PromptHookOptions, promptFor, readVerdict } from "./prompt-hook.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TURNS = 50;

/** Options of `agentHook()`. */
export interface AgentHookOptions extends PromptHookOptions {
  /** The tools of the agent: only those with permission `none` and `read_only` run. Default: no tools. */
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
  const { provider, tools = [], onFailure, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return filteredHook(options, { timeoutMs, onFailure }, async (input, signal) => {
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
  });
}
