// One run of a session, as the events that a view would have seen: for clients whose events are gone.
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventBase } from "../../contracts/event.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { storedDescription } from "../../engine/transcript/describe-call.js";
import type { SessionSnapshotEvent } from "../run-source.js";

/** The run's messages, calls, results and questions, in order; the calls that tools have made among them. */
export function eventsOfSession({ runId, sessionId, entries, nested = [], seq }: SessionSnapshotEvent): EngineEvent[] {
  const events: EngineEvent[] = [];
  const reader = new StoredEvents(sessionId, seq);
  let at = 0;
  const keep = (read: readonly EngineEvent[]) => {
    if (reader.runId === runId) events.push(...read.filter(({ type }) => type !== "usage" && type !== "run-end"));
  };
  for (const entry of entries) {
    keep(reader.read(entry));
    for (; nested[at]?.after === entry.id; at++) keep(reader.readInner(nested[at]!.entry, nested[at]!.within));
  }
  return events;
}

/** A question; `via`: a sub-agent's, that works for this call. */
interface Asked {
  readonly request: PendingRequest;
  readonly via: string | undefined;
  answer?: Answer;
}

const NOT_ANSWERED = "It was not answered.";

/** Makes the events of entries in order. A run that goes on with earlier calls enters each of them again. */
export class StoredEvents {
  readonly #calls = new Map<string, { readonly call: ToolCall; readonly within?: string }>();
  /** By their ids, without those of sub-agents whose calls have been ended. */
  readonly #asked = new Map<string, Asked>();
  runId = "";
  #entered = new Set<string>();

  constructor(
    private readonly sessionId: string,
    private readonly seq = 0,
  ) {}

  read(entry: SessionEntry): EngineEvent[] {
    const { runId, turn, at } = entry;
    if (runId !== this.runId) this.#entered = new Set();
    this.runId = runId;
    const { sessionId, seq } = this;
    const base: EventBase = { runId, sessionId, turn, agentPath: [], at, seq };
    switch (entry.type) {
      case "pending": {
        const { request, via } = entry;
        const { agentPath, toolCallId: id, tool: name, input } = request;
        this.#asked.set(request.id, { request, via });
        if (agentPath.length === 0) return [...this.#enter(base, id), ...eventsOfEntry(entry, base)];
        const child = baseOf(base, request);
        const call = { id, name, arguments: input };
        return [{ ...child, type: "tool-call-start", call }, ...eventsOfEntry(entry, child)];
      }
      case "answer": {
        const { answer } = entry;
        const asked = this.#asked.get(answer.id);
        if (!asked) return [];
        asked.answer = answer;
        return [answered(base, asked.request, answer)];
      }
      case "tool-result": {
        const { toolCallId } = entry.result;
        const below = this.#endBelow(base, ({ via }) => via === toolCallId);
        return [...this.#enter(base, toolCallId), ...below, ...eventsOfEntry(entry, base)];
      }
      case "run-end": {
        const { usage, status } = entry;
        // A run that has not called its model tells nothing of its usage.
        const used = usage.inputTokens + usage.outputTokens > 0;
        return [
          ...this.#endBelow(base, ({ answer }) => answer !== undefined),
          ...(used ? [{ ...base, type: "usage", usage, costUsd: null } as const] : []),
          { ...base, type: "run-end", status },
        ];
      }
      default: {
        const events = eventsOfEntry(entry, base);
        for (const event of events) if (event.type === "tool-call-start") this.#keep(event.call);
        return events;
      }
    }
  }

  /** An entry of the calls that the tool of a call has made, in the run that is being read. */
  readInner(entry: SessionEntry, within: string): EngineEvent[] {
    const { runId, sessionId, seq } = this;
    const base: EventBase = { runId, sessionId, turn: entry.turn, agentPath: [], at: entry.at, seq, within };
    const before = this.#enter(base, within);
    if (entry.type === "tool-result")
      return [...before, ...this.#enter(base, entry.result.toolCallId), ...eventsOfEntry(entry, base)];
    const calls = eventsOfEntry(entry, base).flatMap((event) => (event.type === "tool-call-start" ? [event] : []));
    for (const { call } of calls) this.#keep(call, within);
    return [...before, ...calls];
  }

  /** Ends the calls of sub-agents of which nothing more is said here. One that was not answered is denied. */
  #endBelow(base: EventBase, isOver: (asked: Asked) => boolean): EngineEvent[] {
    const over = [...this.#asked.values()].filter((one) => one.request.agentPath.length > 0 && isOver(one));
    return over.flatMap(({ request, answer = { id: request.id, decision: "deny", reason: NOT_ANSWERED } }) => {
      const { id, toolCallId, tool: name } = request;
      this.#asked.delete(id);
      const isError = "decision" in answer && answer.decision === "deny";
      const end = isError
        ? ({ output: answer.reason ?? "It was denied.", status: "denied" } as const)
        : ({ output: "The outcome is in the sub-agent's session.", status: "unknown" } as const);
      const result = { toolCallId, name, ...end, isError, durationMs: 0 };
      return [answered(base, request, answer), { ...baseOf(base, request), type: "tool-call-end", result }];
    });
  }

  #keep(call: ToolCall, within?: string): void {
    this.#calls.set(call.id, { call, ...(within !== undefined && { within }) });
    this.#entered.add(call.id);
  }

  #enter({ within: _, ...base }: EventBase, id: string): EngineEvent[] {
    const known = this.#entered.has(id) ? undefined : this.#calls.get(id);
    if (!known) return [];
    this.#entered.add(id);
    const before = known.within === undefined ? [] : this.#enter(base, known.within);
    return [...before, { ...base, type: "tool-call-start", ...known }];
  }
}

/** A sub-agent asks in a run of its own, which only its question names. */
function baseOf(base: EventBase, { agentPath, id }: PendingRequest): EventBase {
  return agentPath.length === 0 ? base : { ...base, agentPath, runId: id };
}

function answered(base: EventBase, request: PendingRequest, answer: Answer): EngineEvent {
  return { ...baseOf(base, request), type: "approval-answered", request, answer };
}

export function eventsOfEntry(entry: SessionEntry, base: EventBase): EngineEvent[] {
  switch (entry.type) {
    case "message": {
      const { message, descriptions } = entry;
      if (message.role !== "assistant") return [];
      const parts = message.content.map((part): EngineEvent => {
        if (part.type === "reasoning" && part.serverTool) return { ...base, type: "server-tool", use: part.serverTool };
        if (part.type === "text") return { ...base, type: "text-delta", text: part.text };
        if (part.type === "reasoning") return { ...base, type: "reasoning-delta", text: part.text };
        if (part.type !== "tool-call") return { ...base, type: "media", part };
        const { id, name, arguments: args } = part;
        const description = storedDescription(descriptions, id);
        const call = { id, name, arguments: args };
        return { ...base, type: "tool-call-start", call, ...(description && { description }) };
      });
      return [{ ...base, type: "turn-start" }, ...parts];
    }
    case "tool-result":
      return [{ ...base, type: "tool-call-end", result: entry.result }];
    case "pending":
      return [{ ...base, type: "approval-requested", request: entry.request }];
    case "view-edit":
      return [{ ...base, type: "compaction", report: entry.report }];
    default:
      return [];
  }
}
