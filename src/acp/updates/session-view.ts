/*
 * The events of a session's runs as updates of the protocol. A function of the events alone, apart from what it has shown: calls
 * that are open, so that a call is announced before anything is said of it and ends in one state.
 *
 * Calls of sub-agents are calls of their own, under ids that cannot meet the main agent's. What a repeated model call voids
 * cannot be taken back in an editor: its calls end as failed, and the text is marked.
 */
import { randomUUID } from "node:crypto";
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { lastCharacters } from "../../text/cut.js";
import { bareCall, endOfCall, serverToolUpdate } from "./call-end.js";
import { type EditorCall, lookOf, writtenBy } from "./call-look.js";
import { type CallPlace, inPlace } from "./call-place.js";
import { editorBlock } from "./editor-block.js";
import { planEntries } from "./plan-entries.js";
import { fenced, textContent } from "./result-content.js";

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The content that was shown before it ran: its diffs. */
  readonly content: readonly ToolCallContent[];
  terminalId: string | undefined;
  /** The newest output of a running command. */
  output: string;
  isRunning: boolean;
}

export interface ViewOptions {
  readonly cwd: string;
  /** Tokens the model takes; `undefined` when that is not known, and then usage is not shown. */
  contextWindow(): number | undefined;
  /** The text of a file that is about to be written; `null`: no such file, or nobody knows. */
  textOf(path: string): Promise<string | null>;
  readonly showsNotices: boolean;
  readonly showsCompaction: boolean;
}

const MAX_LIVE_OUTPUT = 8_000;
const RESTARTED = "\n\n*The connection to the model broke. Trying again.*\n\n";

export class SessionView {
  readonly #calls = new Map<string, OpenCall>();
  /** The id that a question's call was shown under, by the request's id: a resumed sub-agent has another run id. */
  readonly #asked = new Map<string, string>();
  /** The present ids of calls of resumed sub-agents, and the id each is shown under. */
  readonly #renamed = new Map<string, string>();
  #messageId = "";
  #hasText = false;
  #usedTokens = 0;
  #costOfRun: number | null = 0;
  #costBefore: number | null = 0;

  constructor(private readonly options: ViewOptions) {}

  async updatesOf(event: EngineEvent): Promise<SessionUpdate[]> {
    const isRoot = event.agentPath.length === 0;
    switch (event.type) {
      case "model-call-start":
        if (isRoot) this.#beginMessage();
        return [];
      case "text-delta":
        return isRoot ? [this.#chunk("agent_message_chunk", event.text)] : [];
      case "reasoning-delta":
        return isRoot ? [this.#chunk("agent_thought_chunk", event.text)] : [];
      case "media":
        return isRoot ? [this.#media(event)] : [];
      case "server-tool":
        return [serverToolUpdate(this.#idOf(event, event.use.id), event.use)];
      case "model-restart":
        return isRoot ? this.#restart() : [];
      case "model-call-end":
        if (isRoot) this.#usedTokens = event.usage.inputTokens + event.usage.outputTokens;
        return [];
      case "tool-call-start":
        return this.#announceStart(event);
      case "permission-decision":
        return event.decision.behavior === "allow" ? this.#running(this.#idOf(event, event.toolCallId)) : [];
      case "approval-requested":
        this.#asked.set(event.request.id, this.#idOf(event, event.request.toolCallId));
        return [];
      case "approval-answered":
        return this.#answered(event);
      case "tool-progress":
        return this.#progress(this.#idOf(event, event.toolCallId), event.update, isRoot);
      case "tool-call-end":
        return this.#ended(this.#idOf(event, event.result.toolCallId), event.result, isRoot);
      case "usage":
        return isRoot ? this.#usage(event) : [];
      case "notice":
        return this.options.showsNotices ? [noticeUpdate(event)] : [];
      case "compaction":
        return this.options.showsCompaction && isRoot ? [compactionUpdate()] : [];
      default:
        return [];
    }
  }

  /** The call that a question is about, shown as it was before, or now. */
  async callOf(request: PendingRequest): Promise<{ readonly id: string; readonly updates: SessionUpdate[] }> {
    const isRoot = request.agentPath.length === 0;
    const known = this.#asked.get(request.id);
    const id = known ?? (isRoot ? request.toolCallId : request.id);
    this.#asked.set(request.id, id);
    if (this.#calls.has(id)) return { id, updates: [] };
    const { tool: name, input, description, agentPath } = request;
    const place = { agentPath, within: isRoot ? request.within?.toolCallId : undefined };
    return { id, updates: await this.#announce(id, { name, input, description }, place) };
  }

  /** The content that is shown of an open call. */
  contentOf(id: string): ToolCallContent[] {
    return [...(this.#calls.get(id)?.content ?? [])];
  }

  #announceStart(event: EventOf<"tool-call-start">): Promise<SessionUpdate[]> {
    const { call, target = call, description, agentPath } = event;
    const { name, arguments: input } = target;
    const within = event.within === undefined ? undefined : this.#idOf(event, event.within);
    const place = { agentPath, within };
    return this.#announce(this.#idOf(event, call.id), { name, input, description }, place, target.malformed);
  }

  /** Shows a call, or shows it again under the same id. */
  async #announce(id: string, call: EditorCall, place: CallPlace, malformed?: string): Promise<SessionUpdate[]> {
    const { name, input } = call;
    const isKnown = this.#calls.has(id);
    const path = writtenBy(call);
    const previous = path === undefined ? null : await this.options.textOf(path);
    const look = lookOf(call, this.options.cwd, previous);
    const open = { id, name, input, content: look.content, terminalId: undefined, output: "", isRunning: false };
    if (!isKnown) this.#calls.set(id, open);
    const fields = { ...look, toolCallId: id, name, rawInput: malformed ?? input, ...inPlace(look.title, place) };
    if (isKnown) return [{ sessionUpdate: "tool_call_update", ...fields }];
    return [{ sessionUpdate: "tool_call", status: "pending", ...fields }];
  }

  /** A command of this call runs in a terminal of the editor. The call that waits longest with this command is meant. */
  terminalOf(command: string, terminalId: string): SessionUpdate[] {
    for (const call of this.#calls.values()) {
      if (call.terminalId !== undefined || Object(call.input).command !== command) continue;
      call.terminalId = terminalId;
      const content: ToolCallContent[] = [{ type: "terminal", terminalId }];
      return [{ sessionUpdate: "tool_call_update", toolCallId: call.id, status: "in_progress", content }];
    }
    return [];
  }

  /** A prompt is over: calls that are still shown as open have come to nothing. */
  close(): SessionUpdate[] {
    this.#asked.clear();
    this.#renamed.clear();
    this.#costBefore = sum(this.#costBefore, this.#costOfRun);
    this.#costOfRun = 0;
    return [...this.#calls.keys()].flatMap((id) => this.#fail(id));
  }

  #idOf({ agentPath, runId }: Pick<EngineEvent, "agentPath" | "runId">, toolCallId: string): string {
    if (agentPath.length === 0) return toolCallId;
    return this.#renamed.get(`${runId}/${toolCallId}`) ?? `${runId}/${toolCallId}`;
  }

  #beginMessage(): void {
    this.#messageId = randomUUID();
    this.#hasText = false;
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate {
    this.#hasText ||= sessionUpdate === "agent_message_chunk";
    if (this.#messageId === "") this.#beginMessage();
    return { sessionUpdate, messageId: this.#messageId, content: { type: "text", text } };
  }

  #media({ part }: EventOf<"media">): SessionUpdate {
    if (this.#messageId === "") this.#beginMessage();
    this.#hasText = true;
    return { sessionUpdate: "agent_message_chunk", messageId: this.#messageId, content: editorBlock(part) };
  }

  #restart(): SessionUpdate[] {
    return this.#hasText ? [this.#chunk("agent_message_chunk", RESTARTED)] : [];
  }

  #running(id: string): SessionUpdate[] {
    const call = this.#calls.get(id);
    if (!call || call.isRunning) return [];
    call.isRunning = true;
    return [{ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress" }];
  }

  #answered({ request, answer, runId, agentPath }: EventOf<"approval-answered">): SessionUpdate[] {
    const id = this.#asked.get(request.id);
    if (id === undefined) return [];
    if (agentPath.length > 0) this.#renamed.set(`${runId}/${request.toolCallId}`, id);
    return "value" in answer || answer.decision === "allow" ? this.#running(id) : [];
  }

  #progress(id: string, update: JsonValue, isRoot: boolean): SessionUpdate[] {
    const call = this.#calls.get(id);
    if (!call) return [];
    const { output } = Object(update) as { output?: unknown };
    if (call.name === "todo_write") return isRoot ? planUpdates(update) : [];
    if (call.terminalId !== undefined) return [];
    const text = typeof output === "string" ? output : typeof update === "string" ? `${update}\n` : undefined;
    if (text === undefined) return [];
    call.output = lastCharacters(call.output + text, MAX_LIVE_OUTPUT);
    const content = [textContent(fenced(call.output))];
    return [{ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress", content }];
  }

  #ended(id: string, result: ToolResult, isRoot: boolean): SessionUpdate[] {
    const call = this.#calls.get(id);
    const before: SessionUpdate[] = call ? [] : [bareCall(id, result.name)];
    this.#calls.delete(id);
    const plan = isRoot && result.name === "todo_write" && !result.isError ? planUpdates(result.details) : [];
    return [...before, ...plan, endOfCall(id, result, call)];
  }

  #fail(id: string): SessionUpdate[] {
    this.#calls.delete(id);
    return [{ sessionUpdate: "tool_call_update", toolCallId: id, status: "failed" }];
  }

  #usage({ costUsd }: EventOf<"usage">): SessionUpdate[] {
    this.#costOfRun = costUsd;
    const size = this.options.contextWindow();
    if (size === undefined || this.#usedTokens === 0) return [];
    const amount = sum(this.#costBefore, costUsd);
    const cost = amount === null ? {} : { cost: { amount, currency: "USD" } };
    return [{ sessionUpdate: "usage_update", used: this.#usedTokens, size, ...cost }];
  }
}

function planUpdates(from: unknown): SessionUpdate[] {
  const entries = planEntries(from);
  return entries ? [{ sessionUpdate: "plan", entries }] : [];
}

function noticeUpdate({ code, message }: EventOf<"notice">): SessionUpdate {
  return { sessionUpdate: "notice", severity: "warning", title: code, description: message };
}

function compactionUpdate(): SessionUpdate {
  return { sessionUpdate: "compaction_update", compactionId: randomUUID(), status: "completed" };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
