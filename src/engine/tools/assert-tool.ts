import { ConfigurationError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { isEffects } from "../../labels/effects.js";
import { readHints } from "../../labels/read-label.js";
import { describeValue, quoteShort } from "../../text/describe-value.js";

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
export function assertDescription(name: string, description: unknown): void {
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
