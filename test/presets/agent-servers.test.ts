import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { HOSTILE } from "../mcp/hostile-server/path.js";
import { directoryWith } from "./kit.js";

const MODERN = fileURLToPath(new URL("../mcp/modern-server.mjs", import.meta.url));
const FRONT = "name: speaker\ndescription: Speaks.\n";
const OWN = `mcpServers:\n  - voice: { command: ${process.execPath}, args: [${MODERN}], env: { KEY: secret } }\n`;

async function open(options: Partial<CodingAgentOptions> & Pick<CodingAgentOptions, "provider">, files: object = {}) {
  const root = directoryWith(files as Record<string, string>);
  const agent = await createCodingAgent({ root, home: null, ...options });
  onTestFinished(async () => {
    await agent.close();
    rmSync(root, { recursive: true, force: true });
  });
  return agent;
}

const delegate = () => toolCall("task", { description: "Speak", prompt: "Say hi.", subagent_type: "speaker" });
const asAgent = (turns: readonly Turn[]) => scripted([delegate(), ...turns, text("Done.")]);
const file = (fields: string) => ({ ".claude/agents/speaker.md": `---\n${FRONT}${fields}---\n\nSpeak.\n` });

test("a sub-agent has the tools of the servers in its file, its parent has not, and they end with the agent", async () => {
  const provider = asAgent([toolCall("mcp__voice__echo", { text: "hi" }), text("It said hi.")]);
  const rules = { allow: ["mcp__voice__*"] };
  const agent = await open({ provider, trustProject: true, rules }, file(OWN));
  const before = agent.agentServers;

  const result = await agent.engine.run("Let it speak.");

  expect(result).toMatchObject({ status: "completed", text: "Done." });
  expect(agent.problems).toEqual([]);
  expect(before).toEqual([{ name: "voice", agents: ["speaker"], connection: undefined }]);
  expect(agent.agentServers).toMatchObject([{ name: "voice", connection: { status: "connected" } }]);
  const offered = provider.requests.map(({ tools }) => tools.some(({ name }) => name === "mcp__voice__echo"));
  expect(offered).toEqual([false, true, true, false]);
  expect(provider.requests[2]!.lastToolResult).toMatchObject({ isError: false, output: "modern hi" });
});

test("rules for a server hold inside the sub-agent: deny denies, and without a rule its calls are asked about", async () => {
  const turns = () => asAgent([toolCall("mcp__voice__echo", { text: "hi" }), text("No.")]);
  const asked: string[] = [];
  const [denied, unruled] = [turns(), turns()];
  const deny = await open({ provider: denied, trustProject: true, rules: { deny: ["mcp__voice__*"] } }, file(OWN));
  const ask = await open(
    {
      provider: unruled,
      trustProject: true,
      approver: ({ tool, agentPath }) => {
        asked.push(`${agentPath.join()} ${tool}`);
        return { decision: "deny" };
      },
    },
    file(OWN),
  );

  await deny.engine.run("Speak.");
  await ask.engine.run("Speak.");

  expect(denied.requests[2]!.lastToolResult).toMatchObject({ isError: true });
  expect(unruled.requests[2]!.lastToolResult).toMatchObject({ isError: true });
  expect(asked).toEqual(["speaker mcp__voice__echo"]);
});

test("servers of a project that is not trusted are named, without their secrets, and never started", async () => {
  const agent = await open({ provider: scripted([text("Hi.")]) }, file(OWN));

  expect(agent.subagents).toEqual([]);
  expect(agent.untrusted).toMatchObject([
    { part: "subagents", what: `speaker · voice: ${process.execPath} ${MODERN}` },
  ]);
});

test("a server that cannot be started fails its sub-agent with the reason, and the parent goes on", async () => {
  const provider = scripted([delegate(), text("Without it.")]);
  const broken = `mcpServers:\n  - voice: { command: ${process.execPath}, args: [${HOSTILE}, exits at once] }\n`;
  const agent = await open({ provider, trustProject: true }, file(broken));

  const result = await agent.engine.run("Let it speak.");

  expect(result).toMatchObject({ status: "completed", text: "Without it." });
  expect(provider.requests[1]!.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining("cannot find my configuration"),
  });
});

test("a name is that of a server that is connected; `tools` chooses among a server's tools", async () => {
  const provider = asAgent([text("Nothing to say.")]);
  const servers = { modern: { command: process.execPath, args: [MODERN] } };
  const agent = await open(
    { provider, trustProject: true },
    {
      ...file("tools: Read, mcp__modern__echo\nmcpServers: [modern, nowhere]\n"),
      ".mcp.json": JSON.stringify({ mcpServers: servers }),
    },
  );

  await agent.engine.run("Let it speak.");

  expect(provider.requests[1]!.tools.map(({ name }) => name)).toEqual(["read_file", "mcp__modern__echo"]);
  expect(agent.problems.map(({ message }) => message)).toEqual([
    'mcpServers: there is no server "nowhere" here, so the agent runs without it',
  ]);
});
