// What the trail says of each event: who decided what, by which rule, and what came of it.

import type { Answer } from "../contracts/approval.js";
import type { EngineEvent, EventType } from "../contracts/event.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";

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
  "compaction",
  "epoch",
  "notice",
  "run-end",
] as const satisfies readonly EventType[];

export type AuditedType = (typeof AUDITED)[number];

/** How content is written down. */
export interface ContentWriter {
  /** What represents a content under this name: its digest and length, or the content itself without secrets. */
  describe(name: string, content: JsonValue): JsonObject;
  /** A short text of the engine's, rules' or host's, without secrets. */
  clean(text: string): string;
}

/** The fields of a record beside sequence, hash and base. */
export function auditRecordOf(event: Extract<EngineEvent, { type: AuditedType }>, content: ContentWriter): JsonObject {
  const { clean, describe } = content;
  switch (event.type) {
    case "run-start":
      return { resumed: event.resumed };
    case "model-call-end":
      return { finishReason: event.finishReason, usage: { ...event.usage }, costUsd: event.costUsd };
    case "model-restart":
      return { attempt: event.attempt, code: event.error.code };
    case "tool-call-start": {
      const { call, target = call } = event;
      return withoutAbsent({
        toolCallId: call.id,
        tool: clean(target.name),
        via: target === call ? undefined : clean(call.name),
        ...describe("input", call.malformed ?? target.arguments),
      });
    }
    case "permission-decision": {
      const { behavior, reason, rule, source } = event.decision;
      return withoutAbsent({
        toolCallId: event.toolCallId,
        tool: clean(event.tool),
        ...describe("input", event.input),
        behavior,
        mode: event.mode,
        reason: reason === undefined ? undefined : clean(reason),
        rule: rule && { rule: clean(rule.rule), behavior: rule.behavior, source: rule.source },
        source: source ?? rule?.source,
        by: event.by === undefined ? undefined : clean(event.by),
      });
    }
    case "approval-requested": {
      const { id, kind, toolCallId, tool, input, digest, reason, expiresAt } = event.request;
      const about = { requestId: id, kind, toolCallId, tool: clean(tool), ...describe("input", input), digest };
      return withoutAbsent({ ...about, reason: clean(reason), expiresAt });
    }
    case "approval-answered": {
      const { id, kind, toolCallId, tool } = event.request;
      return withoutAbsent({ requestId: id, kind, toolCallId, tool: clean(tool), ...answerOf(event.answer, content) });
    }
    case "hook-outcome":
      return withoutAbsent({
        point: event.point,
        outcome: event.outcome,
        toolCallId: event.toolCallId,
        durationMs: event.durationMs,
        reason: event.reason === undefined ? undefined : clean(event.reason),
      });
    case "tool-call-end": {
      const { toolCallId, name, status, isError, durationMs, output, details, artifact } = event.result;
      const code = (details as { code?: JsonValue } | null | undefined)?.code;
      const about = {
        toolCallId,
        tool: clean(event.target ?? name),
        via: event.target === undefined ? undefined : clean(name),
        status,
        isError,
        durationMs,
        ...describe("output", output as JsonValue),
      };
      return withoutAbsent({
        ...about,
        code: typeof code === "string" ? clean(code) : undefined,
        artifact: artifact?.id,
      });
    }
    case "compaction":
      return { report: event.report as unknown as JsonValue };
    case "epoch":
      return { cause: event.cause };
    case "notice":
      return { code: event.code, message: clean(event.message) };
    case "run-end":
      return withoutAbsent({ status: event.status, code: event.error?.code });
  }
}

/** Who answered what. A value is content, as an input is. */
function answerOf(answer: Answer, { clean, describe }: ContentWriter): { [name: string]: JsonValue | undefined } {
  const by = answer.by === undefined ? undefined : clean(answer.by);
  if (!("decision" in answer)) return { by, ...describe("value", answer.value) };
  const { decision, reason, updatedInput, remember = [] } = answer;
  return {
    by,
    decision,
    reason: reason === undefined ? undefined : clean(reason),
    ...(updatedInput !== undefined && describe("updatedInput", updatedInput)),
    remember: remember.length > 0 ? clean(JSON.stringify(remember)) : undefined,
  };
}

function withoutAbsent(fields: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const present: { [name: string]: JsonValue } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}
