import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { ConfigurationError, ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolContext } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { isEffects } from "../../labels/effects.js";
import { readHints } from "../../labels/read-label.js";
import { createSchema, type ToolSchema } from "../../schema/input-schema.js";
import { SchemaIssues } from "../../schema/schema-issues.js";
import { describeValue, quoteShort } from "../../text/describe-value.js";
import { nearestNames } from "../../text/nearest-names.js";

const PERMISSIONS: readonly unknown[] = ["none", "read_only", "read_write", "execute"];
const UNKNOWN_OUTCOMES: readonly unknown[] = ["retry", "ask", "fail"];

type Check = readonly [field: string, isValid: (value: unknown) => boolean, expected: string];

const isFunction = (value: unknown) => typeof value === "function";
const isAbsent = (value: unknown) => value === undefined;

const REQUIRED: readonly Check[] = [
  ["name", isName, "1 to 64 characters of a-z A-Z 0-9 _ -"],
  ["permission", (value) => PERMISSIONS.includes(value), '"none", "read_only", "read_write" or "execute"'],
  ["definition", isFunction, "a function that returns { name, description, inputSchema }"],
  ["execute", isFunction, "an async function or an async generator function"],
];

const OPTIONAL: readonly Check[] = [
  ...[
    "ready",
    "parse",
    "validate",
    "checkPermission",
    "claims",
    "targets",
    "destructive",
    "describe",
    "reminder",
    "afterHooks",
    "endCall",
    "endSession",
  ].map((field): Check => [field, isFunction, "a function"]),
  [
    "effects",
    (value) => isFunction(value) || isEffects(value),
    "a function, or an object of effects and true or false",
  ],
  ["returns", (value) => isFunction(value) || readHints(value) !== undefined, "a function, or hints of a label"],
  ["callers", isCallers, 'an array of "model" and "program"'],
  ["replayable", (value) => typeof value === "boolean", "true or false"],
  ["worksIn", (value) => typeof value === "object" && value !== null, "a workspace"],
  ["ownTools", (value) => value === "refused" || value === "accepted", '"refused" or "accepted"'],
  ["polls", (value) => typeof value === "boolean", "true or false"],
  ["timeoutMs", isTimeout, "a positive, finite number of milliseconds, or null for none"],
  [
    "maxResultChars",
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    "a whole number of characters, 0 or more",
  ],
  ["onUnknown", (value) => UNKNOWN_OUTCOMES.includes(value), '"retry", "ask" or "fail"'],
];

/**
 * Checks that a tool, also a hand-written one, keeps the contract. Calls none of its functions.
 *
 * @throws ConfigurationError `TOOL_INVALID` that names the first wrong field, its value and what was expected
 */
export function assertTool(tool: BaseTool): void {
  if (typeof tool !== "object" || tool === null) {
    throw new ConfigurationError("TOOL_INVALID", {
      message: `A tool must be an object, got ${describeValue(tool)}. Make one with defineTool.`,
    });
  }
  for (const check of REQUIRED) assertField(tool, tool.name, check);
  for (const [field, isValid, expected] of OPTIONAL) {
    assertField(tool, tool.name, [field, (value) => isAbsent(value) || isValid(value), expected]);
  }
}

/**
 * Checks what a tool's `definition()` returned; to be called once the tool is ready.
 *
 * @throws ConfigurationError `TOOL_INVALID` that names the first wrong field, its value and what was expected
 */
export function assertDefinition(definition: ToolDefinition, name: string): void {
  if (typeof definition !== "object" || definition === null) refuse(name, "definition()", definition, "an object");
  assertField(definition, name, ["name", (value) => value === name, `the tool's own name, "${name}"`]);
  assertDescription(name, definition.description);
  assertField(definition, name, ["inputSchema", isObjectSchema, 'a JSON Schema with type: "object" at the top']);
  const isSchema = (value: unknown) => isAbsent(value) || (typeof value === "object" && value !== null);
  assertField(definition, name, ["outputSchema", isSchema, "a JSON Schema"]);
}

/** @throws ConfigurationError `TOOL_INVALID` for a description a model could not read */
function assertDescription(name: string, description: unknown): void {
  if (typeof description === "string" && description.trim() !== "") return;
  refuse(name, "description", description, "a non-empty string that says what the tool does");
}

function assertField(holder: object, name: unknown, [field, isValid, expected]: Check): void {
  const value: unknown = Reflect.get(holder, field);
  if (!isValid(value)) refuse(name, field, value, expected);
}

function refuse(name: unknown, field: string, value: unknown, expected: string): never {
  const tool = typeof name === "string" && name !== "" ? `Tool ${quoteShort(name)}` : "A tool";
  throw new ConfigurationError("TOOL_INVALID", {
    message: `${tool} has a wrong "${field}": expected ${expected}, got ${describeValue(value)}.`,
    details: { field, expected },
  });
}

function isName(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

function isTimeout(value: unknown): boolean {
  return value === null || (typeof value === "number" && value > 0 && Number.isFinite(value));
}

function isCallers(value: unknown): boolean {
  return Array.isArray(value) && value.every((caller) => caller === "model" || caller === "program");
}

function isObjectSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "type") === "object";
}

/** The options of `defineTool`: the members of a `BaseTool`, with a description and a schema in place of its plumbing. */
export interface ToolOptions<Input> extends Omit<BaseTool<Input>, "definition" | "ready" | "parse"> {
  /** The tool's purpose and when to use it, as the model reads it. Not empty. */
  readonly description: string;
  /**
   * A zod 4 or zod 3 schema, a Standard Schema that yields JSON Schema, or a plain JSON Schema, of an object.
   *
   * Left out: the tool takes no arguments, and whatever is sent is dropped.
   */
  readonly input?: ToolSchema<Input> | undefined;
  /** JSON Schema of the `value` of its results, for programs that call it. */
  readonly outputSchema?: JsonSchema | undefined;
}

/**
 * Makes a tool from a plain object; `execute` and the optional members get the schema's output type as their input.
 *
 * A plain JSON Schema carries no type: name it, as in `defineTool<{ path: string }>({ … })`, or get a `JsonObject`.
 * Await the tool's `ready()` before its `definition()`; a registry does.
 *
 * @throws ConfigurationError `TOOL_INVALID` for a wrong member, `SCHEMA_UNSUPPORTED` for a schema no provider would take;
 * for zod 3, zod mini and plain JSON Schema the latter may come from `ready()`
 */
export function defineTool<Input = JsonObject>(options: ToolOptions<Input>): BaseTool<Input> {
  const { description, input = NO_ARGUMENTS as ToolSchema<Input>, outputSchema, ...members } = options;
  const { name } = members;
  let definition: ToolDefinition | undefined;

  const tool: BaseTool<Input> = Object.freeze({
    ...members,
    ready: () => schema.ready(),
    definition() {
      if (definition) return definition;
      const inputSchema = schema.jsonSchema();
      definition = Object.freeze({ name, description, inputSchema, ...(outputSchema && { outputSchema }) });
      return definition;
    },
    parse(args: JsonValue): Input | Promise<Input> {
      try {
        const parsed = schema.parse(args);
        return parsed instanceof Promise ? parsed.catch(refuseInput) : parsed;
      } catch (error) {
        return refuseInput(error);
      }
    },
  });

  function refuseInput(error: unknown): never {
    if (!(error instanceof SchemaIssues)) throw error;
    throw new ToolError("TOOL_INPUT_INVALID", {
      message: `Tool "${name}" got invalid input:\n${error.message}`,
      details: { issues: error.issues.map((issue) => ({ ...issue })) },
    });
  }

  assertMembers(options);
  assertTool(tool);
  assertDescription(name, description);
  const schema = createSchema<Input>(input, `input schema of tool "${name}"`);
  return tool;
}

/** The options of `defineTool` when the run option `context` is an `App`. */
export interface AppToolOptions<Input, App> extends Omit<ToolOptions<Input>, "execute" | "validate"> {
  /** Does the work. `context.app` is what the run was given as `context`. */
  execute(input: Input, context: AppToolContext<App>): ReturnType<BaseTool<Input>["execute"]>;
  /** Checks beyond the schema; throws a `ToolError` that the model can read. */
  validate?: ((input: Input, context: AppToolContext<App>) => Promise<void>) | undefined;
}

/** A tool's context whose `app` is typed. */
export type AppToolContext<App> = Omit<ToolContext, "app"> & { readonly app: App };

/**
 * `defineTool` for tools of one application: `context.app` is an `App`. The engine passes on what the run option `context` is
 * without checking it.
 *
 * @example const define = defineTool.withApp<{ db: Database }>();
 */
defineTool.withApp = function withApp<App>(): <Input = JsonObject>(
  options: AppToolOptions<Input, App>,
) => BaseTool<Input> {
  return (options) => defineTool(options as never);
};

const MEMBERS: { readonly [K in keyof ToolOptions<unknown>]-?: true } = {
  name: true,
  description: true,
  input: true,
  outputSchema: true,
  permission: true,
  execute: true,
  validate: true,
  checkPermission: true,
  worksIn: true,
  ownTools: true,
  claims: true,
  spawns: true,
  callers: true,
  replayable: true,
  polls: true,
  effects: true,
  targets: true,
  returns: true,
  destructive: true,
  describe: true,
  timeoutMs: true,
  maxResultChars: true,
  onUnknown: true,
  reminder: true,
  afterHooks: true,
  endCall: true,
  endSession: true,
};

/** The names of other libraries, and the ones for the same thing here. */
const RENAMED: Readonly<Record<string, string>> = {
  parameters: "input",
  inputSchema: "input",
  schema: "input",
  args: "input",
  run: "execute",
  handler: "execute",
  func: "execute",
  needsApproval: "checkPermission",
  timeout: "timeoutMs",
};

/** The fields that come along when a tool is made from another one, and are made again. */
const PLUMBING: readonly string[] = ["definition", "ready", "parse"];

/** A slip in a member's name, as "inputSchema" for "input", would be a tool that takes no arguments. */
function assertMembers(options: { readonly name: string }): void {
  const isKnown = (member: string) => Object.hasOwn(MEMBERS, member) || PLUMBING.includes(member);
  const unknown = Object.keys(options).find((member) => !isKnown(member));
  if (unknown === undefined) return;
  const hint = Object.hasOwn(RENAMED, unknown) ? RENAMED[unknown] : nearestNames(unknown, Object.keys(MEMBERS), 1)[0];
  const suggestion = hint === undefined ? "" : ` Did you mean "${hint}"?`;
  const message = `Tool "${options.name}" has an unknown member "${unknown}".${suggestion} Expected ${Object.keys(MEMBERS).join(", ")}.`;
  throw new ConfigurationError("TOOL_INVALID", { message });
}

/** An empty object schema that needs no validator. */
const NO_ARGUMENTS: StandardSchemaV1<unknown, JsonObject> & StandardJSONSchemaV1 = {
  "~standard": {
    version: 1,
    vendor: "loopwright",
    validate: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { value: {} }
        : { issues: [{ message: "expected object" }] },
    jsonSchema: {
      input: () => ({ type: "object", properties: {} }),
      output: () => ({ type: "object", properties: {} }),
    },
  },
};
