// Shows: an agent that uses a published MCP server, started as a program. Its tools pass the gate like any other.
// Run:   npx tsx examples/31-mcp-server.ts
// Expect: the server's tools by name, a fact that it stores after an approval, and no process of it left at the end.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentEngine } from "loopwright";
import { connectMcp, createMcpRegistry, mcpInstructions } from "loopwright/mcp";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const dir = await mkdtemp(join(tmpdir(), "mcp-example-"));
const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"));

// Returns at once. Elsewhere the command may be `npx -y @modelcontextprotocol/server-memory`, or the server a `url`.
const memory = connectMcp({
  name: "memory",
  command: process.execPath,
  args: [program],
  env: { MEMORY_FILE_PATH: join(dir, "memory.jsonl") }, // Nothing else of this process's environment reaches the server.
});
await memory.ready; // Only because this example wants to show the tools; a run waits for no server.
console.log(memory.tools().map(({ name }) => name));

const asked: string[] = [];
const ada = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
const provider = scripted([
  toolCall("mcp__memory__create_entities", { entities: ada }),
  toolCall("mcp__memory__search_nodes", { query: "programs" }),
  text("Ada writes programs."),
]);
const engine = new AgentEngine({
  provider,
  tools: createMcpRegistry([memory]),
  contextSources: [mcpInstructions([memory])],
  permissions: createPermissionChecker({ rules: { allow: ["mcp__memory__search_nodes"] } }),
  approver: ({ tool }) => {
    asked.push(tool);
    return { decision: "allow" };
  },
});

const result = await engine.run("Remember that Ada writes programs. Who does?");
await engine.close();
await memory.close();
await rm(dir, { recursive: true });

console.log("asked:", asked.join(), "| answer:", result.text);
assert.deepEqual(asked, ["mcp__memory__create_entities"]);
assert.match(String(provider.requests[2]?.lastToolResult?.output), /Ada/);
assert.equal(memory.status, "closed");
