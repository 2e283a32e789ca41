// Parts of messages and artifacts, as the SDK wants them: with every field.
import type { Artifact, Message, Part, Role } from "@a2a-js/sdk";
import type { MediaPart } from "../contracts/content.js";
import type { JsonValue } from "../contracts/json.js";
import { bytesOf } from "../text/base64.js";

export function textPart(value: string): Part {
  return { content: { $case: "text", value }, mediaType: "text/plain", filename: "", metadata: undefined };
}

export function dataPart(value: JsonValue): Part {
  return { content: { $case: "data", value }, mediaType: "application/json", filename: "", metadata: undefined };
}

export function filePart(part: MediaPart): Part {
  const filename = (part.type === "file" && part.name) || "";
  const value = bytesOf(part.data) ?? new Uint8Array();
  return {
    content: { $case: "raw", value: value as Buffer },
    mediaType: part.mediaType,
    filename,
    metadata: undefined,
  };
}

export function artifact(artifactId: string, parts: Part[]): Artifact {
  return { artifactId, name: artifactId, description: "", parts, metadata: undefined, extensions: [] };
}

export function message(ids: Pick<Message, "messageId" | "contextId" | "taskId">, role: Role, parts: Part[]): Message {
  return { ...ids, role, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
}
