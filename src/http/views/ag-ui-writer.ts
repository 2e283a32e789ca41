// AG-UI events of a run. The client checks their order, so everything that begins is ended before the run is.
//
// A resumed run enters earlier calls again. The client has them in its messages: only their results are news.
import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { type EventWriter, serverSentEvent } from "../byte-stream.js";
import { describeError } from "../describe-error.js";
import { isEngineEvent, isOfRoot, type RunSource, type RunStreamEvent } from "../run-source.js";
import { AgUiAgent, type AgUiEvent } from "./ag-ui-agent-state.js";
import { eventsOfSession } from "./session-events.js";
import { unansweredQuestions } from "./unanswered-questions.js";

export class AgUiWriter implements EventWriter {
  #threadId: string | undefined;
  #runId: string | undefined;
  #hasStarted = false;
  #hasEnded = false;
  #isResumed = false;
  #hasTurns = false;
  #usage: Usage | undefined;
  readonly #asked = new Map<string, PendingRequest>();
  /** By run id. The main agent is one of them. */
  readonly #agents = new Map<string, AgUiAgent>();
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();

  constructor(
    private readonly run: RunSource,
    { threadId, runId }: { readonly threadId?: string | undefined; readonly runId?: string | undefined },
  ) {
    this.#threadId = threadId;
    this.#runId = runId;
  }

  async event(event: RunStreamEvent): Promise<string> {
    return encode(await this.#events(event));
  }

  end(error?: unknown): string {
    if (this.#hasEnded) return "";
    const cause =
      error === undefined
        ? { code: "RUN_INCOMPLETE", message: "The events of the run ended early." }
        : describeError(error);
    return encode(this.#failed(cause));
  }

  async #events(event: RunStreamEvent): Promise<AgUiEvent[]> {
    if (this.#hasEnded) return [];
    if (event.type === "reset") return this.#hasStarted ? this.#failed(event) : [];
    if (event.type === "session") return eventsOfSession(event).flatMap((one) => this.#engineEvents(one));
    if (!isEngineEvent(event)) return [];
    if (event.type === "run-end" && isOfRoot(event)) return [...this.#start(event), ...(await this.#finish(event))];
    return this.#engineEvents(event);
  }

  #engineEvents(event: EngineEvent): AgUiEvent[] {
    if (event.type === "run-start" && isOfRoot(event)) this.#isResumed = event.resumed;
    return [...this.#start(event), ...this.#agentEvents(event)];
  }

  #start({ runId, sessionId }: EngineEvent): AgUiEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    this.#threadId ??= sessionId;
    this.#runId ??= this.run.id || runId;
    return [{ type: "RUN_STARTED", threadId: this.#threadId, runId: this.#runId }];
  }

  #agentEvents(event: EngineEvent): AgUiEvent[] {
    const known = this.#agents.get(event.runId);
    const agent = known ?? this.#newAgent(event);
    const started = known || isOfRoot(event) ? [] : [subagentStarted(event)];
    return [...started, ...this.#eventsOf(agent, event)];
  }

  #newAgent(event: EngineEvent): AgUiAgent {
    const agent = new AgUiAgent(event.runId, isOfRoot(event) ? {} : { subagentRunId: event.runId });
    this.#agents.set(event.runId, agent);
    return agent;
  }

  #eventsOf(agent: AgUiAgent, event: EngineEvent): AgUiEvent[] {
    switch (event.type) {
      case "turn-start":
        this.#hasTurns ||= isOfRoot(event);
        return agent.beginStep(event.turn);
      case "turn-end":
        return agent.endStep();
      case "text-delta":
        return agent.write("text", event.text);
      case "reasoning-delta":
        return agent.write("reasoning", event.text);
      case "media":
        return [
          ...agent.closeMessage(),
          { type: "CUSTOM", name: "media", value: contentPart(event.part), ...agent.tag },
        ];
      case "model-call-end":
        return agent.closeMessage();
      case "model-restart":
        return agent.restart();
      case "tool-input-delta":
        return this.#input(agent, event);
      case "tool-call-start":
        return this.#call(agent, event, event.call);
      case "tool-call-end":
        return this.#result(agent, event, event.result);
      case "tool-progress":
        return [{ type: "CUSTOM", name: "tool-progress", value: progressOf(event), ...agent.tag }];
      case "approval-requested":
        this.#asked.set(event.request.id, event.request);
        return [];
      case "approval-answered":
        this.#asked.delete(event.request.id);
        return [];
      case "notice":
        return [{ type: "CUSTOM", name: "notice", value: { code: event.code, message: event.message }, ...agent.tag }];
      case "usage":
        if (isOfRoot(event)) this.#usage = event.usage;
        return [];
      case "run-end":
        return [...agent.endStep(), subagentEnded(event, this.#asked)];
      default:
        return [];
    }
  }

  /** A piece of a call's arguments. */
  #input(agent: AgUiAgent, event: EventOf<"tool-input-delta">): AgUiEvent[] {
    const toolCallId = callId(event, event.toolCallId);
    if (this.#calls.has(toolCallId)) return [];
    return [...agent.closeMessage(), ...agent.writeInput(toolCallId, event.tool, event.json)];
  }

  #call(agent: AgUiAgent, event: EngineEvent, call: ToolCall): AgUiEvent[] {
    const before = agent.closeMessage();
    const toolCallId = callId(event, call.id);
    const isKnown = this.#calls.has(toolCallId) || (isOfRoot(event) && this.#isResumed && !this.#hasTurns);
    if (isKnown) return before;
    this.#calls.add(toolCallId);
    const ended = agent.endInput(toolCallId);
    if (ended.length > 0) return [...before, ...ended];
    return [
      ...before,
      { type: "TOOL_CALL_START", toolCallId, toolCallName: call.name, ...agent.tag },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(call.arguments ?? {}), ...agent.tag },
      { type: "TOOL_CALL_END", toolCallId, ...agent.tag },
    ];
  }

  #result(agent: AgUiAgent, event: EngineEvent, { toolCallId: id, output, isError, status }: ToolResult): AgUiEvent[] {
    const toolCallId = callId(event, id);
    if (this.#results.has(toolCallId)) return [];
    this.#results.add(toolCallId);
    const messageId = `result-${toolCallId}`;
    const metadata = { status, isError };
    const content = typeof output === "string" ? output : output.map(contentPart);
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool", metadata, ...agent.tag }];
  }

  async #finish({ status, error }: EventOf<"run-end">): Promise<AgUiEvent[]> {
    if (status === "failed" || status === "output-invalid")
      return this.#failed(error ? describeError(error) : { code: "INTERNAL", message: "The run failed." });
    const closed = this.#close();
    const outcome = await this.#outcome(status);
    this.#hasEnded = true;
    const usage = this.#usage && { usage: [tokenUsage(this.#usage)] };
    const ids = { threadId: this.#threadId, runId: this.#runId };
    return [...closed, { type: "RUN_FINISHED", ...ids, result: { status }, outcome, ...usage }];
  }

  async #outcome(status: EventOf<"run-end">["status"]): Promise<object> {
    if (status === "aborted") return { type: "cancelled" };
    if (status !== "needs-approval") return { type: "success" };
    const questions = await unansweredQuestions(this.run, this.#asked);
    return { type: "interrupt", interrupts: questions.map(interruptOf) };
  }

  #failed({ code, message }: { readonly code: string; readonly message: string }): AgUiEvent[] {
    const closed = this.#hasStarted ? this.#close() : [];
    this.#hasEnded = true;
    return [...closed, { type: "RUN_ERROR", message, code }];
  }

  #close(): AgUiEvent[] {
    return [...this.#agents.values()].flatMap((agent) => agent.endStep());
  }
}

function encode(events: readonly AgUiEvent[]): string {
  return events.map((event) => serverSentEvent(event)).join("");
}

/** Sub-agents count their calls apart from the main agent's and each other's. */
function callId(event: EngineEvent, id: string): string {
  return isOfRoot(event) ? id : `${event.runId}:${id}`;
}

function subagentStarted({ runId, agentPath }: EngineEvent): AgUiEvent {
  return { type: "SUBAGENT_STARTED", subagentRunId: runId, name: agentPath.at(-1) ?? "" };
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

function progressOf({ toolCallId, update }: EventOf<"tool-progress">): object {
  return { toolCallId, update };
}

function contentPart(part: Exclude<ToolResult["output"], string>[number]): object {
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
  const { id, kind, reason, toolCallId, tool, input, agentPath, expiresAt, suggestions } = request;
  return {
    id,
    reason: kind === "approval" ? "tool_call" : "input_required",
    message: reason,
    // A sub-agent's call has an id of its own here, which its question does not know.
    ...(agentPath.length === 0 && { toolCallId }),
    ...(kind === "approval" && { responseSchema: APPROVAL_SCHEMA }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { kind, tool, input, agentPath, suggestions },
  };
}
