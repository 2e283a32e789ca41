import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { type InputOf, object, string } from "../../schema/fields.js";
import { quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { onlyEnding } from "../edit/line-endings.js";
import { textLines } from "../edit/text-lines.js";
import { shortDiff, unifiedDiff } from "../edit/unified-diff.js";
import { changeFile } from "./change-file.js";
import { assertWellFormed, endSession, pathClaims, permissionOf } from "./file-tool.js";
import { noteHooks } from "./own-changes.js";
import { decodeText, encodeText, encodingOf, UTF8 } from "./text-encoding.js";

const writeFileInput = object({
  path: string("The file, relative to the workspace.", { minLength: 1 }),
  content: string("The whole new content."),
});

const description = `Creates a file and its missing directories, or replaces a file's whole content, which must first be read in full
with read_file. To change a part of a file, use edit_file.`;

/**
 * The tool `write_file`: puts a file in place in one step, with the mode, encoding, byte order mark and line endings of
 * the one it replaces.
 *
 * The result says what it did, how many lines and bytes, and for a replaced file the beginning of a unified diff, of which
 * `details.diff` has more. A file that exists and was not read whole in this session, or was changed by others since, is
 * left alone with `EDIT_STALE`.
 */
export function createWriteFileTool(workspace: Workspace): BaseTool<InputOf<typeof writeFileInput>> {
  return defineBuiltinTool({
    name: "write_file",
    description,
    input: writeFileInput,
    permission: "read_write",
    effects: { writes: true },
    targets: ({ path }) => [{ field: "path", kind: "path", value: path }],
    worksIn: workspace,
    describe: ({ path }) => ({ title: `Write ${path ?? "a file"}`, kind: "edit", paths: [path] }),
    replayable: false,
    claims: ({ path }) => pathClaims(workspace, path, "write"),
    checkPermission: ({ path }, about) => permissionOf(workspace, path, "write", about),
    async execute({ path, content: text }, context) {
      assertWellFormed("content", text);
      const { content, replaced } = await changeFile(workspace, context, {
        path,
        isReplaced: true,
        change: (existing) => {
          const replaced = existing && replacementText(path, existing.content, text);
          return { content: replaced?.content ?? Buffer.from(text), replaced };
        },
      });
      const lines = textLines(text).count;
      const size = `${count(lines, "line")}, ${count(content.length, "byte")}`;
      const about = { path, lines, bytes: content.length };
      if (!replaced) {
        return { output: `Created ${quoteName(path)}: ${size}.`, details: { ...about, change: "created" } };
      }
      const diff = await diffOf(path, replaced);
      const first = `Replaced ${quoteName(path)}: ${size}.${replaced.note}`;
      return {
        output: [first, shortDiff(diff)].filter(Boolean).join("\n"),
        details: { ...about, change: "replaced", diff },
      };
    },
    afterHooks: ({ toolCallId }) => noteHooks(workspace, toolCallId),
    endSession: (sessionId) => endSession(workspace, sessionId),
  });
}

/** The diff of a change; none where the file was not text before. */
async function diffOf(path: string, { before, after }: ReplacementText): Promise<string> {
  return before === null ? "" : unifiedDiff({ path, before, after });
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

interface ReplacementText {
  readonly content: Buffer;
  /** The text that is replaced; `null` when it was not text that can be read. */
  readonly before: string | null;
  /** The text with the line endings of the file. */
  readonly after: string;
  /** A remark for the model on how its text was written. */
  readonly note: string;
}

/**
 * A text as bytes that take the place of a file's: in its encoding, with its byte order mark, and with its line endings
 * where they are all alike.
 *
 * @throws ToolError `FILE_UNSUPPORTED` for a string with replacement characters when the file could not be read without them
 */
function replacementText(path: string, existing: Uint8Array, text: string): ReplacementText {
  const old = decodeText(existing);
  const { hasBom } = old?.encoding ?? encodingOf(existing);
  const bare = hasBom && text.startsWith("\ufeff") ? text.slice(1) : text;
  if (!old) {
    const isText = !existing.includes(0);
    if (isText && text.includes("\ufffd")) throw unreadable(path);
    const note = isText ? " The file was not valid UTF-8; it is now." : "";
    return { content: encodeText(text, UTF8), before: null, after: text, note };
  }
  const after = withEndingsOf(old.text, bare);
  return { content: encodeText(after, old.encoding), before: old.text, after, note: "" };
}

function withEndingsOf(existing: string, text: string): string {
  const ending = onlyEnding(existing);
  if (ending === null) return text;
  const plain = text.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", ending);
}

function unreadable(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is not UTF-8, and "content" has replacement characters (\ufffd) where its bytes could not be read: writing it would lose them. Convert the file first with a command such as iconv, or change it with a command that knows its encoding.`,
    details: { path },
  });
}
