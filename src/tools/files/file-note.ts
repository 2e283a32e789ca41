import type { ToolContext } from "../../contracts/tool.js";
import type { FileNote } from "../../contracts/workspace.js";

const LINE_FEED = 10;

/** A tool's effect on a file just now. */
export function fileNote(access: FileNote["access"], lines: FileNote["lines"], { agentPath }: ToolContext): FileNote {
  return { access, agentPath, at: Date.now(), lines };
}

/** `null` for what is not text of one byte per line feed: binary files, UTF-16. */
export function countLines(content: Uint8Array): number | null {
  if (content.includes(0)) return null;
  let lines = content.length === 0 || content.at(-1) === LINE_FEED ? 0 : 1;
  for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
