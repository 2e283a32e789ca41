// Shows: an agent file that brings an MCP server of its own, which only that agent can use, under the project's rules.
// Run:   npx tsx examples/39-agent-with-its-own-server.ts
// Expect: the server before and after its agent has started, one call that is asked about, and what the agent reports.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const root = mkdtempSync(join(tmpdir(), "loopwright-own-server-"));
const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"));
mkdirSync(join(root, ".claude/agents"), { recursive: true });
writeFileSync(
  join(root, ".claude/agents/librarian.md"),
  `---
name: librarian
description: Knows who is who.
mcpServers:
  - people: ${JSON.stringify({ command: process.execPath, args: [program], env: { MEMORY_FILE_PATH: join(root, "people.jsonl") } })}
---

You keep notes on people, and answer questions about them.
`,
);

// Without a key a script plays both models; any provider would do.
const ada = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
const provider = scripted([
  toolCall("task", { description: "Note", prompt: "Ada writes programs. Who does?", subagent_type: "librarian" }),
  toolCall("mcp__people__create_entities", { entities: ada }),
  toolCall("mcp__people__search_nodes", { query: "programs" }),
  text("Ada writes programs."),
  text("It is noted."),
]);
const asked: string[] = [];
const agent = await createCodingAgent({
  provider,
  root,
  home: null, // Nothing of yours is read: the example is the same on every machine.
  trustProject: true, // The project's files say which program is started.
  rules: { allow: ["mcp__people__search_nodes"] },
  approver({ tool, agentPath }) {
    asked.push(`${agentPath.join("/")}: ${tool}`);
    return { decision: "allow", by: "the example" };
  },
});
const states = () =>
  agent.agentServers.map(({ name, connection }) => `${name}: ${connection?.status ?? "not started"}`);
const before = states();

const result = await agent.engine.run("Let the librarian note that Ada writes programs.");

const after = states();
await agent.close();
rmSync(root, { recursive: true });

console.log(before.join(), "|", after.join(), "| asked:", asked.join(), "| answer:", result.text);
assert.deepEqual([before, after], [["people: not started"], ["people: connected"]]);
assert.deepEqual(asked, ["librarian: mcp__people__create_entities"]);
assert.match(String(provider.requests[3]?.lastToolResult?.output), /Ada/);
const offered = provider.requests.map(({ tools }) => tools.some(({ name }) => name === "mcp__people__search_nodes"));
assert.deepEqual(offered, [false, true, true, true, false]);
assert.deepEqual(agent.agentServers[0]?.connection?.status, "closed");
