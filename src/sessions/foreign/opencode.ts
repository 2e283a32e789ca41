// Sessions that `opencode export` writes: one JSON value with all messages and their parts.
import type { ContentPart } from "../../contracts/content.js";
import { type Fields, fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import {
  type ForeignPart,
  type ForeignPast,
  type ForeignStep,
  foreignContent,
  foreignInput,
  mediaInUrl,
  timeIn,
  Untaken,
  usageOfTokens,
} from "./foreign-past.js";

/** Whether a value is such an export. */
export function isOpencode(value: unknown): value is Fields {
  return isObject(value) && isObject(value.info) && typeof value.info.id === "string" && Array.isArray(value.messages);
}

/** Never throws: what cannot be taken is counted. */
export function readOpencode({ info, messages }: Fields): ForeignPast {
  const leftOut = new Untaken();
  const all = (messages as unknown[]).map(fieldsOf);
  const steps = withoutUndone(all, fieldsOf(info).revert, leftOut).flatMap((message) => stepsOf(message, leftOut));
  return { format: "opencode", id: stringOf(fieldsOf(info).id), steps, leftOut };
}

/** What `/undo` takes back stays in the session until its next prompt: from a message on, or from a part of one. */
function withoutUndone(messages: readonly Fields[], revert: unknown, leftOut: Untaken): readonly Fields[] {
  const { messageID, partID } = fieldsOf(revert);
  const at = messages.findIndex(({ info }) => messageID !== undefined && fieldsOf(info).id === messageID);
  if (at < 0) return messages;
  const { info, parts } = messages[at]!;
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const partAt = partID === undefined ? 0 : list.findIndex((part) => fieldsOf(part).id === partID);
  if (partAt > 0) leftOut.add("undone part", list.length - partAt);
  const standing = [...messages.slice(0, at), ...(partAt > 0 ? [{ info, parts: list.slice(0, partAt) }] : [])];
  if (standing.length < messages.length) leftOut.add("undone message", messages.length - standing.length);
  return standing;
}

function stepsOf({ info: given, parts: list }: Fields, leftOut: Untaken): ForeignStep[] {
  const info = fieldsOf(given);
  const at = timeIn(fieldsOf(info.time).created);
  const parts = Array.isArray(list) ? list.filter(isObject) : [];
  if (info.role === "assistant") {
    const texts = parts.flatMap((part) => (part.type === "text" ? stringOf(part.text) : []));
    return info.summary === true
      ? [{ kind: "summary", at, text: texts.join("\n") }]
      : replySteps(info, parts, at, leftOut);
  }
  if (info.role !== "user") {
    leftOut.add(`message of role ${stringOf(info.role)}`);
    return [];
  }
  const content = parts.flatMap((part): ContentPart[] => {
    if (part.type === "text") return part.ignored === true ? [] : foreignContent([part], leftOut, () => mediaInUrl(""));
    if (part.type === "file" && !stringOf(part.mime).startsWith("text/"))
      return foreignContent([part], leftOut, ({ url }) => mediaInUrl(url));
    leftOut.add(`part ${stringOf(part.type)}`);
    return [];
  });
  return content.length === 0 ? [] : [{ kind: "user", at, content }];
}

/** A message of opencode holds all the requests that a prompt led to: each begins with a part `step-start`. */
function replySteps(info: Fields, parts: readonly Fields[], at: number, leftOut: Untaken): ForeignStep[] {
  const steps: ForeignStep[] = [];
  let request = 0;
  const say = (part: ForeignPart, tokens?: Fields) => {
    const { input, output, cache } = tokens ?? {};
    const { read: cacheRead, write: cacheWrite } = fieldsOf(cache);
    steps.push({
      kind: "assistant",
      at,
      reply: `${stringOf(info.id)}/${request}`,
      parts: [part],
      provider: stringOf(info.providerID) || "unknown",
      model: stringOf(info.modelID) || "unknown",
      usage: usageOfTokens({ input, output, cacheRead, cacheWrite }),
    });
  };
  for (const part of parts) {
    switch (part.type) {
      case "step-start":
        request++;
        break;
      case "step-finish":
        say({ kind: "text", text: "" }, fieldsOf(part.tokens));
        break;
      case "text":
        say({ kind: "text", text: stringOf(part.text) });
        break;
      case "reasoning":
        say({ kind: "thinking", text: stringOf(part.text) });
        break;
      case "tool": {
        const state = fieldsOf(part.state);
        const callId = stringOf(part.callID);
        say({ kind: "call", id: callId, name: stringOf(part.tool), input: foreignInput(state.input) });
        const isError = state.status === "error";
        const output = isError ? state.error : state.output;
        if (isError || state.status === "completed")
          steps.push({ kind: "result", at, callId, output: stringOf(output), isError });
        break;
      }
      default:
        leftOut.add(`part ${stringOf(part.type)}`);
    }
  }
  return steps;
}
