// The look of one tool call in an editor: its tool's description, and the change that it would make to a file.
import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { JsonValue } from "../../contracts/json.js";
import type { CallDescription } from "../../contracts/tool-call.js";
import { fieldsOf } from "../../json/is-object.js";
import { programOf } from "../../json/program-source.js";
import { clip } from "../../text/cut.js";
import { fenced, textContent } from "./result-content.js";

export interface CallLook {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
}

export interface EditorCall {
  readonly name: string;
  readonly input: JsonValue;
  /** Absent: its tool does not say how it looks. */
  readonly description: CallDescription | undefined;
}

/** The shown part of a name that a model has made up. */
const MAX_NAME_CHARS = 200;

type Fields = Readonly<Record<string, unknown>>;

/** `previous`: what the file holds that is about to be replaced, if that is known. */
export function lookOf(
  { name, input, description }: EditorCall,
  cwd: string,
  previous: string | null = null,
): CallLook {
  const { title = clip(name, MAX_NAME_CHARS), kind = "other", paths = [], line } = description ?? {};
  const files = paths.map((path) => (isAbsolute(path) ? path : resolve(cwd, path)));
  const locations = files.map((path, index) => ({ path, ...(index === 0 && line !== undefined && { line }) }));
  const program = programOf(name, input);
  const content = kind === "edit" && files[0] !== undefined ? diffsOf(files[0], fieldsOf(input), previous) : [];
  if (program !== undefined) content.push(textContent(fenced(program, "js")));
  return { title, kind, locations, content };
}

/** The file that a call puts in place whole. */
export function writtenBy({ input, description }: EditorCall): string | undefined {
  const isWhole = description?.kind === "edit" && typeof fieldsOf(input).content === "string";
  return isWhole ? description.paths?.[0] : undefined;
}

/** The diffs in arguments like those of `write_file` and `edit_file`. */
function diffsOf(path: string, fields: Fields, previous: string | null): ToolCallContent[] {
  if (typeof fields.content === "string") return [{ type: "diff", path, oldText: previous, newText: fields.content }];
  const edits = Array.isArray(fields.edits) ? fields.edits.map(fieldsOf) : [fields];
  return edits.flatMap(({ old_text, new_text }): ToolCallContent[] =>
    typeof old_text === "string" && typeof new_text === "string"
      ? [{ type: "diff", path, oldText: old_text, newText: new_text }]
      : [],
  );
}
