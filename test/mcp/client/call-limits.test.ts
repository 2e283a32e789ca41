import { expect, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { createMcpRegistry, type McpConnection } from "../../../src/mcp/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { callOf, connectBriefly } from "../servers.js";

const AT_WORK = "reports progress as long as it is told";

/** How a tool call of a run ends. */
async function runOf(connection: McpConnection, input: { [name: string]: number }, limits = {}) {
  const engine = new AgentEngine({
    provider: scripted([toolCall("mcp__hostile__echo", input), text("Done.")]),
    tools: createMcpRegistry([connection]),
    permissions: createPermissionChecker({ rules: { allow: ["mcp__hostile"] } }),
    limits,
  });
  const result = await engine.run("Work.");
  return result.messages().flatMap((message) => (message.role === "tool" ? message.content : []))[0];
}

test.each([
  ["", {}],
  [", also where it may ask the user", { elicit: () => ({ action: "decline" as const }) }],
])("a call that reports progress may take longer than timeoutMs%s", async (_, options) => {
  let timeoutMs = 0;
  const connection = await connectBriefly(AT_WORK, (limitMs) => {
    timeoutMs = limitMs;
    return options;
  });
  const input = { forMs: 2.5 * timeoutMs, everyMs: timeoutMs / 8 };

  const [direct, inRun] = await Promise.all([connection.call("echo", input), runOf(connection, input)]);

  expect(direct).toBe("done");
  expect(inRun).toMatchObject({ output: "done", isError: false });
});

test("a direct call whose input refers to itself is refused, and the connection goes on", async () => {
  const connection = await connectBriefly(AT_WORK, () => ({}));
  const input: { [name: string]: never } = {};
  Reflect.set(input, "self", { input });

  await expect(connection.call("echo", input)).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
    message: expect.stringContaining('The input of "echo" refers to itself'),
  });

  expect(await connection.call("echo", { forMs: 1, everyMs: 1 })).toBe("done");
});

test("a call that reports progress without end is cancelled after maxCallMs", async () => {
  let maxCallMs = 0;
  const connection = await connectBriefly(AT_WORK, (limitMs) => {
    maxCallMs = 2 * limitMs;
    return { maxCallMs, elicit: () => ({ action: "decline" as const }) };
  });
  const startedAt = performance.now();

  const result = await callOf(connection, "echo", { forMs: 1e9, everyMs: 20 });

  expect(performance.now() - startedAt).toBeGreaterThan(maxCallMs * 0.95);
  expect(result).toMatchObject({ status: "timeout", details: { code: "TOOL_TIMEOUT", outcome: "unknown" } });
  expect(result.output).toContain(`was still at work after ${maxCallMs} ms, the most that a call may take (maxCallMs)`);
  await expect.poll(async () => connection.call("echo", { cancelled: true })).toBe("cancelled 1");
});

test("by default a call may take ten times timeoutMs, however much progress it reports", async () => {
  let timeoutMs = 0;
  const connection = await connectBriefly(AT_WORK, (limitMs) => {
    timeoutMs = limitMs;
    return {};
  });

  const result = await runOf(connection, { forMs: 1e9, everyMs: 20 });

  expect(result).toMatchObject({ isError: true });
  expect(result?.output).toContain(`still at work after ${10 * timeoutMs} ms`);
});

test("a host's limits.toolTimeoutMs ends a call that reports progress", async () => {
  const connection = await connectBriefly(AT_WORK);

  const result = await runOf(connection, { forMs: 1e9, everyMs: 20 }, { toolTimeoutMs: 300 });

  expect(result).toMatchObject({ isError: true, output: expect.stringContaining("did not end within 300 ms") });
});
