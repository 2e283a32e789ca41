import { expect, test } from "vitest";
import { BUILTIN_SUBAGENTS, defineSubagent } from "../../src/subagents/index.js";

const whole = { name: "a", description: "Does it", systemPrompt: "Do it." };

test("a definition is frozen, and its tools have our names", () => {
  const made = defineSubagent({ ...whole, tools: ["Read", "bash", "read_file", "write"], disallowedTools: ["Write"] });

  expect(made).toEqual({ ...whole, tools: ["read_file", "bash", "write"], disallowedTools: ["write_file"] });
  expect(Object.isFrozen(made) && Object.isFrozen(made.tools)).toBe(true);
});

test.each([
  ["name", { ...whole, name: "" }],
  ["name", { ...whole, name: "a/b" }],
  ["name", { ...whole, name: " a" }],
  ["description", { ...whole, description: " " }],
  ["systemPrompt", { name: "a", description: "b" }],
  ["tools[0]", { ...whole, tools: [5] }],
  ["maxTurns", { ...whole, maxTurns: 0 }],
  ["kind", { ...whole, kind: "slow" }],
  ["isolation", { ...whole, isolation: "docker" }],
  ["model", { ...whole, model: "opus" }],
  ["permissions", { ...whole, permissions: {} }],
  ["isolation", { ...whole, kind: "fork", isolation: "worktree" }],
])("a wrong %s is refused by name", (option, definition) => {
  expect(() => defineSubagent(definition as never)).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", details: expect.objectContaining({ option }) }),
  );
});

test("an unknown option is refused with the nearest known one", () => {
  expect(() => defineSubagent({ ...whole, maxTurn: 5 } as never)).toThrow(/Did you mean "maxTurns"/);
  expect(() => defineSubagent({ ...whole, allowedTools: [] } as never)).toThrow(/Did you mean "tools"/);
});

test("a general-purpose one and a read-only explorer are built in", () => {
  expect(BUILTIN_SUBAGENTS.map(({ name, readOnly, tools }) => [name, readOnly, tools])).toEqual([
    ["general-purpose", undefined, undefined],
    ["explorer", true, undefined],
  ]);
});
