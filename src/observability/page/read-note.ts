import { isObject } from "../../json/is-object.js";
import type { AuditRecord } from "../audit-chain.js";
import type { PageNote } from "./page-entry.js";
import type { PageText } from "./page-text.js";

/** The note of a page for an audit record; `null` for what the session itself says. */
export function noteOf(given: AuditRecord, text: PageText): PageNote | null {
  // It may have been read from a file by another program.
  const record = Object(given) as Partial<AuditRecord>;
  const { type, durationMs, rule } = record;
  const base = {
    at: Number(record.at) || 0,
    run: text.short(record.runId),
    turn: Number(record.turn) || 0,
    callId: text.short(record.toolCallId),
    tool: text.short(record.tool),
    reason: text.short(record.reason),
    by: text.short(record.by),
    durationMs: typeof durationMs === "number" ? durationMs : 0,
  };
  switch (type) {
    case "permission-decision": {
      const named = isObject(rule) ? rule : {};
      const about = [named.rule, named.source].filter((part) => part !== undefined).join(" · ");
      return { ...base, kind: "decision", outcome: text.short(record.behavior), about: text.short(about) };
    }
    case "hook-outcome":
      return { ...base, kind: "hook", outcome: text.short(record.outcome), about: text.short(record.point) };
    case "model-restart":
      return { ...base, kind: "restart", outcome: text.short(record.code), about: `attempt ${Number(record.attempt)}` };
    case "notice":
      return { ...base, kind: "notice", outcome: text.short(record.code), about: text.short(record.message) };
    default:
      return null;
  }
}
