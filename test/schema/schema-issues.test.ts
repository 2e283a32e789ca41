import { expect, test } from "vitest";
import { SchemaIssues } from "../../src/schema/schema-issues.js";

const message = (value: unknown, ...found: ConstructorParameters<typeof SchemaIssues>[1]) =>
  new SchemaIssues(value, found).message;

test("an issue names its place, what was expected and what is there", () => {
  const value = { edits: [{ old_text: 3 }] };
  const path = ["edits", 0, "old_text"];

  expect(message(value, { path, message: "Invalid input: expected string", expected: "string" })).toBe(
    '- "edits[0].old_text": expected string, got number 3',
  );
  expect(message(3, { message: "Invalid input", expected: "object" })).toMatch(/^- the whole value: expected object/);
});

test("a message that the schema's author wrote stays in front", () => {
  expect(message({ n: 3 }, { path: ["n"], message: "Pick an even number.", expected: "number" })).toMatch(
    /^- "n": Pick an even number \(expected number, got /,
  );
});

test("an unknown key is named with the nearest key that the schema has at that place", () => {
  const item = { type: "object", properties: { old_text: {} } };
  const schema = { type: "object", properties: { edits: { type: "array", items: item } } } as const;
  const found = {
    path: ["edits", 0],
    message: "Unrecognized keys",
    code: "unrecognized_keys",
    keys: ["oldtext", "zzz"],
  };

  expect(new SchemaIssues({ edits: [{}] }, [found], schema).message).toBe(
    '- "edits[0]": expected no unknown keys, got "oldtext" (did you mean "old_text"?), "zzz"',
  );
});

test("choices are listed", () => {
  const found = { path: ["mode"], message: "Invalid option", values: ["read", "write"] };

  expect(message({ mode: "delete" }, found)).toContain('"read" | "write"');
});

test("of a union, the nearest alternative is reported", () => {
  const errors = [
    [{ message: "expected string", expected: "string", path: [] }],
    [{ message: "expected number", expected: "number", path: ["count"] }],
  ];

  expect(message({ count: "3" }, { message: "Invalid input", errors })).toMatch(/^- "count": expected number/);
});

test("ten issues are shown, the rest is counted, and every line is bounded", () => {
  const found = Array.from({ length: 25 }, (_, n) => ({ path: [n], message: "x".repeat(10_000) }));
  const lines = message([], ...found).split("\n");

  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe("and 15 more");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400);
});
