// The checker as the gate of an engine: on every path, with answers that are remembered, and over sub-agents.
import { afterAll, beforeAll, expect, test } from "vitest";
import { AgentEngine, type BaseTool, type PermissionUpdate } from "../../src/index.js";
import { createPermissionChecker, isReadOnlyCommand } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { gateContract } from "../../src/testing/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { project } from "./kit.js";

let world: Awaited<ReturnType<typeof project>>;
beforeAll(async () => {
  world = await project();
});
afterAll(() => world.close());

const rules = { allow: ["Bash(make all)"], deny: ["Bash(git push:*)"] };
const samples = {
  tool: "bash",
  allowed: { command: "make all" },
  asked: { command: "npm test" },
  denied: { command: "ls && git -C x push --force" },
};
for (const each of gateContract(() => createPermissionChecker({ rules }), samples))
  test(`commands: ${each.name}`, each.run);
for (const each of gateContract(() => createPermissionChecker({ rules, workspace: world.workspace }), samples)) {
  test(`commands in a workspace: ${each.name}`, each.run);
}
const fileRules = { allow: ["Edit(src/**)"], deny: ["Edit(secrets/**)"] };
const fileSamples = {
  tool: "write_file",
  permission: "read_write" as const,
  allowed: { path: "src/a.ts", content: "" },
  asked: { path: "docs/a.md", content: "" },
  denied: { path: "secrets/a", content: "" },
};
for (const each of gateContract(
  () => createPermissionChecker({ rules: fileRules, workspace: world.workspace }),
  fileSamples,
)) {
  test(`files: ${each.name}`, each.run);
}

test("'always' answers the next call of the same kind, and no other", async () => {
  const asked: string[] = [];
  const { workspace } = world;
  const engine = new AgentEngine({
    provider: scripted([
      toolCall("bash", { command: "mkdir -p made" }),
      toolCall("bash", { command: "mkdir -p made/again" }),
      toolCall("bash", { command: "touch made/x" }),
      text("Done."),
    ]),
    tools: builtinTools(workspace, { names: ["bash"], bash: { isReadOnlyCommand } }),
    permissions: createPermissionChecker({ workspace }),
    approver: ({ input, suggestions }) => {
      asked.push((input as { readonly command: string }).command);
      return { decision: "allow", remember: suggestions };
    },
  });

  expect(await engine.run("Go.")).toMatchObject({ status: "completed" });
  await engine.close();
  expect(asked).toEqual(["mkdir -p made", "touch made/x"]);
});

test.each<[parent: readonly string[], child: readonly string[], ran: boolean]>([
  [["Bash(make *)"], ["Bash(make *)"], true],
  [["Bash(make *)"], [], false],
  [[], ["Bash(make *)"], false],
])("a sub-agent's call needs the yes of its parent's rules %j and of its own %j", async (parent, child, ran) => {
  const made: string[] = [];
  const bash: BaseTool = {
    name: "bash",
    permission: "execute",
    definition: () => ({ name: "bash", description: "Runs.", inputSchema: { type: "object" } }),
    execute: async ({ command }) => {
      made.push(command);
      return "ok";
    },
  };
  const permissions = createPermissionChecker({ mode: "dontAsk", rules: { allow: child } });
  const task: BaseTool = {
    name: "task",
    permission: "none",
    timeoutMs: null,
    definition: () => ({ name: "task", description: "Delegates.", inputSchema: { type: "object" } }),
    execute: async (_input, { spawn }) =>
      (await spawn!({ name: "maker", description: "Makes.", systemPrompt: "Make.", permissions }, "Make.")).text,
  };
  const engine = new AgentEngine({
    provider: scripted([toolCall("task"), toolCall("bash", { command: "make all" }), text("Made."), text("Done.")]),
    tools: [bash, task],
    permissions: createPermissionChecker({ mode: "dontAsk", rules: { allow: parent } }),
  });

  await engine.run("Go.");
  await engine.close();
  expect(made).toEqual(ran ? ["make all"] : []);
});

test("an answer whose update is malformed lets its call run, and is remembered in nothing", async () => {
  const remember: PermissionUpdate[] = [
    { type: "addRules", behavior: "allow", rules: ["bash("], destination: "session" },
  ];
  let asked = 0;
  const engine = new AgentEngine({
    provider: scripted([
      toolCall("bash", { command: "touch a" }),
      toolCall("bash", { command: "touch a" }),
      text("Done."),
    ]),
    tools: builtinTools(world.workspace, { names: ["bash"] }),
    permissions: createPermissionChecker({ workspace: world.workspace }),
    approver: () => {
      asked++;
      return { decision: "allow", remember };
    },
  });

  expect(await engine.run("Go.")).toMatchObject({ status: "completed" });
  await engine.close();
  expect(asked).toBe(2);
});

test.each([
  ["ls -la", true],
  ["git status && git diff | head", true],
  ["cat /etc/hosts", true],
  ["cd src", false],
  ["npm test", false],
  ["echo x > a", false],
  ["ls; rm x", false],
  ["$X", false],
  ["", false],
])("%s only reads: %s", (command, expected) => expect(isReadOnlyCommand(command)).toBe(expected));
