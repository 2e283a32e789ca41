import { expect, test } from "vitest";
import type { BaseTool } from "../../../src/contracts/tool.js";
import { assertDefinition, assertTool, defineTool } from "../../../src/engine/tools/define-tool.js";

const definition = { name: "grep", description: "Searches.", inputSchema: { type: "object" } };
const handWritten: BaseTool = {
  name: "grep",
  permission: "read_only",
  definition: () => definition,
  execute: async () => "",
};

test("a hand-written tool with the four required members is a tool", () => {
  expect(() => assertTool(handWritten)).not.toThrow();
  expect(() => assertTool({ ...handWritten, timeoutMs: null, maxResultChars: 0, onUnknown: "ask" })).not.toThrow();
});

test.each([
  ["name", "", 'string ""'],
  ["name", "read file", 'string "read file"'],
  ["name", "grep\n", 'string "grep\\n"'],
  ["name", "x".repeat(65), "(65 characters)"],
  ["name", "größe", 'string "größe"'],
  ["name", undefined, "nothing"],
  ["name", Symbol("grep"), "symbol"],
  ["permission", "write", 'string "write"'],
  ["permission", undefined, "nothing"],
  ["execute", "run", 'string "run"'],
  ["validate", true, "boolean true"],
  ["checkPermission", null, "null"],
  ["claims", [], "array of 0 items"],
  ["destructive", true, "boolean true"],
  ["endSession", {}, "an empty object"],
  ["replayable", "yes", 'string "yes"'],
  ["timeoutMs", 0, "number 0"],
  ["timeoutMs", -5, "number -5"],
  ["timeoutMs", Number.NaN, "number NaN"],
  ["timeoutMs", Number.POSITIVE_INFINITY, "number Infinity"],
  ["timeoutMs", "5", 'string "5"'],
  ["maxResultChars", -1, "number -1"],
  ["maxResultChars", 1.5, "number 1.5"],
  ["maxResultChars", null, "null"],
  ["onUnknown", "skip", 'string "skip"'],
])("a wrong %s (%j) is refused with its value and what was expected", (field, value, received) => {
  const broken = { ...handWritten, description: "Searches.", [field]: value };
  const failure = {
    name: "ConfigurationError",
    code: "TOOL_INVALID",
    message: expect.stringMatching(new RegExp(`has a wrong "${field}": expected .+, got .+\\.$`)),
  };

  for (const check of [() => assertTool(broken as BaseTool), () => defineTool(broken as never)]) {
    expect(check).toThrow(expect.objectContaining(failure));
    expect(check).toThrow(received);
  }
});

test("a tool that is not an object, or has no definition, is refused", () => {
  expect(() => assertTool(null as never)).toThrow(/must be an object, got null/);
  expect(() => assertTool({ ...handWritten, definition: {} } as never)).toThrow(/wrong "definition"/);
});

test("a description the model could not read is refused", () => {
  for (const description of ["", "  \n", undefined, 5]) {
    expect(() => defineTool({ ...handWritten, description } as never)).toThrow(/Tool "grep" has a wrong "description"/);
    expect(() => assertDefinition({ ...definition, description } as never, "grep")).toThrow(/wrong "description"/);
  }
});

test("a definition must bear the tool's name and an object schema", () => {
  expect(() => assertDefinition(definition, "grep")).not.toThrow();
  expect(() => assertDefinition(definition, "find")).toThrow(/expected the tool's own name, "find", got string "grep"/);
  expect(() => assertDefinition(undefined as never, "grep")).toThrow(/definition\(\)/);
  for (const inputSchema of [undefined, null, {}, { type: "string" }]) {
    expect(() => assertDefinition({ ...definition, inputSchema } as never, "grep")).toThrow(/wrong "inputSchema"/);
  }
});
