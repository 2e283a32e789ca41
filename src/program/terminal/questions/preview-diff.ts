import type { PendingRequest } from "../../../contracts/approval.js";
import type { Workspace } from "../../../contracts/workspace.js";
import { fieldsOf } from "../../../json/is-object.js";
import { applyEdit } from "../../../tools/edit/apply-edit.js";
import { isCutDiff, unifiedDiff } from "../../../tools/edit/unified-diff.js";
import { loadCodeColors } from "../screen/code-colors.js";
import { exactText } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { diffLines } from "../transcript/diff-lines.js";

/** Reading a larger file would hold the question up. Unit: bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** All of an edit's change, as a diff; `undefined` for other tools, for a change too large to compare, and when the edit would fail. Never rejects. */
export async function previewDiff(
  workspace: Workspace,
  { tool, input }: PendingRequest,
  theme: Theme,
): Promise<readonly string[] | undefined> {
  try {
    const { path } = fieldsOf(input);
    if ((tool !== "edit_file" && tool !== "write_file") || typeof path !== "string") return undefined;
    const before = await contentOf(workspace, path);
    const after = before === undefined ? undefined : afterOf(tool, fieldsOf(input), before);
    if (before === undefined || after === undefined) return undefined;
    await loadCodeColors();
    const diff = await unifiedDiff({ path, before, after }, Number.POSITIVE_INFINITY);
    return isCutDiff(diff) ? undefined : diffLines(diff, theme, exactText, Number.POSITIVE_INFINITY);
  } catch {
    // The call itself will say what is wrong with it.
    return undefined;
  }
}

/** `""` for a file that does not exist. */
async function contentOf({ files }: Workspace, path: string): Promise<string | undefined> {
  const stat = await files.stat(path).catch(() => null);
  if (stat === null) return "";
  if (stat.kind !== "file" || stat.size > MAX_BYTES) return undefined;
  return new TextDecoder().decode(await files.read(path));
}

function afterOf(tool: string, input: ReturnType<typeof fieldsOf>, before: string): string | undefined {
  if (tool === "write_file") return typeof input.content === "string" ? input.content : undefined;
  const edits = Array.isArray(input.edits) ? input.edits.map((edit) => fieldsOf(edit)) : [input];
  let text = before;
  for (const { old_text, new_text, replace_all } of edits) {
    if (typeof old_text !== "string" || typeof new_text !== "string") return undefined;
    text = applyEdit(text, { oldText: old_text, newText: new_text, replaceAll: replace_all === true }).after;
  }
  return text;
}
