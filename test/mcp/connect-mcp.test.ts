import { createRequire } from "node:module";
import { afterEach, expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { connectMcp, createMcpRegistry, type McpConnection } from "../../src/mcp/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

const EVERYTHING = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const open: McpConnection[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

test("a server's tools are called in a run, through the gate", async () => {
  const everything = connectMcp({ name: "everything", command: process.execPath, args: [EVERYTHING] });
  open.push(everything);
  await everything.ready;
    everything.tools().map((t) => t.name),
    everything.problems,
    everything.instructions?.slice(0, 100),
  );
  const provider = scripted([
    toolCall("mcp__everything__echo", { message: "hello" }),
    toolCall("mcp__everything__get-tiny-image", {}),
    toolCall("mcp__everything__list_resources", {}),
    text("done"),
  ]);
  const engine = new AgentEngine({
    provider,
    tools: createMcpRegistry([everything]),
    permissions: createPermissionChecker({ rules: { allow: ["mcp__everything__*"] } }),
  });

  const result = await engine.run("echo");

  expect(result.text).toBe("done");
});
