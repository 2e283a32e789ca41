import type { ContentPart } from "../../contracts/content.js";
import type { ToolResult } from "../../contracts/tool-call.js";

/** A result in the protocol's terms. The code of an error leads its text, since clients show nothing else. */
export function toCallResult({ output, isError, status, details }: ToolResult) {
  const content = typeof output === "string" ? [{ type: "text" as const, text: output }] : output.map(toBlock);
  const { code } = Object(details) as { code?: unknown };
  if (!isError) return { content };
  const about = { "loopwright/status": status, ...(typeof code === "string" && { "loopwright/code": code }) };
  return { content: typeof code === "string" ? led(content, code) : content, isError: true, _meta: about };
}

type Block = ReturnType<typeof toBlock>;

function led(content: readonly Block[], code: string): Block[] {
  const [first, ...rest] = content;
  if (first?.type !== "text") return [{ type: "text", text: `${code}:` }, ...content];
  return [{ type: "text", text: `${code}: ${first.text}` }, ...rest];
}

function toBlock(part: ContentPart) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  const { mediaType: mimeType, data } = part;
  if (part.type === "image") return { type: "image" as const, data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio" as const, data, mimeType };
  const uri = `attachment:${encodeURIComponent(part.name ?? "file")}`;
  return { type: "resource" as const, resource: { uri, mimeType, blob: data } };
}
