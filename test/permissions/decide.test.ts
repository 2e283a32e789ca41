import { expect, test } from "vitest";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { bash } from "./kit.js";

const step = async (options: Parameters<typeof createPermissionChecker>[0], command: string) =>
  (await createPermissionChecker(options).explain(bash(command))).step;

test("each decision names the step that made it", async () => {
  expect(await step({ rules: { deny: ["Bash(ls)"] } }, "ls")).toBe("deny-rule");
  expect(await step({}, "rm -rf /")).toBe("catastrophic-command");
  expect(await step({ rules: { ask: ["Bash(ls)"] } }, "ls")).toBe("ask-rule");
  expect(await step({ rules: { allow: ["Bash(npm test)"] } }, "npm test")).toBe("allow-rule");
  expect(await step({}, "eval $x")).toBe("not-understood");
  expect(await step({ rules: { allow: ["Bash"] } }, "git push --force")).toBe("destructive-command");
  expect(await step({}, "ls")).toBe("mode");
  expect(await step({ mode: "plan" }, "npm test")).toBe("mode");
  expect(await step({}, "npm test")).toBe("default");
});

test("what a tool says of its own input is a step of its own", async () => {
  const tool = (behavior: "deny" | "ask") => ({
    name: "deploy",
    permission: "execute" as const,
    checkPermission: () => ({ behavior }),
  });
  const checker = createPermissionChecker();
  expect((await checker.explain({ tool: tool("deny"), input: {} })).step).toBe("tool-deny");
  expect((await checker.explain({ tool: tool("ask"), input: {} })).step).toBe("tool-ask");
});

test.each([
  ["read_file", { file: "secrets/key" }],
  ["read_file", { path: ["secrets/key"] }],
  ["web_fetch", { url: "evil.example/x" }],
])("while a rule denies some of them, an input of %s that names none as expected asks: %j", async (tool, input) => {
  const rules = { allow: ["Read", "WebFetch"], deny: ["Read(secrets/**)", "WebFetch(domain:evil.example)"] };
  const { step, decision } = await createPermissionChecker({ rules }).explain({ tool, input });
  expect([step, decision.behavior]).toEqual(["not-understood", "ask"]);
});
