import { ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Usage } from "../contracts/usage.js";
import { foreignAgentTool } from "../engine/subagents/foreign-agent.js";
import type { ForeignAgent, ForeignEnd, ForeignHost } from "../engine/subagents/foreign-work.js";
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
import { isObject } from "../json/is-object.js";
import { parseJson } from "../json/parse-json.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import type {
  HarnessControl,
  HarnessPart,
  HarnessPermissionMode,
  HarnessSession,
  HarnessStart,
  HarnessUsage,
  HostTool,
} from "./harness-v1.js";

/** An adapter of the AI SDK, as far as a sub-agent needs it: `codex`, `claudeCode`, `pi` and the like. */
export interface ForeignHarness {
  readonly specificationVersion: "harness-v1";
  readonly harnessId: string;
  doStart(options: never): PromiseLike<unknown>;
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

// ── an agent at work on one call ─────────────────────────────────────────────────────────────────────────────────────
// The calling side of one call, which is `HarnessAgent`'s: it starts a session, prompts, answers and ends it.

const MAX_TEXT_CHARS = 2_000_000;
const MAX_SHOWN_CHARS = 20_000;

interface AtWorkOptions extends Pick<HarnessSubagentOptions, "harness" | "sandbox" | "permissionMode" | "model"> {
  readonly tools: readonly BaseTool[];
  readonly name: string;
  readonly sessionId: string;
}

type ForeignPart = HarnessPart | { readonly type: "error"; readonly error: unknown };

class HarnessAtWork implements ForeignAgent {
  #session: HarnessSession | undefined;
  #control: Promise<HarnessControl> | undefined;
  #text = "";
  #usage: Usage | undefined;
  #unfinished: string | undefined;
  #failure: unknown;
  readonly missing = "a session that another process can go on with";
  readonly #calls = new Map<string, { readonly name: string; readonly input: string }>();
  #isClosed = false;

  constructor(private readonly options: AtWorkOptions) {}

  async work(prompt: string, host: ForeignHost): Promise<ForeignEnd> {
    const { harness, sandbox, permissionMode = "allow-reads", model, tools, name, sessionId } = this.options;
    const { signal: abortSignal } = host;
    try {
      const place = await sandbox?.();
      const start = { sessionId, permissionMode, abortSignal, ...place } satisfies HarnessStart;
      this.#session = (await harness.doStart(start as never)) as HarnessSession;
      if (this.#isClosed) await this.#session.doDestroy();
      const emit = (part: ForeignPart) => this.#hear(part, host);
      const offered = host.calls ? tools.map(hostToolOf) : [];
      const turn = { prompt, skills: [], tools: offered, abortSignal, ...(model !== undefined && { model }), emit };
      this.#control = Promise.resolve(this.#session!.doPromptTurn(turn as never));
      await (await this.#control).done;
    } catch (cause) {
      this.#failure ??= cause;
    }
    if (this.#failure !== undefined) {
      const message = `The agent "${name}" failed: ${clip(describeThrown(this.#failure), 1_000)}`;
      throw new ToolError("TOOL_FAILED", { message, cause: this.#failure });
    }
    return { text: this.#text, usage: this.#usage, unfinished: this.#unfinished };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#session?.doDestroy().catch(() => {});
  }

  #hear(part: ForeignPart, host: ForeignHost): void {
    switch (part.type) {
      case "text-delta":
        this.#text = clip(this.#text + part.delta, MAX_TEXT_CHARS);
        break;
      case "tool-call":
        // Its last words are its answer; what it said before a call was on the way there.
        this.#text = "";
        this.#calls.set(part.toolCallId, { name: part.toolName, input: part.input });
        host.progress({ subagent: this.options.name, call: part.toolName });
        if (part.providerExecuted !== true) void this.#call(part, host).catch(() => {});
        break;
      case "tool-approval-request":
        void this.#ask(part, host);
        break;
      case "finish":
        this.#usage = usageOf(part.totalUsage);
        if (part.finishReason.unified !== "stop") this.#unfinished = `it stopped with "${part.finishReason.unified}"`;
        break;
      case "error":
        this.#failure = part.error;
    }
  }

  async #ask({ approvalId, toolCallId }: Extract<HarnessPart, { type: "tool-approval-request" }>, host: ForeignHost) {
    const { name: tool = "a tool", input = "" } = this.#calls.get(toolCallId) ?? {};
    const about = { tool, input: clip(input, MAX_SHOWN_CHARS) };
    const answer = await host.ask({ title: `${tool} ${clip(input, 200)}`, about });
    const said = { approvalId, approved: answer.isAllowed, ...(!answer.isAllowed && { reason: answer.reason }) };
    await (await this.#control!).submitToolApproval(said);
  }

  /** Only what it was offered: a question to the user, for one, has nobody to answer it. */
  async #call({ toolCallId, toolName, input }: Extract<HarnessPart, { type: "tool-call" }>, host: ForeignHost) {
    const isOffered = this.options.tools.some(({ name }) => name === toolName);
    const submit = async (output: unknown, isError: boolean) =>
      (await this.#control!).submitToolResult({ toolCallId, output, isError });
    if (!host.calls || !isOffered) return submit(`"${toolName}" is not available here. Go on without it.`, true);
    const args = parseJson(input);
    if (args === undefined) return submit(`The input of "${toolName}" is not JSON.`, true);
    // Left for an answer elsewhere, this rejects, and the agent is closed.
    const [result] = await host.calls([{ name: toolName, input: args as JsonValue }]);
    return submit(result!.output, result!.isError);
  }
}

function hostToolOf(tool: BaseTool): HostTool {
  const { name, description, inputSchema } = tool.definition();
  return { name, description, inputSchema };
}

function usageOf(usage: HarnessUsage | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { total: inputTokens } = usage.inputTokens;
  const { total: outputTokens } = usage.outputTokens;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
