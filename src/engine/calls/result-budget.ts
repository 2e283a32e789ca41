import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { ArtifactRef, ArtifactStore } from "../../contracts/workspace.js";
import { bytesOf } from "../../text/base64.js";
import { describeMedia } from "../../text/describe-media.js";
import { splitHeadAndTail } from "../../text/head-and-tail.js";
import { isMediaPart } from "../transcript/message-shape.js";

/** Largest tool result kept in place when its tool does not say. Unit: characters. */
export const DEFAULT_MAX_RESULT_CHARS = 20_000;
/** The share of the head in the kept text; the rest is the tail. */
const HEAD_SHARE = 2 / 3;

/** Some vendors refuse images of more than 5 MiB in base64. Larger ones stay only for `fitMedia`. Unit: characters of base64. */
const MAX_MEDIA_CHARS = 5 * 1024 * 1024;
/** All images and files of one result together; a request of more than 32 MB is refused. Unit: characters of base64. */
const MAX_RESULT_MEDIA_CHARS = 20 * 1024 * 1024;
/** Images and files of one result. */
const MAX_MEDIA_PARTS = 100;

type Output = string | readonly ContentPart[];

export interface FittedOutput {
  readonly output: Output;
  readonly artifact?: ArtifactRef;
}

/** Whether something of an output has to be moved out: its text together, or an image or file that does not fit. */
export function isOversized(output: Output, maxChars: number, fitsMedia = false): boolean {
  if (typeof output === "string") return output.length > maxChars;
  return textLength(output) > maxChars || mediaThatFit(output, fitsMedia).size < output.filter(isMediaPart).length;
}

/**
 * Moves what is too large to the artifact store. Of text, head, tail, size and path stay; an image or file is
 * replaced by a sentence that says what it was and where it is. Without a store, or when it fails, the rest is lost and the
 * output says so. `whole`: where a tool has kept all of an output that it has shortened itself.
 */
export async function fitOutput(
  output: Output,
  maxChars: number,
  artifacts: ArtifactStore | undefined,
  sessionId: string,
  { whole, fitsMedia }: { readonly whole?: ArtifactRef | undefined; readonly fitsMedia?: boolean | undefined } = {},
): Promise<FittedOutput> {
  const keep = keeperOf(artifacts, sessionId);
  if (typeof output === "string") return fitText(output, maxChars, keep, whole);
  const fitting = mediaThatFit(output, fitsMedia);
  const text = textLength(output) > maxChars ? await fitText(joinedText(output), maxChars, keep, whole) : undefined;
  const parts: ContentPart[] = text ? [{ type: "text", text: text.output }] : [];
  let artifact = text?.artifact;
  for (const part of output) {
    if (part.type === "text") {
      if (!text) parts.push(part);
    } else if (fitting.has(part)) {
      parts.push(part);
    } else {
      const kept = await keep(bytesOf(part.data), part.mediaType);
      artifact ??= kept;
      parts.push({ type: "text", text: noteOn(part, kept) });
    }
  }
  return { output: parts, artifact };
}

/** The first ones that fit together. */
function mediaThatFit(parts: readonly ContentPart[], fitsMedia = false): ReadonlySet<ContentPart> {
  const fitting = new Set<ContentPart>();
  let room = MAX_RESULT_MEDIA_CHARS;
  for (const part of parts) {
    if (
      !isMediaPart(part) ||
      part.data.length > (fitsMedia ? room : Math.min(room, MAX_MEDIA_CHARS)) ||
      fitting.size === MAX_MEDIA_PARTS
    )
      continue;
    fitting.add(part);
    room -= part.data.length;
  }
  return fitting;
}

function noteOn(part: MediaPart, artifact: ArtifactRef | undefined): string {
  const size = artifact ? `${artifact.bytes} bytes` : `${part.data.length} characters of base64`;
  const where = artifact ? `It is in "${artifact.path}".` : "It was not kept.";
  const what = describeMedia(part).replace(/^a/, "A");
  return `[${what}, ${size}, was left out: it is too large for the conversation. ${where}]`;
}

type Keep = (content: string | Uint8Array | null, mediaType: string) => Promise<ArtifactRef | undefined>;

function keeperOf(artifacts: ArtifactStore | undefined, sessionId: string): Keep {
  return async (content, mediaType) => {
    if (!artifacts || content === null) return undefined;
    try {
      return await artifacts.put(content, { sessionId, mediaType });
    } catch {
      // A full disk must not cost the call its result: the output says that the rest is gone.
      return undefined;
    }
  };
}

async function fitText(text: string, maxChars: number, keep: Keep, whole: ArtifactRef | undefined) {
  if (whole) return { output: headAndTail(text, maxChars, whole, `${whole.bytes} bytes`), artifact: whole };
  const artifact = await keep(text, "text/plain");
  return { output: headAndTail(text, maxChars, artifact, `${text.length} characters`), artifact };
}

function headAndTail(text: string, maxChars: number, artifact: ArtifactRef | undefined, size: string): string {
  const headChars = Math.floor(maxChars * HEAD_SHARE);
  const { head, tail, omittedChars } = splitHeadAndTail(text, headChars, maxChars - headChars);
  const where = artifact
    ? `The whole output (${size}) is in "${artifact.path}"; read it with read_file, page by page.`
    : `The output had ${text.length} characters; the rest was not kept. Ask for less at a time.`;
  return `${head}\n\n[… ${omittedChars} characters left out. ${where}]\n\n${tail}`;
}

function textLength(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}

function joinedText(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
