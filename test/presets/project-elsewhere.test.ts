import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type CodingAgentOptions, createCodingAgent, createReadOnlyAgent } from "../../src/presets/index.js";
import { createMemoryWorkspace, scripted, text, toolCall } from "../../src/testing/index.js";
import { directoryWith, PROJECT } from "./kit.js";

const SERVED_AGENT =
  "---\nname: served\ndescription: Has a server.\nmcpServers:\n  - tool: { command: touch }\n---\n\nGo.\n";
const FREE_SKILL =
  "---\nname: haiku\ndescription: Writes haiku.\nallowed-tools: Bash(touch:*)\n---\n\nFive, seven, five.\n";

/** What a machine's files ask for, beside what any project may. */
const MACHINE = {
  ...PROJECT,
  ".claude/skills/haiku/SKILL.md": FREE_SKILL,
  ".claude/agents/served.md": SERVED_AGENT,
};

async function open(options: Partial<CodingAgentOptions> & Pick<CodingAgentOptions, "provider">) {
  const workspace = await createMemoryWorkspace({ files: MACHINE });
  const agent = await createCodingAgent({ workspace, home: null, ...options });
  onTestFinished(() => agent.close());
  return { agent, workspace };
}

const listed = (agent: Awaited<ReturnType<typeof createCodingAgent>>) =>
  agent.untrusted.map(({ part, what }) => `${part} ${what.split(" ").slice(0, 2).join(" ")}`);

test("a project is read where its workspace is", async () => {
  const provider = scripted([[toolCall("read_file", { path: "secret.txt" })], text("No.")]);
  const { agent } = await open({ provider });

  await agent.engine.run("Try it.");

  const [first, second] = provider.requests;
  const system = first!.system.map(({ text }) => text).join("\n");
  expect(system).toContain("Use tabs.");
  expect(system).toContain("Git repository: no");
  expect(system).not.toContain("Platform:");
  expect(second!.lastToolResult).toMatchObject({ isError: true });
  expect(agent.settings?.sources.flatMap(({ deny }) => deny)).toEqual(["Read(./secret.txt)"]);
  expect(listed(agent)).toEqual([
    'settings permissions.allow[0]: "Bash(node',
    'settings hooks.Stop[0].hooks[0]: {"type":"command","command":"touch',
    "skills haiku",
    "subagents critic",
    "subagents served ·",
    `mcp modern: ${process.execPath}`,
  ]);
});

test("trust lets a machine's skills and agents speak, and starts and allows nothing", async () => {
  const provider = scripted([
    [toolCall("skill", { name: "haiku" }), toolCall("bash", { command: "touch x" })],
    text("Asked."),
  ]);
  const asked: string[] = [];
  const { agent } = await open({
    provider,
    trustProject: true,
    approver: ({ tool }) => {
      asked.push(tool);
      return { decision: "deny" };
    },
  });

  await agent.engine.run("Try it.");

  expect(agent.skills?.skills.map(({ name, isTrusted }) => [name, isTrusted])).toEqual([["haiku", false]]);
  expect(agent.subagents.map(({ name }) => name)).toEqual(["critic", "served"]);
  expect(agent.subagents.find(({ name }) => name === "served")?.ownTools).toBeUndefined();
  expect(asked).toEqual(["bash"]);
  expect(agent.connections).toEqual([]);
  expect(agent.agentServers).toEqual([]);
  expect(Object.values(agent.settings?.hooks ?? {}).flat()).toEqual([]);
  expect(agent.settings?.sources.flatMap(({ allow }) => allow)).toEqual([]);
  expect(listed(agent)).toEqual([
    'settings permissions.allow[0]: "Bash(node',
    'settings hooks.Stop[0].hooks[0]: {"type":"command","command":"touch',
    "skills haiku: allowed-tools:",
    "subagents served ·",
    `mcp modern: ${process.execPath}`,
  ]);
});

test("what an agent writes there becomes no rule, skill or instruction of the same agent", async () => {
  const provider = scripted([text("One."), text("Two.")]);
  const { agent, workspace } = await open({ provider, trustProject: true });
  const session = (await agent.engine.run("First.")).sessionId;
  const write = (path: string, content: string) =>
    workspace.files.write(join(workspace.root, path), new TextEncoder().encode(content));
  await write("AGENTS.md", "Use spaces.\n");
  await write(".claude/skills/other/SKILL.md", FREE_SKILL.replace("haiku", "other"));
  await write(".claude/skills/haiku/SKILL.md", FREE_SKILL.replace("Five", "Nine"));

  await agent.engine.run("Second.", { sessionId: session });

  const [first, second] = provider.requests.map(({ system }) => system.map(({ text }) => text).join("\n"));
  expect(second).toBe(first);
  expect(await agent.skills?.get("haiku").instructions()).toBe("Five, seven, five.");
});

test("the user's own files stay on this machine, and their hooks run in the user's directory", async () => {
  const home = directoryWith({
    ".claude/settings.json": JSON.stringify({
      permissions: { allow: ["Read"] },
      hooks: {
        PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "pwd > where.txt; cat > seen.json" }] }],
      },
    }),
  });
  const edit = { path: "README.md", old_text: "A project.", new_text: "A fine project." };
  const provider = scripted([
    [toolCall("read_file", { path: "README.md" })],
    toolCall("edit_file", edit),
    text("Done."),
  ]);
  const { agent, workspace } = await open({ provider, home, approver: () => ({ decision: "allow" }) });

  await agent.engine.run("Praise it.");

  expect(workspace.texts()["README.md"]).toBe("A fine project.\n");
  expect(readFileSync(join(home, "where.txt"), "utf8").trim()).toBe(home);
  const seen = JSON.parse(readFileSync(join(home, "seen.json"), "utf8"));
  expect(seen.cwd).toBe(workspace.root);
  expect(seen.tool_response.structuredPatch).toHaveLength(1);
  expect(seen.tool_response).not.toHaveProperty("originalFile");
  expect(existsSync(workspace.root)).toBe(false);
});

test("the root is that of the workspace; another one is refused", async () => {
  const workspace = await createMemoryWorkspace();
  const provider = scripted([]);
  const agent = await createReadOnlyAgent({ workspace, provider, home: null });
  await agent.close();
  expect(agent.workspace).toBe(workspace);
  await expect(createCodingAgent({ workspace, provider, root: "/elsewhere" })).rejects.toThrow(
    'Option "root" of createCodingAgent() is "/elsewhere"; expected "/loopwright-memory", the root of the workspace',
  );
  await expect(createCodingAgent({ provider } as never)).rejects.toThrow(
    'Option "root" of createCodingAgent() is missing',
  );
});
