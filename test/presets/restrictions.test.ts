// What settings forbid is enforced by every preset, or the preset does not open.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "loopwright/hooks";
import { connectMcp, loadMcpConfig } from "loopwright/mcp";
import { expect, onTestFinished, test } from "vitest";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { directoryWith } from "./kit.js";

const ALLOW = () => ({ decision: "allow" as const });
const STARTS = { mcpServers: { bad: { command: "sh", args: ["-c", "touch STARTED; exit 1"] } } };

async function open(settings: object, options: Partial<CodingAgentOptions> = {}, files: Record<string, string> = {}) {
  const root = directoryWith({ ".claude/settings.json": JSON.stringify(settings), ...files });
  const agent = await createCodingAgent({ provider: scripted([text("Hi.")]), root, home: null, ...options });
  onTestFinished(() => agent.close());
  return { agent, root };
}

const DENYING = [
  ["disabledMcpjsonServers", { disabledMcpjsonServers: ["bad"] }],
  ["deniedMcpServers by name", { deniedMcpServers: [{ serverName: "bad" }] }],
  [
    "deniedMcpServers by command",
    { deniedMcpServers: [{ serverCommand: STARTS.mcpServers.bad.args.toSpliced(0, 0, "sh") }] },
  ],
  ["enabledMcpjsonServers", { enabledMcpjsonServers: ["good"] }],
  ["enabledMcpjsonServers, none", { enabledMcpjsonServers: [] }],
  ["enableAllProjectMcpServers", { enableAllProjectMcpServers: false }],
  ["allowedMcpServers", { allowedMcpServers: [{ serverName: "good" }] }],
  ["allowedMcpServers, another command", { allowedMcpServers: [{ serverName: "bad" }, { serverCommand: ["other"] }] }],
  ["disabled although enabled", { disabledMcpjsonServers: ["bad"], enabledMcpjsonServers: ["bad"] }],
  ["disabled although all are enabled", { disabledMcpjsonServers: ["bad"], enableAllProjectMcpServers: true }],
] as const;

test.each(DENYING)("a server that settings forbid is never started: %s", async (_, settings) => {
  const { agent, root } = await open(settings, { trustProject: true }, { ".mcp.json": JSON.stringify(STARTS) });

  await agent.engine.run("Go.");
  await agent.close();

  expect(existsSync(join(root, "STARTED"))).toBe(false);
  expect(agent.connections).toEqual([]);
  expect(agent.problems).toMatchObject([
    { part: "mcp", message: expect.stringMatching(/^bad: is .*settings\.json.*, so it is not started$/) },
  ]);
});

test("a server that no list forbids is started, also where all are enabled", async () => {
  for (const settings of [{}, { enableAllProjectMcpServers: true, enabledMcpjsonServers: [] }]) {
    const { agent, root } = await open(settings, { trustProject: true }, { ".mcp.json": JSON.stringify(STARTS) });

    await agent.engine.run("Go.");

    expect(existsSync(join(root, "STARTED"))).toBe(true);
  }
});

test("a project that is not trusted may disable the user's server, and its list enables none", async () => {
  const home = directoryWith({
    ".loopwright/.mcp.json": JSON.stringify(STARTS),
    ".claude/settings.json": JSON.stringify({ enabledMcpjsonServers: ["good"] }),
  });
  for (const settings of [{ disabledMcpjsonServers: ["bad"] }, { enabledMcpjsonServers: ["bad"] }]) {
    const { agent } = await open(settings, { home });
    await agent.engine.run("Go.");
    expect(existsSync(join(home, ".loopwright/STARTED"))).toBe(false);
    expect(agent.connections).toEqual([]);
  }
});

test("a server of an agent's own that settings forbid is not started", async () => {
  const front = `name: critic\ndescription: Finds faults.\nmcpServers:\n  - bad:\n      command: sh\n      args: ["-c", "touch STARTED; exit 1"]`;
  const { agent, root } = await open(
    { deniedMcpServers: [{ serverName: "bad" }] },
    {
      trustProject: true,
      provider: scripted([
        toolCall("task", { description: "d", prompt: "p", subagent_type: "critic" }),
        text("child"),
        text("Done."),
      ]),
    },
    { ".claude/agents/critic.md": `---\n${front}\n---\n\nFind faults.\n` },
  );

  await agent.engine.run("Go.");

  expect(existsSync(join(root, "STARTED"))).toBe(false);
  expect(agent.problems.map(({ message }) => message).join()).toContain("is denied by deniedMcpServers");
});

test("loadMcpConfig leaves out what restrictions of settings forbid", async () => {
  const root = directoryWith({
    ".claude/settings.local.json": JSON.stringify({ disabledMcpjsonServers: ["bad"] }),
    ".mcp.json": JSON.stringify(STARTS),
  });
  const { restrictions } = await loadSettings(root, { home: null });

  const config = await loadMcpConfig(join(root, ".mcp.json"), {
    trustProject: true,
    refusal: restrictions.serverRefusal,
  });
  for (const server of config.servers) await connectMcp(server).close();

  expect(config.servers).toEqual([]);
  expect(config.problems).toMatchObject([{ server: "bad", message: expect.stringContaining("is disabled by") }]);
});

const REFUSED = [
  ["agent", { agent: "reviewer" }],
  ["maxEffortLevel", { maxEffortLevel: "low" }],
  ["sandbox.network.httpProxyPort", { sandbox: { enabled: true, network: { httpProxyPort: 8080 } } }],
  [
    "sandbox.credentials.envVars",
    { sandbox: { enabled: true, credentials: { envVars: [{ name: "A", mode: "deny" }] } } },
  ],
  ["sandbox.filesystem.denyRead[0]", { sandbox: { enabled: true, filesystem: { denyRead: ["secrets/**"] } } }],
  ["disabledMcpjsonServers", { disabledMcpjsonServers: { bad: true } }],
  ["deniedMcpServers[0]", { deniedMcpServers: [{ name: "bad" }] }],
  ["permissions.denyInsteadOfPrompting", { permissions: { denyInsteadOfPrompting: "yes" } }],
  ["permissions.disableBypassPermissionsMode", { permissions: { disableBypassPermissionsMode: "yes" } }],
  ["permissions.deny", { permissions: { deny: { 0: "Read(a)" } } }],
  ["permissions.deny[0]", { permissions: { deny: [7] } }],
  ["permissions", { permissions: ["Read(a)"] }],
  ["sandbox", { sandbox: true }],
  ["skillOverrides.plan", { skillOverrides: { plan: "hidden" } }],
] as const;

test.each(REFUSED)("an agent does not open with a restriction that nothing enforces: %s", async (key, settings) => {
  for (const trustProject of [true, false]) {
    await expect(open(settings, { trustProject })).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining(`settings.json:1: ${key} `),
    });
  }
});

test("a trusted file that cannot be read keeps the agent from opening, since its deny rules would be lost", async () => {
  const files = { ".claude/settings.json": "{ nonsense" };

  await expect(open({}, { trustProject: true }, files)).rejects.toMatchObject({ code: "SETTINGS_INVALID" });
});

test("every key that is not known is a problem, and comfort is none", async () => {
  const { agent } = await open({
    theme: "dark",
    denyEverything: true,
    sandbox: { wall: 1 },
    permissions: { never: [] },
  });

  expect(agent.problems.map(({ part, message }) => `${part} ${message.split(" ")[0]}`)).toEqual([
    "settings denyEverything:",
    "settings sandbox.wall:",
    "settings permissions.never:",
  ]);
  expect(agent.settings!.ignored.map(({ key }) => key)).toEqual(["theme"]);
});

test("denyInsteadOfPrompting denies what would ask, and takes the tool that waits for a person away", async () => {
  const provider = scripted([toolCall("write_file", { path: "a.txt", content: "a" }), text("No.")]);
  const { agent, root } = await open({ permissions: { denyInsteadOfPrompting: true } }, { provider, approver: ALLOW });

  const result = await agent.engine.run("Write.");

  expect(result.status).toBe("completed");
  expect(existsSync(join(root, "a.txt"))).toBe(false);
  expect(provider.requests[0]!.tools.map(({ name }) => name)).not.toContain("ask_user");
  expect(JSON.stringify(provider.requests[1]!.lastToolResult)).toContain("denyInsteadOfPrompting");
});

const OUTSIDE = "/etc/hosts";

test.each([
  ["read_file", { path: OUTSIDE }, "blockReadsOutsideWorkingDirectories"],
  ["bash", { command: `cat ${OUTSIDE}` }, "blockReadsOutsideWorkingDirectories"],
  ["write_file", { path: "/var/tmp/loopwright-never.txt", content: "x" }, "blockWritesOutsideWorkingDirectories"],
  ["bash", { command: "echo x > /var/tmp/loopwright-never.txt" }, "blockWritesOutsideWorkingDirectories"],
] as const)("%s outside the working directories is denied in every mode: %o", async (tool, input, key) => {
  for (const mode of ["default", "bypassPermissions"] as const) {
    const provider = scripted([toolCall(tool, input), text("No.")]);
    const rules = { allow: ["Bash", "Read", "Write"] };
    const { agent } = await open({ permissions: { [key]: true } }, { provider, mode, rules, approver: ALLOW });

    await agent.engine.run("Try.");

    expect(provider.requests[1]!.lastToolResult).toMatchObject({ isError: true });
    expect(existsSync("/var/tmp/loopwright-never.txt")).toBe(false);
  }
});

test("a model that settings deny keeps the agent from opening, and no agent file gets it", async () => {
  const denied = scripted([text("Hi.")]);
  const opening = (settings: object) => open(settings, { provider: denied, trustProject: false });

  await expect(opening({ deniedModels: [denied.model] })).rejects.toThrow(
    /is denied by deniedModels of .*settings.json/,
  );
  await expect(opening({ availableModels: ["opus"] })).rejects.toThrow(/is not in availableModels of .*settings.json/);
  await expect(opening({ availableModels: [denied.model] })).resolves.toBeDefined();
});

test("a gate of the host's own cannot allow what deny rules of settings deny, nor skip what they ask", async () => {
  const provider = scripted([
    [toolCall("read_file", { path: "secret.txt" }), toolCall("bash", { command: "echo hi" })],
    text("Neither."),
  ]);
  const asked: string[] = [];
  const { agent } = await open(
    { permissions: { deny: ["Read(./secret.txt)"], ask: ["Bash(echo *)"] } },
    {
      provider,
      permissions: { decide: () => ({ behavior: "allow" }) },
      approver: ({ tool }) => {
        asked.push(tool);
        return { decision: "deny" };
      },
    },
    { "secret.txt": "s" },
  );

  await agent.engine.run("Try.");

  expect(asked).toEqual(["bash"]);
  expect(JSON.stringify(provider.requests[1]!.messages)).toContain("Read(./secret.txt)");
});

test("where there is no sandbox every command asks, or the agent does not open", async () => {
  const provider = scripted([toolCall("bash", { command: "echo hi" }), text("No.")]);
  const asked: string[] = [];
  // Nothing is known of the commands of a workspace of the host's own.
  const wall = { enabled: true };
  const workspace = await import("loopwright/workspace").then(({ createWorkspace }) =>
    createWorkspace({ root: directoryWith() }),
  );
  onTestFinished(() => workspace.close());
  const approver = ({ tool }: { readonly tool: string }) => {
    asked.push(tool);
    return { decision: "deny" as const };
  };
  const rules = { allow: ["Bash"] };
  const { agent } = await open({ sandbox: wall }, { provider, approver, workspace, rules, mode: "bypassPermissions" });

  await agent.engine.run("Try.");

  expect(asked).toEqual(["bash"]);
  expect(agent.problems).toMatchObject([{ part: "settings", message: expect.stringContaining("Every command asks") }]);
  await expect(open({ sandbox: { ...wall, failIfUnavailable: true } }, { workspace })).rejects.toThrow(
    /sandbox\.enabled there is no sandbox/,
  );
});

test("skillOverrides hide a skill from the model, or from everybody", async () => {
  const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${name}.\n`;
  const { agent } = await open(
    { skillOverrides: { plan: "user-invocable-only", gone: "off" } },
    { trustProject: true },
    {
      ".claude/skills/plan/SKILL.md": skill("plan"),
      ".claude/skills/gone/SKILL.md": skill("gone"),
      ".claude/skills/free/SKILL.md": skill("free"),
    },
  );

  expect(agent.skills!.skills.map(({ name, usedBy }) => [name, usedBy])).toEqual([
    ["free", undefined],
    ["plan", "user"],
  ]);
});

const HOSTS_GATE = createPermissionChecker({ mode: "bypassPermissions" });

test.each([
  ["its own checker", { deny: ["Read(./secret/**)"] }, undefined, { secret: false, named: true }],
  ["a gate of the host's", { deny: ["Read(./secret/**)"] }, HOSTS_GATE, { secret: false, named: true }],
  ["a rule that asks", { ask: ["Read(./secret/**)"] }, undefined, { secret: false, named: true }],
  ["a rule about the instructions", { deny: ["Read(./AGENTS.md)"] }, undefined, { secret: false, named: false }],
  ["no read_file at all", { deny: ["Read"] }, undefined, { secret: false, named: true }],
  ["a rule for another file", { deny: ["Read(./other/**)"] }, undefined, { secret: true, named: true }],
  ["a rule about writing", { deny: ["Edit(./secret/**)"] }, undefined, { secret: true, named: true }],
])("what a rule keeps from being read is in no prompt: with %s", async (_, rules, permissions, read) => {
  const provider = scripted([text("Hi.")]);
  const files = { "AGENTS.md": "Named. @secret/key.md", "secret/key.md": "Imported." };
  const { agent } = await open({ permissions: rules }, { provider, permissions }, files);

  await agent.engine.run("Go.");

  const prompt = provider.requests[0]!.system.map((section) => section.text).join("\n");
  expect({ secret: prompt.includes("Imported."), named: prompt.includes("Named.") }).toEqual(read);
  const leftOut = `"${read.named ? "secret/key.md" : "AGENTS.md"}" is left out: the permission rules keep it from being read.`;
  expect(prompt.includes(leftOut)).toBe(!(read.secret && read.named));
});
