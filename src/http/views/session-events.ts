// One run of a session, as the events that a view would have seen: for clients whose events are gone.

import type { EngineEvent, EventBase } from "../../contracts/event.js";
import type { SessionEntry } from "../../contracts/session.js";
import { storedDescription } from "../../engine/transcript/describe-call.js";
import type { SessionSnapshotEvent } from "../run-source.js";

/** The run's messages, calls, results and questions, in order. */
export function eventsOfSession({ runId, sessionId, entries, seq }: SessionSnapshotEvent): EngineEvent[] {
  const events: EngineEvent[] = [];
  for (const entry of entries) {
    if (entry.runId !== runId) continue;
    const base: EventBase = { runId, sessionId, turn: entry.turn, agentPath: [], at: entry.at, seq };
    events.push(...eventsOfEntry(entry, base));
  }
  return events;
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
