import { ProviderError } from "../../contracts/errors.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import { characterBorder } from "../../text/cut.js";
import type { TurnSettings } from "./scripted-turn.js";
import type { Script, ScriptPart } from "./to-script.js";

/** The events of one script, lazily, without waiting or failing. */
export function* eventsOf(
  script: Script,
  nextId: () => string,
  defaultUsage: Usage | "none",
): Generator<ProviderEvent> {
  if (script.events !== undefined) {
    yield* script.events;
    return;
  }
  yield { type: "message-start" };
  if (script.voided !== undefined) {
    yield* partEvents(script.voided, script.settings, nextId);
    yield { type: "restart", attempt: 1, delayMs: 0, error: connectionLost() };
    yield { type: "message-start" };
  }
  yield* partEvents(script.parts, script.settings, nextId);
  const finishReason = script.settings.finishReason ?? naturalFinish(script.parts);
  const usage = script.settings.usage ?? defaultUsage;
  yield usage === "none" ? { type: "message-end", finishReason } : { type: "message-end", finishReason, usage };
}

function* partEvents(
  parts: readonly ScriptPart[],
  settings: TurnSettings,
  nextId: () => string,
): Generator<ProviderEvent> {
  let index = 0;
  for (const part of parts) {
    switch (part.type) {
      case "text":
        for (const text of chunks(part.text, settings.chunkSize)) yield { type: "text-delta", text };
        break;
      case "reasoning":
        for (const text of chunks(part.text, settings.chunkSize)) yield { type: "reasoning-delta", text };
        yield part.providerData === undefined
          ? { type: "reasoning-end" }
          : { type: "reasoning-end", providerData: part.providerData };
        break;
      case "image":
      case "file":
        yield { type: "media", part };
        break;
      case "tool-call": {
        const { id = nextId(), name, arguments: args, malformed, json } = part;
        yield { type: "tool-call-start", index, id, name };
        for (const chunk of chunks(json, settings.argumentChunkSize)) {
          yield { type: "tool-call-delta", index, json: chunk };
        }
        const call = { id, name, arguments: args };
        yield { type: "tool-call-end", index, call: malformed === undefined ? call : { ...call, malformed } };
        index += 1;
      }
    }
  }
}

function* chunks(text: string, size = text.length): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + size;
    if (characterBorder(text, end) < end) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function naturalFinish(parts: readonly ScriptPart[]): FinishReason {
  return parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop";
}

function connectionLost(): ProviderError {
  return new ProviderError("STREAM_BROKEN", {
    message: "The scripted stream broke, as its turn asks for; the answer starts again.",
    retryable: true,
  });
}
