import type { BaseTool } from "../contracts/tool.js";
import { foreignAgentTool } from "../engine/subagents/foreign-agent.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  STRING,
  withMethods,
} from "../json/check-options.js";
import { HarnessAtWork } from "./harness-at-work.js";
import type { HarnessPermissionMode, HarnessStart } from "./harness-v1.js";

/** An adapter of the AI SDK, as far as a sub-agent needs it: `codex`, `claudeCode`, `pi` and the like. */
export interface ForeignHarness {
  readonly specificationVersion: "harness-v1";
  readonly harnessId: string;
  // biome-ignore lint/suspicious/noExplicitAny: each adapter has types of its own
  doStart(options: any): PromiseLike<any>;
}

/** Options of `harnessSubagent()`. */
export interface HarnessSubagentOptions {
  /** The adapter, such as `createCodex()`. Each call starts a session of it. */
  readonly harness: ForeignHarness;
  /** The tool's name, as the model calls it: at most 50 letters, digits, `_` and `-`. */
  readonly name: string;
  /** The purpose of the agent, as the model reads it. */
  readonly description: string;
  /** The sandbox that a call works in, and the directory there. Asked for each call; it stays yours to end. Default: none. */
  readonly sandbox?: (() => Promise<Required<Pick<HarnessStart, "sandboxSession" | "sessionWorkDir">>>) | undefined;
  /** The effects that the agent's own tools may have without a question. Default: `allow-reads`. */
  readonly permissionMode?: HarnessPermissionMode | undefined;
  /**
   * Tools of the engine that the agent may call, beside its own. Each call is one of the engine's tool of that name: hooks, rules, mode,
   * approver, workspace and record are the engine's. Default: none.
   */
  readonly tools?: readonly BaseTool[] | undefined;
  /** The model, by the adapter's name for it. Default: the adapter's own. */
  readonly model?: string | undefined;
  /**
   * The agent's own tools pass no gate. Without this option it is not started where deny rules are about commands, files or addresses.
   */
  readonly ownTools?: "accepted" | undefined;
}

const OPTIONS = {
  harness: required(withMethods("doStart")),
  name: required(
    optionOf((value) => typeof value === "string" && /^[\w-]{1,50}$/.test(value), "1 to 50 letters, digits, _ and -"),
  ),
  description: required(STRING),
  sandbox: FUNCTION,
  permissionMode: oneOf("allow-reads", "allow-edits", "allow-all"),
  tools: byDefault([], listOf(withMethods("definition", "execute"), "tools")),
  model: STRING,
  ownTools: oneOf("accepted"),
} satisfies OptionTable<HarnessSubagentOptions>;

/**
 * A `HarnessAgent` adapter of another vendor as a sub-agent: a tool that gives it a task and returns its answer.
 *
 * The permission is `execute`. Each call starts a session of the adapter and destroys it. What the agent asks for its own tools is a call
 * `NAME_permission` that the gate decides and the approver answers; its calls of `tools` are calls of the engine's tools. Its usage counts in the run's budgets. What it does by itself passes no
 * gate: in mode `plan` it is refused, and where deny rules are about commands, files or addresses unless `ownTools` accepts it.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function harnessSubagent(options: HarnessSubagentOptions): BaseTool<{ prompt: string }> {
  const { name, description, ownTools = "refused", ...rest } = checkOptions("harnessSubagent()", options, OPTIONS);
  return foreignAgentTool({
    name,
    description,
    protocol: rest.harness.harnessId,
    ownTools,
    start: ({ toolCallId, sessionId }) => new HarnessAtWork({ ...rest, name, sessionId: `${sessionId}-${toolCallId}` }),
  });
}
