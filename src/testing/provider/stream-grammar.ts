import type { MediaPart } from "../../contracts/content.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import { claim, claimSame, isJson, show } from "../contract-case.js";

/** The message that a well-formed stream of events adds up to. */
export interface CompletedMessage {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly media: readonly MediaPart[];
  readonly finishReason: FinishReason;
  readonly reasoning: string;
  readonly usage: Usage | undefined;
}

const FINISH_REASONS = ["stop", "tool-calls", "length", "content-filter", "error", "aborted", "pause", "other"];

/**
 * Adds up the events of one model call.
 *
 * @throws Error unless `message-start` is first and `message-end` last, once each for what no `restart` voids, and
 * every call is announced, streamed and ended consistently
 */
export function checkStream(events: readonly ProviderEvent[]): CompletedMessage {
  const begun = events.slice(events.findLastIndex((event) => event.type === "restart") + 1);
  const valid = begun.slice(begun.findIndex(({ type }) => type !== "waiting" && type !== "notice"));
  claim(valid[0]?.type === "message-start", `the first event is ${show(valid[0])}; expected message-start.`);
  const last = valid.at(-1);
  claim(last?.type === "message-end", `the last event is ${show(last)}; expected message-end.`);
  claim(FINISH_REASONS.includes(last.finishReason), `unknown finish reason ${show(last.finishReason)}.`);
  if (last.usage !== undefined) checkUsage(last.usage);

  let text = "";
  let reasoning = "";
  const media: MediaPart[] = [];
  const calls = new Map<number, OpenCall>();
  for (const event of valid.slice(1, -1)) {
    switch (event.type) {
      case "text-delta":
        claim(typeof event.text === "string", `a text-delta holds ${show(event.text)}; expected text.`);
        text += event.text;
        break;
      case "reasoning-delta":
        claim(typeof event.text === "string", `a reasoning-delta holds ${show(event.text)}; expected text.`);
        reasoning += event.text;
        break;
      case "reasoning-end":
        claim(event.providerData === undefined || isJson(event.providerData), "providerData is not JSON.");
        break;
      case "media": {
        const { providerData, ...part } = event.part;
        claim(providerData === undefined || isJson(providerData), "providerData of an image or a file is not JSON.");
        checkMedia(part);
        media.push(part);
        break;
      }
      case "tool-call-start":
        claim(!calls.has(event.index), `the tool call of index ${event.index} starts twice.`);
        calls.set(event.index, { id: event.id, name: event.name, json: "" });
        break;
      case "tool-call-delta": {
        const open = calls.get(event.index);
        claim(open !== undefined && !open.call, `a tool-call-delta for index ${event.index} outside of a call.`);
        open.json += event.json;
        break;
      }
      case "waiting":
      case "notice":
        break;
      case "tool-call-end":
        calls.set(event.index, endCall(calls.get(event.index), event.call));
        break;
      default:
        throw new Error(`an event of type ${show(event.type)} has no place inside a message.`);
    }
  }
  const { finishReason, usage } = last;
  return { text, calls: [...calls.values()].map(callOf), media, finishReason, reasoning, usage };
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  json: string;
  readonly call?: ToolCall;
}

function endCall(open: OpenCall | undefined, call: ToolCall): OpenCall {
  claim(!open?.call, `the tool call ${show(call)} ends twice.`);
  claim(
    typeof call.id === "string" && typeof call.name === "string",
    `a tool call lacks its id or name: ${show(call)}.`,
  );
  claim(isJson(call.arguments), `the arguments of the tool call "${call.name}" are not JSON.`);
  if (open === undefined) return { id: call.id, name: call.name, json: "", call };

  claimSame([call.id, call.name], [open.id, open.name], "id and name at the end of a tool call");
  if (open.json.trim() !== "" && call.malformed === undefined) {
    claimSame(JSON.parse(open.json), call.arguments, `the streamed arguments of the tool call "${call.name}"`);
  }
  return { ...open, call };
}

function callOf(open: OpenCall): ToolCall {
  claim(open.call !== undefined, `the tool call "${open.name}" has no end.`);
  return open.call;
}

function checkMedia({ type, mediaType, data }: MediaPart): void {
  claim(
    type === "image" || type === "file",
    `a media event holds a part of type ${show(type)}; expected image or file.`,
  );
  claim(
    /^[^/\s]+\/[^/\s]+$/.test(mediaType),
    `a media event has the type ${show(mediaType)}; expected one like image/png.`,
  );
  claim(typeof data === "string" && btoa(atob(data)) === data, "the data of a media event is not base64.");
}

function checkUsage(usage: Usage): void {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  for (const count of [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens]) {
    claim(Number.isInteger(count) && count >= 0, `usage counts ${show(count)} tokens: ${show(usage)}.`);
  }
  claim(cacheReadTokens <= inputTokens, `inputTokens must include what was read from a cache: ${show(usage)}.`);
  claim(reasoningTokens <= outputTokens, `outputTokens must include reasoningTokens: ${show(usage)}.`);
}
