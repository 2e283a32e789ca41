// A server's tool as one of ours. What its server says about it is shown to the model and to people; none of it decides
// anything: permission is always "execute".
import type { ContentPart } from "../../contracts/content.js";
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { freezeLiteralJson, isDeeperThan, MAX_JSON_VALUES } from "../../json/copy.js";
import { compileJsonSchema } from "../../schema/json-schema-validator.js";
import type { ListedTool, Unread } from "./listing.js";
import { mcpFailed, UNKNOWN } from "./mcp-errors.js";
import { type CallTarget, request } from "./remote-call.js";
import { readContent } from "./tool-content.js";

/** The part of a server's connection that its tools need. */
export interface ToolHost {
  readonly server: string;
  /** See `BaseTool.timeoutMs`. */
  readonly toolTimeoutMs: number | null;
  /** The session to call in. @throws ToolError `MCP_DISCONNECTED` */
  target(): CallTarget;
  /** The state of a tool's definition since it was last used. */
  changeOf(tool: ListedTool): "same" | "changed" | "replaced";
  /** A call of the tool was let through. */
  accept(tool: ListedTool): void;
}

const OPEN_SCHEMA = { type: "object" };

/** The members that every tool of a server has. */
export function membersOf(host: ToolHost) {
  return {
    permission: "execute" as const,
    onUnknown: "fail" as const,
    replayable: false,
    timeoutMs: host.toolTimeoutMs,
    claims: () => [{ mode: "write" as const, key: `mcp:${host.server}` }],
  };
}

/** Makes the tool; one whose schema cannot be used takes any object. Resolves once it is ready. */
export async function createRemoteTool(host: ToolHost, name: string, listed: ListedTool): Promise<BaseTool> {
  const checkOutput = await outputCheck(listed);
  const make = (input: JsonObject) =>
    defineTool<JsonObject>({
      ...membersOf(host),
      name,
      description: listed.description,
      input,
      destructive: () => listed.isDestructive,
      describe: () => ({ title: `${host.server}: ${listed.title}`, kind: listed.isReadOnly ? "read" : "other" }),
      checkPermission: () => {
        if (host.changeOf(listed) === "same") return { behavior: "passthrough" };
        const reason = `The MCP server "${host.server}" has changed the definition of "${name}" since it was last used.`;
        return { behavior: "ask", reason };
      },
      execute: (input, context) => callTool(host, listed, checkOutput, input, context),
    });
  const { inputSchema, outputSchema, description } = listed;
  try {
    const tool = make(withoutPatterns(inputSchema as JsonObject) as JsonObject);
    await tool.ready?.();
    tool.definition();
    const about = { name, description, inputSchema: shown(inputSchema), ...(outputSchema && { outputSchema }) };
    const definition = freezeLiteralJson(about) as never;
    return Object.freeze({ ...tool, definition: () => definition });
  } catch {
    const open = make(OPEN_SCHEMA);
    await open.ready?.();
    return open;
  }
}

/** The dialect is for validators; a model needs no line about it. */
function shown({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, type: "object" };
}

type OutputCheck = (value: unknown) => string | undefined;

async function outputCheck({ outputSchema }: ListedTool): Promise<OutputCheck | undefined> {
  if (!outputSchema) return undefined;
  try {
    const validate = await compileJsonSchema(
      withoutPatterns(outputSchema as JsonObject) as JsonSchema,
      outputSchema.$schema,
    );
    return (value) => {
      const result = validate(value);
      return result instanceof Promise ? undefined : result.issues?.[0]?.message;
    };
  } catch {
    return undefined;
  }
}

async function callTool(
  host: ToolHost,
  listed: ListedTool,
  checkOutput: OutputCheck | undefined,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolOutput> {
  const target = host.target();
  const checkDefinition = () => {
    if (host.changeOf(listed) !== "replaced") return;
    const message = `The MCP server "${host.server}" has changed the definition of "${listed.name}" since this call was made. Read its new description, then call it again.`;
    throw new ToolError("MCP_FAILED", { message, details: { server: host.server, outcome: "not-started" } });
  };
  checkDefinition();
  host.accept(listed);
  const renew: CallTarget["renew"] = async (forgotten) => {
    const link = await target.renew(forgotten);
    checkDefinition();
    return link;
  };
  const result = await request({ ...target, renew }, "tools/call", { name: listed.name, arguments: input }, context);
  return readResult(host, result, checkOutput, context);
}

async function readResult(
  { server }: ToolHost,
  { content = [], structuredContent, isError }: Unread,
  checkOutput: OutputCheck | undefined,
  context: ToolContext,
): Promise<ToolOutput> {
  if (!Array.isArray(content))
    throw mcpFailed(server, "sent a result whose content is not a list.", undefined, UNKNOWN);
  if (isDeeperThan(MAX_RESULT_DEPTH, [content, structuredContent], MAX_JSON_VALUES)) {
    throw mcpFailed(
      server,
      `made the call, but sent a result nested more than ${MAX_RESULT_DEPTH} levels deep, which was not read.`,
      undefined,
      UNKNOWN,
    );
  }
  const text = await readContent(content, context);
  const output = text === "" && structuredContent !== undefined ? JSON.stringify(structuredContent) : text;
  const structured: JsonObject =
    structuredContent === undefined ? {} : { structuredContent: structuredContent as JsonValue };
  if (isError === true)
    return { output: output || NO_REASON, isError: true, details: { ...structured, code: "TOOL_FAILED" } };
  const wrong = checkOutput && problemOf(structuredContent, checkOutput);
  if (wrong !== undefined) {
    const message = `The call was made, but the MCP server "${server}" did not keep to the tool's output schema: ${wrong}. It returned:\n`;
    return {
      output: withPrefix(message, output),
      isError: true,
      details: { ...structured, code: "MCP_FAILED", ...UNKNOWN },
    };
  }
  const value = structuredContent as JsonValue | undefined;
  return { output: output || NO_OUTPUT, details: structured, ...(value !== undefined && { value }) };
}

/** The depth of a server's result: later readers may be recursive. */
const MAX_RESULT_DEPTH = 200;

const NO_REASON = "The tool failed and gave no reason.";
const NO_OUTPUT = "The tool returned nothing.";

function problemOf(structured: unknown, checkOutput: OutputCheck): string | undefined {
  if (structured === undefined) return "it sent no structured content";
  return checkOutput(structured);
}

function withPrefix(message: string, output: string | ContentPart[]): string | ContentPart[] {
  return typeof output === "string" ? message + (output || "nothing") : [{ type: "text", text: message }, ...output];
}

/** Keywords whose values are patterns a server wrote: matching one can take longer than the universe will last. */
const PATTERNS: ReadonlySet<string> = new Set(["pattern", "patternProperties", "format"]);
/** Keywords whose values are not schemas, or map names to schemas: a property may be called "pattern". */
const LITERAL: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A server's schema is checked here in everything but its patterns, which the server checks itself. The model is shown
 * the whole.
 */
function withoutPatterns(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept: [string, JsonValue][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "patternProperties") kept.push(["additionalProperties", true]);
    if (PATTERNS.has(keyword)) continue;
    if (keyword === "additionalProperties" && "patternProperties" in schema) continue;
    kept.push([keyword, LITERAL.has(keyword) ? value : NAMED.has(keyword) ? eachOf(value) : withoutPatterns(value)]);
  }
  return Object.fromEntries(kept);
}

function eachOf(named: JsonValue): JsonValue {
  if (typeof named !== "object" || named === null || Array.isArray(named)) return named;
  return Object.fromEntries(
    Object.entries(named as JsonObject).map(([name, schema]) => [name, withoutPatterns(schema)]),
  );
}
