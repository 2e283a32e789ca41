import { expect, test } from "vitest";
import { AgentEngine, defineTool } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createSkillTool, defineSkill, loadSkills, type SkillOptions } from "../../src/skills/index.js";

const bash = defineTool<{ command: string }>({
  name: "bash",
  description: "Runs a command.",
  input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  permission: "execute",
  execute: async ({ command }) => `ran ${command}`,
});

async function agent(skills: readonly SkillOptions[], turns: Parameters<typeof scripted>[0], rules = {}) {
  const catalog = await loadSkills({ skills: skills.map(defineSkill) });
  const provider = scripted(turns);
  const engine = new AgentEngine({
    provider,
    tools: [createSkillTool(catalog), bash],
    contextSources: [catalog.source],
    permissions: catalog.gate(createPermissionChecker({ rules })),
  });
  return { engine, provider, catalog };
}

const release = {
  name: "release",
  description: "Publishes a release.",
  instructions: "Tag with git tag, then publish $ARGUMENTS.",
  allowedTools: ["Bash(git tag *)"],
  guardrails: ["Never publish on Fridays.", { text: "Never push by force.", rule: "Bash(git push --force *)" }],
  chainsTo: ["announce"],
} satisfies SkillOptions;
const announce = {
  name: "announce",
  description: "Announces.",
  instructions: "Announce it.",
  chainsTo: ["release"],
} satisfies SkillOptions;

test("a skill's instructions reach the model, with arguments and guardrails, and the prompt prefix stays", async () => {
  const { engine, provider } = await agent(
    [release, announce],
    [toolCall("skill", { name: "release", arguments: "v2" }), text("ok")],
  );

  await engine.run("Release version 2.");

  const [first, second] = provider.requests;
  const brought = JSON.stringify(second!.messages);
  expect(brought).toContain("then publish v2.");
  expect(brought).toContain("Never publish on Fridays.");
  expect(brought).toContain("announce");
  expect(second!.system).toEqual(first!.system);
  expect(second!.tools).toEqual(first!.tools);
  expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
});

test("allowed-tools count from the skill's body to the end of the run, and for this agent alone", async () => {
  const { engine } = await agent(
    [release],
    [
      toolCall("skill", { name: "release" }),
      toolCall("bash", { command: "git tag v2" }),
      text("tagged"),
      toolCall("bash", { command: "git tag v3" }),
      toolCall("bash", { command: "git tag v4" }),
    ],
  );

  const during = await engine.run("Release.", { sessionId: "a" });
  const after = await engine.run("Tag again.", { sessionId: "a" });
  const other = await engine.run("Tag.", { sessionId: "b" });

  expect([during.status, after.status, other.status]).toEqual(["completed", "needs-approval", "needs-approval"]);
});

test("deny rules, ask rules and guardrails win over allowed-tools", async () => {
  const statuses: string[] = [];
  for (const [rules, command] of [
    [{ deny: ["Bash(git tag *)"] }, "git tag v2"],
    [{ ask: ["Bash(git tag *)"] }, "git tag v2"],
    [{ allow: ["Bash"] }, "git push --force origin main"],
  ] as const) {
    const { engine, provider } = await agent(
      [release],
      [toolCall("skill", { name: "release" }), toolCall("bash", { command }), text("ok")],
      rules,
    );
    const result = await engine.run("Release.");
    statuses.push(
      result.status === "completed" ? String(provider.requests[2]!.lastToolResult?.isError) : result.status,
    );
  }

  expect(statuses).toEqual(["true", "needs-approval", "true"]);
});

test("onlyTools narrows what may be called while the skill is in use", async () => {
  const { engine, provider } = await agent(
    [{ name: "read-only", description: "Reads.", instructions: "Read.", onlyTools: ["read_file"] }],
    [toolCall("skill", { name: "read-only" }), toolCall("bash", { command: "ls" }), text("ok")],
    { allow: ["Bash"] },
  );

  await engine.run("Look.");

  expect(provider.requests[2]!.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining('The skill "read-only" is in use and allows only read_file.'),
  });
});

test("a chain that comes back to a skill in use ends there and shows the chain", async () => {
  const { engine, provider } = await agent(
    [release, announce],
    [
      toolCall("skill", { name: "release" }),
      toolCall("skill", { name: "announce" }),
      toolCall("skill", { name: "release" }),
      text("ok"),
    ],
  );

  await engine.run("Go.");

  expect(provider.requests[2]!.lastToolResult?.output).toContain("The chain so far: release → announce.");
  expect(provider.requests[3]!.lastToolResult?.output).toBe(
    'The skill "release" is already in use in this run (release → announce → release). Go on with its instructions above.',
  );
});

test("an unknown skill is an error that names the nearest one", async () => {
  const { engine, provider } = await agent([release], [toolCall("skill", { name: "relase" }), text("ok")]);

  await engine.run("Go.");

  expect(provider.requests[1]!.lastToolResult).toMatchObject({
    isError: true,
    output: 'There is no skill "relase" to use. Did you mean "release"?',
  });
});

test("what a skill allows survives a suspension, also in another engine", async () => {
  const sessions = (await import("../../src/sessions/index.js")).createMemorySessionStore();
  const catalog = await loadSkills({ skills: [defineSkill(release)] });
  const build = async (turns: Parameters<typeof scripted>[0]) => {
    const own = await loadSkills({ skills: [defineSkill(release)] });
    return new AgentEngine({
      provider: scripted(turns),
      sessions,
      tools: [createSkillTool(own), bash],
      contextSources: [own.source],
      permissions: own.gate(createPermissionChecker()),
    });
  };
  const first = await build([toolCall("skill", { name: "release" }), toolCall("bash", { command: "npm publish" })]);
  const suspended = await first.run("Release.", { sessionId: "s" });

  const second = await build([toolCall("bash", { command: "git tag v2" }), text("done")]);
  const answers = suspended.pending.map(({ id }) => ({ id, decision: "allow" as const }));
  const result = await second.resume("s", { answers }).result;

  expect(catalog.skills).toHaveLength(1);
  expect([suspended.status, result.status]).toEqual(["needs-approval", "completed"]);
});

test("a gate that does not understand added rules is refused while a skill has some", async () => {
  const catalog = await loadSkills({ skills: [defineSkill(release)] });

  expect(() => catalog.gate({ decide: () => ({ behavior: "allow" }) })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});
