import { relative } from "node:path";
import type { ContextSource } from "../contracts/context.js";
import type { FileNote, Workspace } from "../contracts/workspace.js";
import { sha256 } from "../files/sha256.js";

/** Files named in the section; beyond, only their number. */
const MAX_FILES = 50;
/** Larger files are not compared with what the session knows of them. */
const MAX_COMPARED_BYTES = 1_000_000;
const SHOWN_DIGEST_CHARS = 12;

/**
 * The working memory of a session that goes on: the files it has read or changed, the newest first; of each its lines and
 * digest, who has read or changed it and when, and whether it is still as the agent knows it.
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
  const known = workspace.fileState.get(sessionId, path) ?? "";
  const how = workspace.fileState.how?.(sessionId, path);
  const facts = [...(how ? howText(how) : []), ...digestText(known)];
  try {
    const { size } = await workspace.files.stat(path);
    const state = await stateOf(workspace, path, known, size);
    return `- ${shown}: ${[`${size} bytes`, ...facts].join(", ")}${state}`;
  } catch {
    return `- ${shown}: ${[...facts, "gone since"].join(", ")}`;
  }
}

function howText({ access, agentPath, at, lines }: FileNote): string[] {
  const what = access === "read" ? "read" : "changed";
  const by = agentPath.length === 0 ? "by you" : `by the sub-agent ${JSON.stringify(agentPath.join(" → "))}`;
  const when = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return [...(lines === null ? [] : [`${lines} ${lines === 1 ? "line" : "lines"}`]), `${what} ${by} ${when}`];
}

function digestText(digest: string): string[] {
  const [, sha256] = /^sha256:([0-9a-f]+)$/.exec(digest) ?? [];
  return sha256 === undefined ? [] : [`sha256 ${sha256.slice(0, SHOWN_DIGEST_CHARS)}`];
}

async function stateOf({ files }: Workspace, path: string, known: string, size: number): Promise<string> {
  if (!known.startsWith("sha256:") || size > MAX_COMPARED_BYTES) return "";
  const now = sha256(await files.read(path));
  return known === `sha256:${now}` ? ": as you know it" : ": changed by others since; read it again before you edit it";
}
