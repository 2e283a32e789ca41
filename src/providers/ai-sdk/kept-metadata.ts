// Providers of the AI SDK attach metadata to parts (signatures, ids of items) and want it back with them. It is kept in
// reasoning parts; `on` says which part of the message it belongs to.

import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { AssistantMessage, AssistantPart } from "../../contracts/message.js";
import { isObject } from "../../json/is-object.js";

/** Metadata kept of a part. */
export type KeptMetadata =
  /** Metadata of the reasoning itself. */
  | { readonly on: "reasoning"; readonly metadata: JsonObject }
  /** Metadata of the last `chars` characters of the text before. */
  | { readonly on: "text"; readonly metadata: JsonObject; readonly chars: number }
  /** Metadata of the message's call number `call`, counted from 0. */
  | { readonly on: "call"; readonly metadata: JsonObject; readonly call: number }
  /** A part that goes back unread, such as the call of a tool that the provider has run itself. */
  | { readonly on: "part"; readonly part: JsonObject };

/** As `providerData`. `owner` names adapter, provider and model: metadata is valid for the model that made it. */
export function keptMetadataData(owner: string, kept: KeptMetadata): JsonObject {
  return { by: owner, ...kept } as JsonObject;
}

/** The metadata kept in a part of a message; `undefined` when it is another model's, or absent. */
export function keptMetadataIn(part: AssistantPart | undefined, owner: string): KeptMetadata | undefined {
  if (part?.type !== "reasoning" || !isObject(part.providerData)) return undefined;
  const { by, on, metadata, chars, call, part: whole } = part.providerData as { readonly [field: string]: JsonValue };
  if (by !== owner) return undefined;
  if (on === "part") return isObject(whole) ? { on, part: whole as JsonObject } : undefined;
  if (!isObject(metadata)) return undefined;
  const kept = metadata as JsonObject;
  if (on === "text") return { on, metadata: kept, chars: typeof chars === "number" ? chars : 0 };
  if (on === "call") return typeof call === "number" ? { on, metadata: kept, call } : undefined;
  return on === "reasoning" ? { on, metadata: kept } : undefined;
}

/** The metadata of a message's calls, by their number. */
export function metadataOfCalls({ content }: AssistantMessage, owner: string): ReadonlyMap<number, JsonObject> {
  const byCall = new Map<number, JsonObject>();
  for (const part of content) {
    const kept = keptMetadataIn(part, owner);
    if (kept?.on === "call") byCall.set(kept.call, kept.metadata);
  }
  return byCall;
}
