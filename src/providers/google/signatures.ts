// Google signs parts of an answer, and insists on getting each signature back on the very part it came with. It is kept
// in a reasoning part beside that part; `on` says which one it belongs to.

import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { AssistantMediaPart, AssistantMessage, AssistantPart } from "../../contracts/message.js";
import { isObject } from "../../json/is-object.js";

/** A signature, or a whole part, kept beside a part. */
export type KeptSignature =
  /** The signature of the tool call that follows. */
  | { readonly on: "call"; readonly thoughtSignature: string }
  /** The signature of the last `chars` characters of the text before; of an empty part when there are not. */
  | { readonly on: "text"; readonly thoughtSignature: string; readonly chars: number }
  /** The signature of the thought itself. */
  | { readonly on: "thought"; readonly thoughtSignature: string }
  /** A part that goes back unread, such as code that the server has run. */
  | { readonly on: "part"; readonly part: JsonObject };

/** As `providerData`. `owner` is `id/model`: signatures are valid for the model that made them. */
export function keptSignatureData(owner: string, kept: KeptSignature): JsonObject {
  return { by: owner, ...kept, ...(kept.on === "part" && { serverWork: true }) } as JsonObject;
}

/** The data kept on an image or a file itself. */
export function mediaSignatureData(owner: string, thoughtSignature: string | undefined): { providerData?: JsonObject } {
  return thoughtSignature === undefined ? {} : { providerData: { by: owner, thoughtSignature } };
}

/** The signature of an image or a file; `undefined` when it has none, or another model's. */
export function mediaSignatureOf({ providerData }: AssistantMediaPart, owner: string): string | undefined {
  if (!isObject(providerData) || providerData.by !== owner) return undefined;
  return typeof providerData.thoughtSignature === "string" ? providerData.thoughtSignature : undefined;
}

/** The signature kept in a part of a message; `undefined` when it is another model's, or absent. */
export function keptSignatureIn(
  part: AssistantPart | undefined,
  message: AssistantMessage,
  owner: string,
): KeptSignature | undefined {
  if (part?.type !== "reasoning" || !isObject(part.providerData)) return undefined;
  const data = part.providerData as { readonly [field: string]: JsonValue };
  const { by = `${part.provider}/${message.model}`, on = "thought", thoughtSignature, chars } = data;
  if (by !== owner) return undefined;
  if (on === "part") return isObject(data.part) ? { on, part: data.part as JsonObject } : undefined;
  if (typeof thoughtSignature !== "string") return undefined;
  if (on === "text") return { on, thoughtSignature, chars: typeof chars === "number" ? chars : 0 };
  return on === "call" || on === "thought" ? { on, thoughtSignature } : undefined;
}
