// The record of each event: who decided what, by which rule, and what came of it.

import type { Answer } from "../contracts/approval.js";
import type { EngineEvent, EventType } from "../contracts/event.js";
import type { JsonValue } from "../contracts/json.js";
import type { Label } from "../contracts/label.js";
import type { PermissionDecision } from "../contracts/permission.js";
import type { ContentWriter } from "./audit-content.js";

/** The events that decide or do something. Deltas and progress are not among them. */
export const AUDITED = [
  "run-start",
  "model-call-end",
  "model-restart",
  "tool-call-start",
  "permission-decision",
  "approval-requested",
  "approval-answered",
  "hook-outcome",
  "tool-call-end",
  "server-tool",
  "compaction",
  "epoch",
  "notice",
  "run-end",
] as const satisfies readonly EventType[];

/** The type of a record: that of the event it was made of. */
export type AuditedType = (typeof AUDITED)[number];

/** An event that leaves a record. */
export type AuditableEvent = Extract<EngineEvent, { type: AuditedType }>;

/**
 * A record as JSON, without its last brace: the chain's hash is still to come.
 *
 * It is written out field by field. An object for each record, to be turned into JSON afterwards, takes three times as long.
 */
export function auditRecordOf(event: AuditableEvent, seq: number, content: ContentWriter): string {
  const { at, type, sessionId, runId, turn, agentPath } = event;
  const base = new Fields(`{"v":1,"seq":${seq}`, content);
  base.value("at", at).value("type", type).value("sessionId", sessionId).value("runId", runId).value("turn", turn);
  writeEvent(event, base.value("agentPath", agentPath as string[]).value("within", event.within));
  return base.json;
}

/** The fields of a record, as they grow. What is absent is left out. */
class Fields {
  constructor(
    public json: string,
    readonly writer: ContentWriter,
  ) {}

  value(name: string, value: JsonValue | readonly string[] | undefined): this {
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json !== undefined) this.json += `,"${name}":${json}`;
    return this;
  }

  /** A text of the engine's, rules' or host's: secrets are taken out. */
  text(name: string, text: string | undefined): this {
    if (text !== undefined) this.json += `,"${name}":${this.writer.clean(text)}`;
    return this;
  }

  /** The content that the model, a tool or a human gave. */
  content(name: string, content: JsonValue | undefined): this {
    this.json += this.writer.describe(name, content);
    return this;
  }
}

/** Whether a result is trusted, and where it comes from; a command line and the path of a file are content, so of those the kind alone. */
function writeLabel({ integrity, sources }: Label, record: Fields): void {
  const from = sources.map(({ kind, name }) => (kind === "command" || kind === "workspace" ? kind : `${kind}:${name}`));
  record.value("integrity", integrity).text("from", from.join(", "));
}

/** Adds what this event has beside what all of them have. */
function writeEvent(event: AuditableEvent, record: Fields): void {
  switch (event.type) {
    case "run-start":
      record.value("resumed", event.resumed);
      return;
    case "model-call-end":
      record.value("finishReason", event.finishReason).value("usage", event.usage as unknown as JsonValue);
      record.value("costUsd", event.costUsd);
      return;
    case "model-restart":
      record.value("attempt", event.attempt).value("code", event.error.code);
      return;
    case "tool-call-start": {
      const { call, target = call } = event;
      record.value("toolCallId", call.id).text("tool", target.name);
      if (target !== call) record.text("via", call.name);
      record.content("input", call.malformed ?? target.arguments);
      return;
    }
    case "permission-decision": {
      const { behavior, reason, rule, source } = event.decision;
      record.value("toolCallId", event.toolCallId).text("tool", event.tool).content("input", event.input);
      record.value("behavior", behavior).value("mode", event.mode).text("reason", reason);
      if (rule) writeRule(rule, record);
      record.value("source", source ?? rule?.source).text("by", event.by);
      return;
    }
    case "approval-requested": {
      const { id, kind, toolCallId, tool, input, digest, reason, expiresAt } = event.request;
      record.value("requestId", id).value("kind", kind).value("toolCallId", toolCallId).text("tool", tool);
      record.content("input", input).value("digest", digest).text("reason", reason).value("expiresAt", expiresAt);
      return;
    }
    case "approval-answered": {
      const { id, kind, toolCallId, tool } = event.request;
      record.value("requestId", id).value("kind", kind).value("toolCallId", toolCallId).text("tool", tool);
      writeAnswer(event.answer, record);
      return;
    }
    case "hook-outcome":
      record.value("point", event.point).value("outcome", event.outcome).value("toolCallId", event.toolCallId);
      record.value("durationMs", event.durationMs).text("reason", event.reason);
      return;
    case "tool-call-end": {
      const { toolCallId, name, status, isError, durationMs, output, details, artifact } = event.result;
      const code = (details as { code?: JsonValue } | null | undefined)?.code;
      record.value("toolCallId", toolCallId).text("tool", event.target ?? name);
      if (event.target !== undefined) record.text("via", name);
      record.value("status", status).value("isError", isError).value("durationMs", durationMs);
      record.content("output", output as JsonValue).text("code", typeof code === "string" ? code : undefined);
      record.value("artifact", artifact?.id);
      if (event.label) writeLabel(event.label, record);
      return;
    }
    case "server-tool": {
      const { id, name, input, output, isError } = event.use;
      record.value("toolCallId", id).text("tool", name);
      if (input !== undefined) record.content("input", input);
      if (output !== undefined) record.content("output", output).value("isError", isError === true);
      return;
    }
    case "compaction":
      record.value("report", event.report as unknown as JsonValue);
      return;
    case "epoch":
      record.value("cause", event.cause);
      return;
    case "notice":
      record.value("code", event.code).text("message", event.message);
      return;
    case "run-end":
      record.value("status", event.status).value("code", event.error?.code);
  }
}

function writeRule(rule: NonNullable<PermissionDecision["rule"]>, record: Fields): void {
  const fields = new Fields("", record.writer);
  fields.text("rule", rule.rule).value("behavior", rule.behavior).value("source", rule.source);
  record.json += `,"rule":{${fields.json.slice(1)}}`;
}

/** The answer and who gave it. A value is content, as an input is. */
function writeAnswer(answer: Answer, record: Fields): void {
  record.text("by", answer.by);
  if (!("decision" in answer)) {
    record.content("value", answer.value);
    return;
  }
  const { decision, reason, updatedInput, remember = [] } = answer;
  record.value("decision", decision).text("reason", reason);
  if (updatedInput !== undefined) record.content("updatedInput", updatedInput);
  if (remember.length > 0) record.text("remember", JSON.stringify(remember));
}
