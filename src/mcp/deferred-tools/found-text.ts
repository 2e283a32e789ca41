// The result of a search as the model reads it: the best tools with their whole schemas, the next ones in short, never more than a bound.
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import { CALL_TOOL, TOOL_SEARCH } from "./inner-call.js";

/** Below what a tool result may have by default, so that no part of an answer is moved elsewhere. Unit: characters. */
const MAX_CHARS = 16_000;
const MAX_DESCRIPTION_CHARS = 1_000;
/** A schema of one tool; a search for that tool alone shows more. */
const MAX_SCHEMA_CHARS = 6_000;
const MAX_SHORT_CHARS = 160;

/** Tools with what is needed to call them. */
export function foundText(found: readonly ToolDefinition[], total: number): string {
  const schemaChars = found.length === 1 ? MAX_CHARS - 2 * MAX_DESCRIPTION_CHARS : MAX_SCHEMA_CHARS;
  const whole: string[] = [];
  let left = MAX_CHARS - 400;
  for (const [index, definition] of found.entries()) {
    const text = wholeText(definition, schemaChars);
    if (text.length > left)
      return [heading(found.length, total), ...whole, restText(found.slice(index), left)].join("\n\n");
    left -= text.length + 2;
    whole.push(text);
  }
  return [heading(found.length, total), ...whole].join("\n\n");
}

function heading(count: number, total: number): string {
  return `${count} of ${total} ${total === 1 ? "tool" : "tools"}, best match first. Run one with ${CALL_TOOL}: its name, and arguments that fit its input schema.`;
}

function wholeText({ name, description, inputSchema }: ToolDefinition, maxSchemaChars: number): string {
  const schema = JSON.stringify(inputSchema);
  const shown =
    schema.length <= maxSchemaChars
      ? `Input schema: ${schema}`
      : `Input schema, cut after ${maxSchemaChars} of ${schema.length} characters: ${clip(schema, maxSchemaChars)}`;
  return `${name}\n${clip(description.trim(), MAX_DESCRIPTION_CHARS)}\n${shown}`;
}

function restText(rest: readonly ToolDefinition[], maxChars: number): string {
  const lines = rest.map(({ name, description }) => `- ${name}: ${clip(asOneLine(description), MAX_SHORT_CHARS)}`);
  const note = `Without their input schemas, which ${TOOL_SEARCH} shows for a name:`;
  const text = [note];
  let left = Math.max(maxChars, 0) + 300 - note.length;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    text.push(line);
  }
  const hidden = rest.length - (text.length - 1);
  return hidden === 0 ? text.join("\n") : `${text.join("\n")}\n- and ${hidden} more`;
}
