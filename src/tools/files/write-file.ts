import { z } from "zod";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { textLines } from "../edit/text-lines.js";
import { unifiedDiff } from "../edit/unified-diff.js";
import { changeFile } from "./change-file.js";
import { assertWellFormed, endSession, pathClaims, permissionOf } from "./file-tool.js";
import { decodeText } from "./text-encoding.js";

const input = z.object({
  path: z.string().min(1).describe("The file, relative to the workspace."),
  content: z.string().describe("The whole new content."),
});

const description = `Creates a file, or replaces its whole content; missing folders are made. A file that exists has to be
read with read_file first. To change a part of a file, use edit_file.`;

/**
 * The tool `write_file`: puts a file in place in one step, with the mode it had.
 *
 * Answers what it did, how many lines and bytes, and a unified diff. A file that exists and was not read in this
 * session, or was changed by others since, is left alone with `EDIT_STALE`.
 */
export function createWriteFileTool(workspace: Workspace): BaseTool<z.infer<typeof input>> {
  return defineTool({
    name: "write_file",
    description,
    input,
    permission: "read_write",
    replayable: false,
    claims: ({ path }) => pathClaims(workspace, path, "write"),
    checkPermission: ({ path }) => permissionOf(workspace, path, "write"),
    async execute({ path, content: text }, context) {
      assertWellFormed("content", text);
      const { content, before } = await changeFile(workspace, context, {
        path,
        mustBeRead: true,
        change: (existing) => ({ content: Buffer.from(text), before: existing?.content ?? null }),
      });
      const lines = textLines(text).count;
      const size = `${count(lines, "line")}, ${count(content.length, "byte")}`;
      const change = before ? "replaced" : "created";
      const old = before && decodeText(before);
      // Of a file that was no text there is nothing to compare with.
      const diff = before && !old ? "" : await unifiedDiff({ path, before: old ? old.text : null, after: text });
      return {
        output: [`${before ? "Replaced" : "Created"} "${path}": ${size}.`, diff].filter(Boolean).join("\n"),
        details: { path, change, lines, bytes: content.length, diff },
      };
    },
    endSession: (sessionId) => endSession(workspace, sessionId),
  });
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}
