import { EditError, isHarnessError, ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { flag, type InputOf, list, object, optional, string } from "../../schema/fields.js";
import { quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { changeFile, type ExistingFile } from "../files/change-file.js";
import { assertWellFormed, endSession, pathClaims, permissionOf } from "../files/file-tool.js";
import { noteHooks, type OwnChange } from "../files/own-changes.js";
import { decodeText, encodeText } from "../files/text-encoding.js";
import { type AppliedEdit, applyEdit, BYTE_ORDER_MARK, type Edit } from "./apply-edit.js";
import { unifiedDiff } from "./unified-diff.js";

const HOW = ["", "", " except for line endings", " except for surrounding whitespace", " except for indentation"];

const oldText = string("The text to replace, as read_file shows it, without line numbers.");
const newText = string("The text to replace it with.");
const replaceAll = optional(flag("Replace every place instead of one. Default: false."));
/** Its texts are those of the whole input, which describes them. */
const edit = object({ old_text: string(), new_text: string(), replace_all: optional(flag("As above.")) });

const editFileInput = object(
  {
    path: string("The file, relative to the workspace.", { minLength: 1 }),
    old_text: optional(oldText),
    new_text: optional(newText),
    replace_all: replaceAll,
    edits: optional(list(edit, "Several edits, in order, all or none; instead of old_text.", { minItems: 1 })),
  },
  {
    problemOf({ edits, old_text, new_text }) {
      const given = [old_text, new_text].filter((text) => text !== undefined).length;
      return given === (edits === undefined ? 2 : 0) ? null : 'give either "old_text" and "new_text", or "edits"';
    },
  },
);

const description = `Replaces text in a file. old_text has to be unique in the file: include the lines around the place, or set
replace_all. Write out every line of new_text: placeholders such as "// ... rest unchanged" are refused. Only line endings
and indentation may differ from the file.`;

type EditInput = InputOf<typeof editFileInput>;

/** One of `edits` as it went: those that change nothing are skipped. */
type EditOutcome = Pick<AppliedEdit, "level" | "occurrences" | "startLine"> | { readonly skipped: true };

/**
 * The tool `edit_file`: `applyEdit` on a file, which keeps its encoding, line endings, final newline and mode.
 *
 * The result says where and how each edit matched, and has a unified diff. After any error the file is as it was. No
 * earlier read is needed, but a file that was read in this session and changed by others since is left alone with
 * `EDIT_STALE`. What a hook or a command of this session has changed is edited as it is now, and the result says so.
 */
export function createEditFileTool(workspace: Workspace): BaseTool<EditInput> {
  return defineBuiltinTool({
    name: "edit_file",
    description,
    input: editFileInput,
    permission: "read_write",
    effects: { writes: true },
    targets: ({ path }) => [{ field: "path", kind: "path", value: path }],
    worksIn: workspace,
    describe: ({ path }) => ({ title: `Edit ${path ?? "a file"}`, kind: "edit", paths: [path] }),
    replayable: false,
    claims: ({ path }) => pathClaims(workspace, path, "write"),
    checkPermission: ({ path }, about) => permissionOf(workspace, path, "write", about),
    async execute({ path, edits, ...single }, context) {
      const wanted = edits ?? [single];
      const { before, after, outcomes, own } = await changeFile(workspace, context, {
        path,
        isReplaced: false,
        change: (existing, own) => ({ ...edited(path, existing, wanted.map(toEdit)), own }),
      });
      const diff = await unifiedDiff({ path, before, after });
      const meanwhile = own ? await describeMeanwhile(path, own, before) : [];
      return {
        output: [`Edited ${quoteName(path)}: ${outcomes.map(describe).join("; ")}.`, diff, ...meanwhile].join("\n"),
        details: { path, edits: outcomes, diff },
      };
    },
    afterHooks: ({ toolCallId }) => noteHooks(workspace, toolCallId),
    endSession: (sessionId) => endSession(workspace, sessionId),
  });
}

/** The changes that hooks and commands of the session had made to the file before the edit. */
async function describeMeanwhile(path: string, { by, before: known }: OwnChange, before: string): Promise<string[]> {
  const said = `Before this edit, a ${by} of this session had changed the file`;
  const old = known === null ? null : decodeText(known);
  if (!old) return [`${said} since you read it.`];
  return [`${said}:`, await unifiedDiff({ path, before: old.text, after: before })];
}

function toEdit({ old_text = "", new_text = "", replace_all }: Partial<InputOf<typeof edit>>): Edit {
  return { oldText: old_text, newText: new_text, replaceAll: replace_all };
}

function edited(path: string, existing: ExistingFile | null, edits: readonly Edit[]) {
  if (!existing) {
    throw new ToolError("PATH_NOT_FOUND", {
      message: `There is no file ${quoteName(path)} to edit. Create it with write_file.`,
      details: { path },
    });
  }
  const { text: before, encoding } = decoded(path, existing.content);
  // A text that comes from elsewhere than read_file may begin with the mark: applyEdit knows what to do with it.
  const mark = encoding.hasBom ? BYTE_ORDER_MARK : "";
  let after = before;
  const outcomes: EditOutcome[] = [];
  for (const [index, each] of edits.entries()) {
    // A half character in the file would match half of a whole one.
    assertWellFormed("old_text", each.oldText);
    assertWellFormed("new_text", each.newText);
    assertText(path, each.newText);
    const result = applyInOrder(mark + after, each, { index, outcomes, total: edits.length });
    if (result) after = result.after.slice(mark.length);
    outcomes.push(result ? outcomeOf(result) : { skipped: true });
  }
  if (after === before) {
    throw new EditError("EDIT_NO_CHANGE", {
      message: outcomes.every((outcome) => "skipped" in outcome)
        ? `None of the edits changes ${quoteName(path)}: in each, old_text and new_text mean the same.`
        : `The edits of ${quoteName(path)} undo each other: the file would stay as it is.`,
    });
  }
  return { before, after, outcomes, content: encodeText(after, encoding) };
}

function outcomeOf({ level, occurrences, startLine }: AppliedEdit): EditOutcome {
  return { level, occurrences, startLine };
}

function decoded(path: string, content: Uint8Array) {
  const text = decodeText(content);
  if (text) return text;
  throw new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is not UTF-8, nor UTF-16 with a byte order mark, so it cannot be edited as text. It was left as it is. Change it with a command that knows its format or encoding, such as iconv, sed or a script.`,
    details: { path },
  });
}

/** A NUL would make the file one that is not text, and that no later call can edit. */
function assertText(path: string, newText: string): void {
  if (!newText.includes("\0")) return;
  throw new ToolError("TOOL_INPUT_INVALID", {
    message: `"new_text" has a NUL character, which the text file ${quoteName(path)} must not get. Write its escape instead.`,
    details: { path },
  });
}

interface Place {
  readonly index: number;
  readonly total: number;
  /** The outcomes of the edits before. */
  readonly outcomes: readonly EditOutcome[];
}

/** `null` for one of several edits that changes nothing. */
function applyInOrder(text: string, each: Edit, { index, total, outcomes }: Place): AppliedEdit | null {
  try {
    return applyEdit(text, each);
  } catch (error) {
    if (total === 1 || !isHarnessError(error)) throw error;
    if (error.code === "EDIT_NO_CHANGE") return null;
    const { code, message, details } = error as EditError;
    const isChanged = outcomes.some((outcome) => !("skipped" in outcome));
    const shown = isChanged
      ? ` What follows shows the file as it would be after edit ${index}, which is not on disk: nothing was changed.`
      : "";
    throw new EditError(code, {
      message: `Edit ${index + 1} of ${total} failed, so none was made.${shown} ${message}`,
      details: { ...(details as object), edit: index + 1 },
    });
  }
}

function describe(outcome: EditOutcome, index: number): string {
  if ("skipped" in outcome) return `edit ${index + 1} changes nothing and was skipped`;
  const { level, occurrences, startLine } = outcome;
  const places = occurrences === 1 ? `at line ${startLine}` : `${occurrences} places from line ${startLine} on`;
  return `${places}${level === 1 ? "" : ` (old_text matched${HOW[level]})`}`;
}
