// A server's lists, read with suspicion: a clear entry is used, any other is left out and reported, and nothing
// is longer than a prompt can bear.
import type { Client } from "@modelcontextprotocol/client";
import type { JsonSchema } from "../../contracts/json.js";
import { strongDigest } from "../../json/digest.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import { asSentence } from "./mcp-errors.js";

/** A tool of a server, as it may be shown to a model. */
export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** The line that a person is shown: its title, or its name. */
  readonly title: string;
  /** By its own word, which decides nothing. */
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** The digest of the whole definition, as the server sent it. */
  readonly digest: string;
}

export interface Listing {
  readonly tools: readonly ListedTool[];
  /** The entries that were left out or replaced, and why. */
  readonly problems: readonly string[];
}

const MAX_PAGES = 100;
const MAX_TOOLS = 1_000;
const MAX_PROBLEMS = 50;
/** Units: characters. */
const MAX_NAME_CHARS = 256;
const MAX_TITLE_CHARS = 160;
const MAX_DESCRIPTION_CHARS = 8_000;
const MAX_SCHEMA_CHARS = 100_000;
const MAX_SCHEMA_DEPTH = 64;

const OPEN_SCHEMA: JsonSchema = { type: "object" };

/** A result of a server: an object, and no more is known of it. */
export type Unread = { readonly [field: string]: unknown };

/** A result is read here, not by the SDK: one wrong tool would make it refuse all of them. */
export const UNREAD = {
  "~standard": {
    version: 1 as const,
    vendor: "loopwright",
    validate: (value: unknown) => ({ value: value as Unread }),
  },
};

/** Asks for all pages of `tools/list`. @throws Error when the server does not give a list */
export async function listTools(client: Client, options: { timeout: number; signal: AbortSignal }): Promise<Listing> {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const sent = await listAll(client, "tools", options, report);
  const tools = new Map<string, ListedTool>();
  for (const each of sent) {
    const tool = readTool(each, report);
    if (!tool) continue;
    if (tools.has(tool.name)) report(`two tools are named ${show(tool.name)}; the first one is used`);
    else if (tools.size >= MAX_TOOLS) {
      report(`it lists more than ${MAX_TOOLS} tools; the rest is left out`);
      break;
    } else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], problems };
}

/** The items of every page, unread. @throws Error when what comes is not a list */
export async function listAll(
  client: Client,
  list: "tools" | "resources" | "prompts",
  options: { timeout: number; signal: AbortSignal },
  report: (problem: string) => void = () => {},
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const request = { method: `${list}/list`, params: cursor === undefined ? {} : { cursor } };
    const result = await client.request(request as never, UNREAD, options);
    const { [list]: found, nextCursor } = result as Unread;
    if (!Array.isArray(found)) throw new Error(`its list of ${list} is not a list`);
    for (const item of found) items.push(item);
    if (typeof nextCursor !== "string" || nextCursor === "") return items;
    const isEndless = cursors.has(nextCursor) || page + 1 >= MAX_PAGES || items.length > 10 * MAX_TOOLS;
    if (isEndless) {
      report(`its list of ${list} does not end; ${items.length} were read`);
      return items;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

function readTool(sent: unknown, report: (problem: string) => void): ListedTool | null {
  if (!isObject(sent)) {
    report("a tool is not an object; it is left out");
    return null;
  }
  const { name, annotations } = sent;
  if (typeof name !== "string" || name.trim() === "" || name.length > MAX_NAME_CHARS) {
    report(`a tool has no name of 1 to ${MAX_NAME_CHARS} characters; it is left out`);
    return null;
  }
  const inputSchema = readSchema(sent.inputSchema, true);
  if (!inputSchema) report(`the input schema of ${show(name)} cannot be used; the tool takes any object`);
  const outputSchema = sent.outputSchema === undefined ? undefined : readSchema(sent.outputSchema, false);
  if (outputSchema === null) report(`the output schema of ${show(name)} cannot be used; its results are not checked`);
  const hints = isObject(annotations) ? annotations : {};
  return {
    name,
    description: describe(name, sent, report),
    inputSchema: inputSchema ?? OPEN_SCHEMA,
    outputSchema: outputSchema ?? undefined,
    title: titleOf(name, [sent.title, hints.title]),
    isReadOnly: hints.readOnlyHint === true,
    isDestructive: hints.destructiveHint === true,
    digest: digestOf(sent),
  };
}

function describe(name: string, sent: Record<string, unknown>, report: (problem: string) => void): string {
  const text = [sent.description, sent.title].find((each) => typeof each === "string" && each.trim() !== "");
  if (text === undefined) return `The tool ${show(name)}. Its server does not say what it does.`;
  const plain = visibleText(text as string).trim();
  if (plain.length > MAX_DESCRIPTION_CHARS) {
    report(`the description of ${show(name)} has ${plain.length} characters; it is cut to ${MAX_DESCRIPTION_CHARS}`);
  }
  return clip(plain, MAX_DESCRIPTION_CHARS) || `The tool ${show(name)}.`;
}

function titleOf(name: string, titles: readonly unknown[]): string {
  const shown = [...titles, name].map((each) => (typeof each === "string" ? visibleText(each).trim() : ""));
  return clip(shown.find((text) => text !== "") ?? "", MAX_TITLE_CHARS);
}

/** A text without control characters, and without those that show nothing: what a person would not see, no model reads. */
export function visibleText(text: string): string {
  return withoutControls(text).replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, "");
}

/** A schema of an object, small enough to be sent with each request; `null`: it cannot be used. */
function readSchema(schema: unknown, isInput: boolean): JsonSchema | null {
  if (!isObject(schema) || depthOf(schema, 0) > MAX_SCHEMA_DEPTH) return null;
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return null;
  if (schema.type === "object") return schema as JsonSchema;
  if (!isInput) return schema as JsonSchema;
  return schema.type === undefined ? ({ ...schema, type: "object" } as JsonSchema) : null;
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null || depth > MAX_SCHEMA_DEPTH) return depth;
  return Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, depth + 1)), depth);
}

function digestOf(sent: Record<string, unknown>): string {
  try {
    return strongDigest(sent);
  } catch {
    return `unreadable ${String(sent.name)}`;
  }
}

function show(name: string): string {
  return JSON.stringify(clip(asSentence(name).slice(0, -1) || name, 100));
}
