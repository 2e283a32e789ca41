// One tool call in a session of its own. Made again after a crash or with an answer, it goes on where its session stands:
// a result is not made twice, a question is answered, and a call that had begun is what its tool says of such calls.
import type { PendingRequest } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { madeFrom } from "../../engine/made-from.js";
import { toolCallsOf } from "../../engine/transcript/message-shape.js";
import { HOST_AUTHOR } from "../../engine/transcript/transcript.js";
import { isObject } from "../../json/is-object.js";
import { useSkill } from "../skill-choice.js";
import type { Work } from "../work.js";

export type CallEnd =
  | { readonly kind: "result"; readonly result: ToolResult; readonly call: ToolCall }
  | { readonly kind: "waiting"; readonly requests: readonly PendingRequest[] };

/**
 * Makes a call, or goes on with the one that the session has. `mayExist`: an earlier process may have begun it.
 * `from`: the sessions that it was made from. `mayHaveRun`: the same call has ended in another session, and how is not known.
 */
export async function makeCall(
  work: Work,
  sessionId: string,
  wanted: ToolCall,
  mayExist: boolean,
  from: readonly string[],
  mayHaveRun = false,
): Promise<CallEnd> {
  const { engine, signal, context, answers } = work;
  const recorded = mayExist ? await recordedCall(work, sessionId) : null;
  if (recorded?.result) return { kind: "result", result: recorded.result, call: recorded.call };
  const call = recorded?.call ?? wanted;
  useSkill(work, sessionId);
  const options = { sessionId, signal, context, suspend: true, mayHaveRun, answers };
  const result = await engine.execute(call, await madeFrom(work.parts.config, from, options));
  const { pending } = Object(result.details) as { readonly pending?: readonly PendingRequest[] };
  if (result.status === "denied" && Array.isArray(pending)) return { kind: "waiting", requests: pending };
  return { kind: "result", result, call };
}

interface RecordedCall {
  readonly call: ToolCall;
  readonly result: ToolResult | null;
}

async function recordedCall({ parts }: Work, sessionId: string): Promise<RecordedCall | null> {
  let found: { call: ToolCall; result: ToolResult | null } | null = null;
  for await (const entry of parts.config.store.read(sessionId)) {
    const call = hostCall(entry);
    if (call) found = { call, result: null };
    else if (entry.type === "tool-result" && found?.call.id === entry.result.toolCallId) found.result = entry.result;
  }
  return found;
}

function hostCall(entry: SessionEntry): ToolCall | undefined {
  if (entry.type !== "message" || entry.message.role !== "assistant") return undefined;
  if (entry.message.provider !== HOST_AUTHOR.provider) return undefined;
  const [call] = toolCallsOf(entry.message);
  return call && { id: call.id, name: call.name, arguments: call.arguments };
}

/** Whether a call has no result of its own: its process, or its run, has ended first. */
export function wasCutOff({ status }: Pick<ToolResult, "status">): boolean {
  return status === "unknown" || status === "aborted";
}

/** The output as text; what is not text is named. */
export function finalTextOf({ output }: Pick<ToolResult, "output">): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.type}: ${part.mediaType}]`)).join("\n");
}

export function detailOf(details: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(details) ? details[name] : undefined;
}
