import { expect, test } from "vitest";
import type { PermissionDecision } from "../../../../src/contracts/permission.js";
import { isUnconditionalAllow, readDecision } from "../../../../src/engine/calls/permission/gate.js";

test.each<PermissionDecision>([
  { behavior: "allow" },
  { behavior: "ask", reason: "why not", suggestions: [] },
  { behavior: "deny", reason: "no" },
])("$behavior is a decision", (decision) => {
  expect(readDecision(decision)).toBe(decision);
});

test.each([
  undefined,
  null,
  true,
  "allow",
  {},
  { behavior: "yes" },
  { behavior: "passthrough" },
  { behavior: "allow", reason: 1 },
  { behavior: "allow", suggestions: "all" },
])("%j is not, and so it denies", (value) => {
  expect(readDecision(value as never)).toMatchObject({ behavior: "deny", reason: expect.stringContaining("gate") });
});

test("an allow that changes the input is not unconditional", () => {
  expect(isUnconditionalAllow({ behavior: "allow" })).toBe(true);
  expect(isUnconditionalAllow({ behavior: "allow", updatedInput: {} })).toBe(false);
  expect(isUnconditionalAllow({ behavior: "ask" })).toBe(false);
});
