// Fields of a SKILL.md that say who may use it, and with what.
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSkillTool, loadSkills } from "loopwright/skills";
import { expect, test } from "vitest";
import { directoryWith, skillText } from "./kit.js";

const DEPLOY = "name: deploy\ndescription: Deploys the site.\ndisable-model-invocation: true";

async function loaded(front: string, name = "deploy") {
  return loadSkills({ dirs: [directoryWith({ [`${name}/SKILL.md`]: skillText(front) })], trustProject: true });
}

async function played(front: string, prompt: string) {
  const catalog = await loaded(front);
  const provider = scripted([toolCall("skill", { name: "deploy" }), text("Done.")]);
  const engine = new AgentEngine({
    provider,
    tools: [createSkillTool(catalog)],
    contextSources: [catalog.source],
    permissions: catalog.gate(createPermissionChecker()),
  });
  await engine.run(prompt);
  return {
    listed: provider.requests[0]!.system.map((each) => each.text).join(),
    result: provider.requests[1]!.lastToolResult,
  };
}

test.each(["true", '"true"', "yes", "maybe"])(
  "a skill with disable-model-invocation: %s is not listed, and the model cannot begin to use it",
  async (value) => {
    const { listed, result } = await played(DEPLOY.replace("true", value), "Make the site ready; do not deploy.");

    expect(listed).not.toContain("deploy");
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining("for the user alone") });
  },
);

test.each(["/deploy now", "Please run /deploy", 'Use the skill "deploy": to staging', "Use the deploy skill."])(
  "the model may use it when the user names it: %s",
  async (prompt) => {
    const { listed, result } = await played(DEPLOY, prompt);

    expect(listed).not.toContain("deploy");
    expect(result?.isError).toBeFalsy();
  },
);

test.each(["see docs/deploy.md", "src/deploy", "/deploy-all"])("a path is not its name: %s", async (prompt) => {
  const { result } = await played(DEPLOY, prompt);

  expect(result).toMatchObject({ isError: true });
});

test("use() puts it in use, and select() does not choose it", async () => {
  const catalog = await loaded(DEPLOY);

  catalog.use("deploy", "s");

  expect(catalog.select("Deploys the site.")).toEqual([]);
  expect(catalog.skills.map(({ name, usedBy }) => [name, usedBy])).toEqual([["deploy", "user"]]);
});

test("a skill with user-invocable: false is the model's alone", async () => {
  const front = "name: deploy\ndescription: Deploys the site.\nuser-invocable: false";

  expect((await loaded(front)).skills).toMatchObject([{ name: "deploy", usedBy: "model" }]);
  expect((await played(front, "Go.")).listed).toContain("deploy");
});

test.each(["context: fork", "agent: Explore", "hooks:\n  PreToolUse: []", 'disallowed-tools: "Bash("'])(
  "a skill with a field that restricts and is not enforced is left out: %s",
  async (field) => {
    const catalog = await loaded(`name: deploy\ndescription: Deploys the site.\n${field}`);

    expect(catalog.skills).toEqual([]);
    expect(catalog.problems).toMatchObject([{ message: expect.stringContaining("the skill is left out") }]);
  },
);

test("disallowed-tools denies while the skill is in use", async () => {
  const catalog = await loaded("name: deploy\ndescription: Deploys.\ndisallowed-tools: Bash(rm *)");
  const gate = catalog.gate(createPermissionChecker({ mode: "bypassPermissions" }));
  await catalog.source.load({
    sessionId: "s",
    transcriptId: "s",
    agentPath: [],
    app: null,
    signal: AbortSignal.any([]),
    messages: () => [],
  });
  const decide = async () =>
    (await gate.decide({ tool: "bash", input: { command: "rm a" }, transcriptId: "s", sessionId: "s" })).behavior;

  const before = await decide();
  catalog.use("deploy", "s");

  expect([before, await decide()]).toEqual(["allow", "deny"]);
});
