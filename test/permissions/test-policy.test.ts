import { expect, test } from "vitest";
import { createPermissionChecker, testPolicy } from "../../src/permissions/index.js";

const permissions = createPermissionChecker({ rules: { allow: ["Bash(make *)"], deny: ["Bash(git push:*)"] } });

test("a policy that decides as expected has no failures", async () => {
  const cases = [
    { tool: "bash", input: { command: "make all" }, expect: "allow" },
    { tool: "bash", input: { command: "git push" }, expect: "deny" },
    { tool: "bash", input: { command: "make all" }, expect: "deny", mode: "plan" },
  ] as const;
  expect(await testPolicy(permissions, cases)).toEqual([]);
});

test("a failure names its case, what was expected, and why it was decided differently", async () => {
  const [failure] = await testPolicy(permissions, [{ tool: "bash", input: { command: "npm test" }, expect: "allow" }]);
  expect(failure).toMatchObject({ name: 'bash {"command":"npm test"}', expected: "allow", actual: "ask" });
  expect(failure?.explanation.step).toBe("default");
});
