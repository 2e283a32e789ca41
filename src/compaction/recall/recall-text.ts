import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ArtifactRef, ArtifactStore } from "../../contracts/workspace.js";

/** Larger artifacts are left to tools that read files piece by piece. Unit: bytes. */
const MAX_ARTIFACT_BYTES = 16 * 1024 * 1024;
const NOTHING_SAID = /^\s*$/;

/** The text of an entry. */
export interface Said {
  readonly entryId: string;
  /** The speaker, as the model reads it. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  /** The path of the whole, when the text is only an excerpt of it or was read from there. */
  readonly artifact?: ArtifactRef;
}

/** The text of an entry; `null` for one that says nothing, and for calls and results of the tool `ownName`. */
export async function saidIn(
  entry: SessionEntry,
  ownName: string,
  artifacts: ArtifactStore | undefined,
): Promise<Said | null> {
  const about = { entryId: entry.id, at: entry.at };
  if (entry.type === "message") {
    const { message } = entry;
    const text = message.role === "user" ? textOf(message.content) : assistantText(message.content, ownName);
    const by = message.role === "user" ? (message.origin ?? "user") : "assistant";
    return NOTHING_SAID.test(text) ? null : { ...about, by, text: text.normalize("NFC") };
  }
  if (entry.type !== "tool-result" || entry.result.name === ownName) return null;
  const { name, output, artifact } = entry.result;
  const shown = typeof output === "string" ? output : textOf(output);
  const text = (artifact && (await wholeOf(artifact, artifacts))) ?? shown;
  if (NOTHING_SAID.test(text)) return null;
  return { ...about, by: `result of ${name}`, text: text.normalize("NFC"), ...(artifact && { artifact }) };
}

type AssistantContent = Extract<
  Extract<SessionEntry, { type: "message" }>["message"],
  { role: "assistant" }
>["content"];

function assistantText(content: AssistantContent, ownName: string): string {
  const texts = content.map((part) => {
    if (part.type === "text" || part.type === "reasoning") return part.text;
    if (part.type !== "tool-call") return mediaLabel(part);
    return part.name === ownName ? "" : `${part.name}(${part.malformed ?? JSON.stringify(part.arguments)})`;
  });
  return texts.filter(Boolean).join("\n");
}

function textOf(content: readonly ContentPart[]): string {
  const texts = content.map((part) => {
    return part.type === "text" ? part.text : mediaLabel(part);
  });
  return texts.join("\n");
}

function mediaLabel(part: MediaPart): string {
  return part.type === "file" && part.name ? `[file ${part.name}]` : `[${part.type}]`;
}

/** An artifact that is gone, or no text, is recalled by what stands in its place. */
async function wholeOf({ id, bytes, mediaType }: ArtifactRef, artifacts: ArtifactStore | undefined) {
  if (!artifacts || bytes > MAX_ARTIFACT_BYTES || !mediaType.startsWith("text/")) return undefined;
  const content = await artifacts.get(id).catch(() => undefined);
  return content && content.length <= MAX_ARTIFACT_BYTES ? new TextDecoder().decode(content) : undefined;
}
