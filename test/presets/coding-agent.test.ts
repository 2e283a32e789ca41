import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defineTool, type ToolResultPart } from "../../src/index.js";
import { createMemoryFactStore } from "../../src/memory/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { idsOf } from "../sessions/kit.js";
import { directoryWith, PROJECT } from "./kit.js";

async function open(options: Partial<CodingAgentOptions> & Pick<CodingAgentOptions, "provider">) {
  const agent = await createCodingAgent({ root: directoryWith(PROJECT), home: null, ...options });
  onTestFinished(() => agent.close());
  return agent;
}

test("an agent works on a project with what the approver allows", async () => {
  const provider = scripted([
    toolCall("read_file", { path: "README.md" }),
    toolCall("edit_file", { path: "README.md", old_text: "A project.", new_text: "A fine project." }),
    text("Done."),
  ]);
  const asked: string[] = [];
  const agent = await open({
    provider,
    mcp: false,
    approver: (request) => {
      asked.push(request.tool);
      return { decision: "allow" };
    },
  });

  const result = await agent.engine.run("Praise it.");

  expect(result).toMatchObject({ status: "completed", text: "Done." });
  expect(asked).toEqual(["edit_file"]);
  expect(readFileSync(join(agent.workspace.root, "README.md"), "utf8")).toBe("A fine project.\n");
  provider.assertExhausted();
});

test("what a project that is not trusted asks for is listed, and only its deny rules count", async () => {
  const provider = scripted([
    [toolCall("bash", { command: "node --version" }), toolCall("read_file", { path: "secret.txt" })],
    text("Neither."),
  ]);
  const agent = await open({ provider, approver: () => ({ decision: "deny" }) });

  const result = await agent.engine.run("Try it.");

  expect(result.status).toBe("completed");
  const { system, tools, lastToolResult } = provider.requests[1]!;
  expect(lastToolResult).toMatchObject({ isError: true });
  expect(agent.untrusted.map(({ part, what }) => `${part} ${what.split(" ")[0]}`)).toEqual([
    "settings permissions.allow[0]:",
    "settings hooks.Stop[0].hooks[0]:",
    "skills haiku",
    "subagents critic",
    "mcp modern:",
  ]);
  expect(agent.connections).toEqual([]);
  expect(system.map(({ text }) => text).join("\n")).toContain("Use tabs.");
  expect(system.map(({ text }) => text).join("\n")).not.toContain("haiku");
  expect(tools.map(({ name }) => name)).not.toContain("mcp__modern__echo");
  expect(existsSync(join(agent.workspace.root, "stopped.txt"))).toBe(false);
});

test("variables of a project that is not trusted are listed by their names alone", async () => {
  const env = { TOKEN: "hidden" };
  const root = directoryWith({
    ".claude/settings.local.json": JSON.stringify({ env }),
    ".mcp.json": JSON.stringify({ mcpServers: { s: { command: "node", env } } }),
  });
  const { untrusted } = await open({ provider: scripted([]), root });

  const listed = JSON.stringify(untrusted);
  expect([listed.includes("TOKEN"), listed.includes("hidden")]).toEqual([true, false]);
});

test("a trusted project brings its rules, hooks, skills, agents and servers", async () => {
  const provider = scripted([
    [toolCall("bash", { command: "node --version" }), toolCall("mcp__modern__echo", { text: "hi" })],
    text("Both."),
  ]);
  const agent = await open({ provider, trustProject: true, rules: { allow: ["mcp__modern"] } });
  await Promise.all(agent.connections.map(({ ready }) => ready));

  const result = await agent.engine.run("Try it.");

  expect(result.status).toBe("completed");
  const [first, second] = provider.requests;
  expect(first!.tools.map(({ name }) => name)).toContain("mcp__modern__echo");
  expect(first!.system.map(({ id }) => id)).toEqual(["system", "environment", "skills", "mcp", "instructions"]);
  const [version, echo] = second!.messages.at(-1)!.content as readonly ToolResultPart[];
  expect(version).toMatchObject({ isError: false, output: execFileSync("node", ["-v"], { encoding: "utf8" }) });
  expect(echo).toMatchObject({ isError: false, output: "modern hi" });
  expect(existsSync(join(agent.workspace.root, "stopped.txt"))).toBe(true);
  expect(agent.subagents.map(({ name }) => name)).toEqual(["critic"]);
  expect(agent.untrusted).toEqual([]);
  await agent.close();
  expect(agent.connections[0]!.status).toBe("closed");
});

test("the user's own files count without trust, and what is wrong is a problem and not an exception", async () => {
  const home = directoryWith({
    ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(pwd)"], defaultMode: "acceptEdits" } }),
    ".claude/skills/plan/SKILL.md": "---\nname: plan\ndescription: Plans.\n---\n\nPlan.\n",
    ".loopwright/.mcp.json": JSON.stringify({ mcpServers: { gone: { command: join(directoryWith(), "server") } } }),
  });
  const root = directoryWith({ ".claude/settings.json": '{ "permissions": { "allow": 5 } }', ".mcp.json": "[]" });
  const provider = scripted([toolCall("write_file", { path: "a.txt", content: "a" }), text("Written.")]);
  const agent = await open({ provider, root, home });

  const result = await agent.engine.run("Write.");

  expect(result.status).toBe("completed");
  expect(agent.skills!.skills.map(({ name }) => name)).toEqual(["plan"]);
  expect(agent.problems.map(({ part, source }) => `${part} ${source}`)).toEqual([
    `settings ${join(root, ".claude/settings.json")}`,
    `mcp ${join(root, ".mcp.json")}`,
    "mcp gone",
  ]);
});

test("a settings file that cannot be read keeps the agent from opening, trusted or not: its deny rules would be lost", async () => {
  const root = directoryWith({ ".claude/settings.json": "{ nonsense" });

  for (const trustProject of [false, true]) {
    const refusal = { code: "SETTINGS_INVALID", message: expect.stringContaining(join(root, ".claude/settings.json")) };
    await expect(createCodingAgent({ provider: scripted([]), root, home: null, trustProject })).rejects.toMatchObject(
      refusal,
    );
  }
});

test("everything can be switched off or replaced", async () => {
  const provider = scripted([toolCall("greet"), text("Hello.")]);
  const sessions = createMemorySessionStore();
  const facts = createMemoryFactStore();
  const greet = defineTool({ name: "greet", description: "Greets.", permission: "execute", execute: () => "hi" });
  const agent = await open({
    provider,
    settings: false,
    skills: false,
    mcp: false,
    subagents: false,
    memory: facts,
    compaction: false,
    sessions,
    systemPrompt: "Greet.",
    contextSources: [{ id: "own", load: async () => ({ id: "own", text: "Own." }) }],
    tools: (preset) => [...preset.filter(({ permission }) => permission === "read_only"), greet],
    permissions: createPermissionChecker({ mode: "bypassPermissions" }),
  });

  const result = await agent.engine.run("Greet them.", { sessionId: "s" });

  expect(result.status).toBe("completed");
  const { system, tools } = provider.requests[0]!;
  expect(system.map(({ id }) => id)).toEqual(["system", "environment", "instructions", "own"]);
  expect(system[0]!.text).toBe("Greet.");
  expect(tools.map(({ name }) => name)).toEqual(["read_file", "glob", "grep", "list_dir", "recall_facts", "greet"]);
  expect(agent).toMatchObject({ sessions, facts, checker: undefined, settings: undefined, subagents: [] });
  expect(await idsOf(sessions, "s")).not.toEqual([]);
});

test("a tool of the host's takes the place of the preset's of that name", async () => {
  const provider = scripted([text("Done.")]);
  const glob = defineTool({ name: "glob", description: "Own.", permission: "read_only", execute: () => "" });
  const agent = await open({ provider, mcp: false, tools: [glob] });

  await agent.engine.run("Go.");

  const shown = provider.requests[0]!.tools.filter(({ name }) => name === "glob");
  expect(shown.map(({ description }) => description)).toEqual(["Own."]);
});

test("a mode can be switched in the middle of a session", async () => {
  const write = (path: string) => toolCall("write_file", { path, content: "x" });
  const provider = scripted([write("a.txt"), text("Asked."), write("b.txt"), text("Written.")]);
  const agent = await open({ provider, mcp: false });

  const first = await agent.engine.run("Write a.", { sessionId: "s" });
  agent.checker!.remember([{ type: "setMode", mode: "acceptEdits", destination: "session" }], { sessionId: "s" });
  const [question] = first.pending;
  const second = await agent.engine.resume("s", { answers: [{ id: question!.id, decision: "deny" }] }).result;
  const third = await agent.engine.run("Write b.", { sessionId: "s" });

  expect([first.status, second.status, third.status]).toEqual(["needs-approval", "completed", "completed"]);
  expect(existsSync(join(agent.workspace.root, "b.txt"))).toBe(true);
});

test("an agent that could not be opened leaves nothing open", async () => {
  const root = join(directoryWith(PROJECT), "missing");

  await expect(open({ provider: scripted([]), root, trustProject: true })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  await expect(
    open({ provider: scripted([]), rules: {}, permissions: createPermissionChecker() }),
  ).rejects.toMatchObject({ code: "OPTION_INVALID", message: expect.stringContaining('"rules"') });
});
