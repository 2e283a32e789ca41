import type { ContentPart } from "../../contracts/content.js";
import type { AssistantPart, Message, ToolResultPart } from "../../contracts/message.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import { clip } from "../../text/cut.js";
import type { Script, ScriptPart } from "./script.js";

const MAX_PREVIEW_CHARS = 120;

/** A short, bounded account of a request for error messages. */
export function describeRequest(request: ProviderRequest): string {
  const last = request.messages.at(-1);
  if (last === undefined) return "no messages";
  return `${request.messages.length} message(s), the last by "${last.role}": ${clip(describeMessage(last), MAX_PREVIEW_CHARS)}`;
}

/** A short, bounded account of a turn for error messages. */
export function describeScript(script: Script): string {
  if (script.events !== undefined) return `${script.events.length} event(s) word for word`;
  const parts = script.parts.map(describePart).join(", ");
  const { error } = script.settings;
  if (error === undefined) return clip(parts || "nothing", MAX_PREVIEW_CHARS);
  return clip([parts, `throws ${error}`].filter(Boolean).join(", "), MAX_PREVIEW_CHARS);
}

function describeMessage(message: Message): string {
  return message.content.map(describePart).join(", ");
}

function describePart(part: ScriptPart | AssistantPart | ContentPart | ToolResultPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return `${part.type} ${JSON.stringify(clip(part.text, MAX_PREVIEW_CHARS))}`;
    case "tool-call":
      return `call ${part.name}(${"json" in part ? part.json : JSON.stringify(part.arguments)})`;
    case "tool-result":
      return `result of ${part.name} ${JSON.stringify(part.output.slice(0, MAX_PREVIEW_CHARS))}`;
    default:
      return part.type;
  }
}
