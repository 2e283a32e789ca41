// One call of another vendor's adapter, from this side, which is `HarnessAgent`'s: it starts a session, prompts, answers and ends it.
import { ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Usage } from "../contracts/usage.js";
import type { ForeignAgent, ForeignEnd, ForeignHost } from "../engine/subagents/foreign-work.js";
import { isObject } from "../json/is-object.js";
import { parseJson } from "../json/parse-json.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import type { HarnessSubagentOptions } from "./harness-subagent.js";
import type { HarnessControl, HarnessPart, HarnessSession, HarnessUsage, HostTool } from "./harness-v1.js";

const MAX_TEXT_CHARS = 2_000_000;
const MAX_SHOWN_CHARS = 20_000;

interface AtWorkOptions extends Pick<HarnessSubagentOptions, "harness" | "sandbox" | "permissionMode" | "model"> {
  readonly tools: readonly BaseTool[];
  readonly name: string;
  readonly sessionId: string;
}

type ForeignPart = HarnessPart | { readonly type: "error"; readonly error: unknown };

export class HarnessAtWork implements ForeignAgent {
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
      this.#session = await harness.doStart({ sessionId, permissionMode, abortSignal, ...place });
      if (this.#isClosed) await this.#session!.doDestroy();
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
