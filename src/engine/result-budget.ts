import type { ContentPart } from "../contracts/message.js";
import type { ArtifactRef, ArtifactStore } from "../contracts/workspace.js";

/** Largest tool result kept in place when its tool does not say. Unit: characters. */
export const DEFAULT_MAX_RESULT_CHARS = 20_000;
/** Of what is kept, this share is the head; the rest is the tail. */
const HEAD_SHARE = 2 / 3;

type Output = string | readonly ContentPart[];

export interface FittedOutput {
  readonly output: Output;
  readonly artifact?: ArtifactRef;
}

/** Whether an output has to be offloaded. Counts text; images and files are the provider's to limit. */
export function isOversized(output: Output, maxChars: number): boolean {
  if (typeof output === "string") return output.length > maxChars;
  return textLength(output) > maxChars;
}

/**
 * Moves an oversized output to the artifact store and leaves head, tail, size and path.
 * Without a store, or when it fails, the output is cut and says so.
 */
export async function offload(
  output: Output,
  maxChars: number,
  artifacts: ArtifactStore | undefined,
  sessionId: string,
): Promise<FittedOutput> {
  const text = typeof output === "string" ? output : textOf(output);
  const artifact = await keep(text, artifacts, sessionId);
  const excerpt = headAndTail(text, maxChars, artifact);
  if (typeof output === "string") return { output: excerpt, artifact };
  return { output: [{ type: "text", text: excerpt }, ...output.filter(({ type }) => type !== "text")], artifact };
}

async function keep(
  text: string,
  artifacts: ArtifactStore | undefined,
  sessionId: string,
): Promise<ArtifactRef | undefined> {
  if (!artifacts) return undefined;
  try {
    return await artifacts.put(text, { sessionId, mediaType: "text/plain" });
  } catch {
    // A full disk must not cost the call its result: the cut output says that the rest is gone.
    return undefined;
  }
}

function headAndTail(text: string, maxChars: number, artifact: ArtifactRef | undefined): string {
  const head = text.slice(0, wholeCharacters(text, Math.floor(maxChars * HEAD_SHARE)));
  const tailStart = text.length - (maxChars - head.length);
  const tail = text.slice(wholeCharacters(text, tailStart));
  const left = text.length - head.length - tail.length;
  const where = artifact
    ? `The whole output (${text.length} characters) is in "${artifact.path}"; read it with read_file, page by page.`
    : `The output had ${text.length} characters; these were not kept. Ask for less at a time.`;
  return `${head}\n\n[… ${left} characters left out. ${where}]\n\n${tail}`;
}

/** `index`, moved so that it does not part a surrogate pair. */
function wholeCharacters(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index;
}

function textLength(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
