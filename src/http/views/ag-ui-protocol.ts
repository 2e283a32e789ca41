// AG-UI events of a run. The client checks their order, so everything that begins is ended before the run is.
//
// A resumed run enters earlier calls again. The client has them in its messages: only their results are news.
import type { PendingRequest } from "../../contracts/approval.js";
import type { CompactionReport } from "../../contracts/context.js";
import { isHarnessError } from "../../contracts/errors.js";
import type { EventOf } from "../../contracts/event.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { describeError, describeFailure } from "../describe-error.js";
import type { RunSource } from "../run-source.js";
import { RunFold, rowOf, type ShownAgent, type ShownPart, type ViewChange, type ViewRows } from "./run-fold.js";
import type { RunProtocol } from "./run-writer.js";

/** One AG-UI event. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export class AgUiProtocol implements RunProtocol {
  readonly fold: RunFold<AgUiEvent> = new RunFold<AgUiEvent>(
    (change, agent) => rowOf(this.#rows, change, agent).map((event) => ({ ...event, ...tagOf(agent) })),
    (agent, id, within) => this.#calls.has(callId(agent, id)) || this.#wasSeen(agent, id, within),
  );
  #threadId: string | undefined;
  #runId: string | undefined;
  #isResumed = false;
  #compactions = 0;
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();
  /** The calls that a tool goes on with in a resumed run, by the id of its own: what their ids begin with. */
  readonly #goneOn = new Map<string, string>();

  readonly #rows: ViewRows<AgUiEvent> = {
    run: (change) => this.#start(change),
    agent: (_, agent) =>
      agent.isRoot ? [] : [{ type: "SUBAGENT_STARTED", ...tagOf(agent), name: agent.agentPath.at(-1) ?? "" }],
    "run-start": ({ resumed }, { isRoot }) => {
      if (isRoot) this.#isResumed = resumed;
      return [];
    },
    "step-start": ({ turn }) => [{ type: "STEP_STARTED", stepName: `turn ${turn}` }],
    "step-end": ({ turn }) => [{ type: "STEP_FINISHED", stepName: `turn ${turn}` }],
    "part-start": ({ part }, agent) => startPart(part, agent),
    "part-delta": ({ part, delta }, agent) => [
      { type: PART_CONTENT[part.type], messageId: messageId(agent, part), delta },
    ],
    "part-end": ({ part }, agent) => endPart(part, agent),
    restart: (change, agent) => this.#restart(change, agent),
    "input-start": ({ toolCallId, tool }, agent) => [
      { type: "TOOL_CALL_START", toolCallId: callId(agent, toolCallId), toolCallName: tool },
    ],
    "input-delta": ({ toolCallId, json }, agent) => [
      { type: "TOOL_CALL_ARGS", toolCallId: callId(agent, toolCallId), delta: json },
    ],
    "input-cut": ({ toolCallId }, agent) => [{ type: "TOOL_CALL_END", toolCallId: callId(agent, toolCallId) }],
    call: (change, agent) => this.#call(change, agent),
    "tool-call-end": ({ result }, agent) => this.#result(result, agent),
    "tool-progress": ({ toolCallId, update }) => custom("tool-progress", { toolCallId, update }),
    media: ({ part }) => custom("media", contentPart(part)),
    "server-tool": ({ use }) => custom("server-tool", use),
    compaction: ({ report }, agent) => this.#compaction(report, agent),
    notice: (event) => custom("notice", describeFailure(event)),
    "run-end": (change) => [subagentEnded(change, this.fold.asked)],
  };

  constructor(
    private readonly run: RunSource,
    { threadId, runId }: { readonly threadId?: string | undefined; readonly runId?: string | undefined },
  ) {
    this.#threadId = threadId;
    this.#runId = runId;
  }

  async finish({ status, error }: EventOf<"run-end">): Promise<AgUiEvent[]> {
    if (status === "failed" || status === "output-invalid" || isHarnessError(error, "USAGE_LIMIT"))
      return this.failed(error ? describeError(error) : { code: "INTERNAL", message: "The run failed." });
    const closed = this.fold.close();
    const outcome = await this.#outcome(status);
    const count = this.fold.usage?.usage;
    const usage = count && { usage: [tokenUsage(count)] };
    const ids = { threadId: this.#threadId, runId: this.#runId };
    return [...closed, { type: "RUN_FINISHED", ...ids, result: { status }, outcome, ...usage }];
  }

  failed({ code, message }: { readonly code: string; readonly message: string }): AgUiEvent[] {
    return [...this.fold.close(), { type: "RUN_ERROR", message, code }];
  }

  steered(): AgUiEvent[] {
    const ids = { threadId: this.#threadId, runId: this.#runId };
    return [...this.fold.close(), { type: "RUN_FINISHED", ...ids, outcome: { type: "success" } }];
  }

  cutOff(error: unknown): AgUiEvent[] {
    const early = { code: "RUN_INCOMPLETE", message: "The events of the run ended early." };
    return this.failed(error === undefined ? early : describeError(error));
  }

  #start({ runId, sessionId }: Extract<ViewChange, { type: "run" }>): AgUiEvent[] {
    this.#threadId ??= sessionId;
    this.#runId ??= this.run.id || runId;
    return [{ type: "RUN_STARTED", threadId: this.#threadId, runId: this.#runId }];
  }

  #restart({ parts, ends }: Extract<ViewChange, { type: "restart" }>, agent: ShownAgent): AgUiEvent[] {
    const messageIds = parts.map((part) => messageId(agent, part));
    const toolCallIds = ends.flatMap((end) => (end.type === "input-cut" ? [callId(agent, end.toolCallId)] : []));
    const value = { messageIds, ...(toolCallIds.length > 0 && { toolCallIds }) };
    return [...this.fold.show(agent, ends), ...custom("model-restart", value)];
  }

  /** Whether a call was made by a run before this one. A tool that is entered again goes on with the calls that it had made last. */
  #wasSeen({ isRoot }: ShownAgent, id: string, within: string | undefined): boolean {
    if (!isRoot || !this.#isResumed || this.fold.hasTurns) return false;
    if (within === undefined) return true;
    const together = id.slice(0, id.lastIndexOf("."));
    if (!this.#goneOn.has(within)) this.#goneOn.set(within, together);
    return this.#goneOn.get(within) === together;
  }

  #call({ call, isStreamed, within }: Extract<ViewChange, { type: "call" }>, agent: ShownAgent): AgUiEvent[] {
    const toolCallId = callId(agent, call.id);
    this.#calls.add(toolCallId);
    const end = { type: "TOOL_CALL_END", toolCallId };
    if (isStreamed) return [end];
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName: call.name, ...withinOf(agent, within) },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(call.arguments ?? {}) },
      end,
    ];
  }

  #result({ toolCallId: id, output, isError, status }: ToolResult, agent: ShownAgent): AgUiEvent[] {
    const toolCallId = callId(agent, id);
    if (this.#results.has(toolCallId)) return [];
    this.#results.add(toolCallId);
    const messageId = `result-${toolCallId}`;
    const metadata = { status, isError };
    const content = typeof output === "string" ? output : output.map(contentPart);
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool", metadata }];
  }

  #compaction({ stage, beforeTokens, afterTokens }: CompactionReport, { runId }: ShownAgent): AgUiEvent[] {
    const messageId = `compaction-${runId}-${++this.#compactions}`;
    const content = { stage, beforeTokens, afterTokens };
    return [{ type: "ACTIVITY_SNAPSHOT", messageId, activityType: "compaction", content }];
  }

  async #outcome(status: EventOf<"run-end">["status"]): Promise<object> {
    if (status === "aborted") return { type: "cancelled" };
    if (status !== "needs-approval") return { type: "success" };
    const questions = await this.fold.unanswered(this.run);
    return { type: "interrupt", interrupts: questions.map(interruptOf) };
  }
}

/** The fields that mark the events of a sub-agent. */
function tagOf({ isRoot, runId }: ShownAgent): object {
  return isRoot ? {} : { subagentRunId: runId };
}

/** Sub-agents count their calls apart from the main agent's and each other's. */
function callId({ isRoot, runId }: ShownAgent, id: string): string {
  return isRoot ? id : `${runId}:${id}`;
}

/** The call whose tool makes this one, in the call's metadata: the message that AG-UI calls its parent is another thing. */
function withinOf(agent: ShownAgent, within: string | undefined): object {
  return within === undefined ? {} : { metadata: { within: callId(agent, within) } };
}

function messageId({ runId }: ShownAgent, { number }: ShownPart): string {
  return `${runId}-${number}`;
}

const PART_CONTENT = { text: "TEXT_MESSAGE_CONTENT", reasoning: "REASONING_MESSAGE_CONTENT" };

function startPart(part: ShownPart, agent: ShownAgent): AgUiEvent[] {
  const message = { messageId: messageId(agent, part) };
  if (part.type === "text") return [{ type: "TEXT_MESSAGE_START", ...message, role: "assistant" }];
  return [
    { type: "REASONING_START", ...message },
    { type: "REASONING_MESSAGE_START", ...message, role: "reasoning" },
  ];
}

function endPart(part: ShownPart, agent: ShownAgent): AgUiEvent[] {
  const message = { messageId: messageId(agent, part) };
  if (part.type === "text") return [{ type: "TEXT_MESSAGE_END", ...message }];
  return [
    { type: "REASONING_MESSAGE_END", ...message },
    { type: "REASONING_END", ...message },
  ];
}

function custom(name: string, value: unknown): AgUiEvent[] {
  return [{ type: "CUSTOM", name, value }];
}

function subagentEnded(
  { runId, status, error, agentPath }: EventOf<"run-end">,
  asked: ReadonlyMap<string, PendingRequest>,
): AgUiEvent {
  const subagentRunId = runId;
  if (status === "needs-approval") {
    const path = agentPath.join("\n");
    const interruptIds = [...asked.values()].filter((one) => one.agentPath.join("\n") === path).map(({ id }) => id);
    return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "suspended", interruptIds } };
  }
  if (status === "completed") return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" } };
  const { code, message } = error
    ? describeError(error)
    : { code: status, message: `The sub-agent ended as ${status}.` };
  return { type: "SUBAGENT_ERROR", subagentRunId, message, code };
}

export function contentPart(part: Exclude<ToolResult["output"], string>[number]): object {
  if (part.type === "text") return part;
  const source = { type: "data", value: part.data, mimeType: part.mediaType };
  return { type: part.type === "image" ? "image" : "document", source };
}

function tokenUsage({ inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens }: Usage): object {
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cacheReadTokens !== undefined && { cachedInputTokens: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteInputTokens: cacheWriteTokens }),
  };
}

/** The values with which `resume` of the next request may answer an approval. */
const APPROVAL_SCHEMA = {
  type: "object",
  properties: { approved: { type: "boolean" }, reason: { type: "string" }, editedArgs: { type: "object" } },
  required: ["approved"],
};

function interruptOf(request: PendingRequest): object {
  const { id, kind, reason, toolCallId, tool, within, input, agentPath, expiresAt, suggestions } = request;
  return {
    id,
    reason: kind === "approval" ? "tool_call" : "input_required",
    message: reason,
    // A sub-agent's call has an id of its own here, which its question does not know.
    ...(agentPath.length === 0 && { toolCallId }),
    ...(kind === "approval" && { responseSchema: APPROVAL_SCHEMA }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { kind, tool, input, agentPath, suggestions, ...(within && { within }) },
  };
}
