import { createHash } from "node:crypto";
import { relative } from "node:path";
import type { ContextSource } from "../contracts/context.js";
import type { Workspace } from "../contracts/workspace.js";

/** Files named in the section; beyond, only their number. */
const MAX_FILES = 50;
/** Larger files are not compared with what the session knows of them. */
const MAX_COMPARED_BYTES = 1_000_000;

/**
 * The working memory of a session that goes on: the files it has read or changed, the newest first, and whether each is still
 * as the agent knows it.
 *
 * The section is made when a run begins and the session knows files; while nothing about them has changed it stays as it is.
 */
export function fileStateSource(workspace: Workspace): ContextSource {
  return {
    id: "files",
    async load({ sessionId, signal, previous }) {
      const paths = workspace.fileState.paths(sessionId);
      if (paths.length === 0) return previous ?? null;
      const lines: string[] = [];
      for (const path of paths.slice(0, MAX_FILES)) {
        signal.throwIfAborted();
        lines.push(await describeFile(workspace, sessionId, path));
      }
      const more = paths.length - lines.length;
      const rest = more > 0 ? [`- and ${more} more`] : [];
      const heading = "Files you have read or changed in this session, newest first:";
      return { id: "files", text: [heading, ...lines, ...rest].join("\n") };
    },
  };
}

async function describeFile(workspace: Workspace, sessionId: string, path: string): Promise<string> {
  const shown = JSON.stringify(relative(workspace.root, path) || ".");
  const known = workspace.fileState.get(sessionId, path);
  try {
    const { size } = await workspace.files.stat(path);
    const isComparable = known?.startsWith("sha256:") === true && size <= MAX_COMPARED_BYTES;
    if (!isComparable) return `- ${shown}: ${size} bytes`;
    const now = createHash("sha256")
      .update(await workspace.files.read(path))
      .digest("hex");
    const state =
      known === `sha256:${now}` ? "as you know it" : "changed by others since; read it again before you edit it";
    return `- ${shown}: ${size} bytes, ${state}`;
  } catch {
    return `- ${shown}: gone`;
  }
}
