import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AgentEngine, defineTool, type PermissionGate, ToolRegistry } from "../../src/index.js";
import { connectMcp, createMcpRegistry, type DefinitionMemory, type McpConnection } from "../../src/mcp/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { fakeToolContext, gateContract } from "../../src/testing/index.js";
import { HOSTILE } from "./hostile-server/path.js";
import { callOf, closing, connectHostile, whenStatus } from "./servers.js";

const ABOUT = { agentPath: [], sessionId: "s" };
const ECHO = "mcp__hostile__echo";

test("a server that joins late reaches a running engine at its next turn, and the first turn waits for none", async () => {
  const directory = mkdtempSync(join(tmpdir(), "mcp-late-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const startFile = join(directory, "start");
  const names = Array.from({ length: 20 }, (_, index) => `server${index}`);
  const connections = names.map((name) => {
    const server = { name, command: process.execPath, args: [HOSTILE, "waits for a file"] };
    return closing(connectMcp({ ...server, env: { START_FILE: startFile } }, { timeoutMs: 60_000 }));
  });
  const wait = defineTool({
    name: "wait",
    description: "Waits for the servers.",
    permission: "none",
    async execute() {
      writeFileSync(startFile, "");
      await Promise.all(connections.map(({ ready }) => ready));
      return "they are here";
    },
  });
  const provider = scripted([toolCall("wait", {}), toolCall("mcp__server7__echo", { text: "hi" }), text("done")]);
  const tools = createMcpRegistry(connections, new ToolRegistry([wait]));
  const permissions = createPermissionChecker({ rules: { allow: ["mcp__server7"] } });
  const engine = new AgentEngine({ provider, tools, permissions });

  const result = await engine.run("go");

  expect(result.text).toBe("done");
  expect(provider.requests.map(({ tools }) => tools.length)).toEqual([1, 21, 21]);
  expect(JSON.stringify(result.messages())).toContain("echo hi");
});

test("the list is the same array until it changes, also when a server sorts its tools differently", async () => {
  const connection = connectHostile("none");
  await connection.ready;
  const registry = createMcpRegistry([connection]);

  const [first, second] = [registry.definitions(), registry.definitions()];
  registry.register(defineTool({ name: "own", description: "Ours.", permission: "none", execute: () => "" }));

  expect(second).toBe(first);
  expect(registry.definitions().map(({ name }) => name)).toEqual(["own", ECHO]);
  expect(registry.unregister("own")).toBe(true);
  expect(registry.get(ECHO)).toBe(connection.tools()[0]);
});

test("of two tools with one name the first counts; two connections of one name are refused", async () => {
  const connection = connectHostile("none");
  await connection.ready;
  const own = defineTool({ name: ECHO, description: "Ours.", permission: "none", execute: () => "ours" });

  const registry = createMcpRegistry([connection], new ToolRegistry([own]));

  expect(registry.list()).toEqual([own]);
  expect(() => createMcpRegistry([connection, connectHostile("none")])).toThrow(/two connections named "hostile"/);
});

test("a definition that changes after it was used asks again, whatever rules allow, and once only", async () => {
  const connection = connectHostile("changes a definition");
  await connection.ready;
  const asked: string[] = [];
  const engine = new AgentEngine({
    provider: scripted([]),
    tools: createMcpRegistry([connection]),
    permissions: createPermissionChecker({ rules: { allow: ["mcp__hostile__*"] } }),
    approver: ({ reason }) => {
      asked.push(reason);
      return { decision: "allow" };
    },
  });
  const call = (id: string) => engine.execute({ id, name: ECHO, arguments: {} });

  const changed = new Promise<void>((resolve) => connection.on("tools-changed", resolve));
  const first = await call("1");
  await changed;
  const second = await call("2");
  const third = await call("3");

  expect([first, second, third].map(({ status }) => status)).toEqual(["success", "success", "success"]);
  expect(asked).toEqual([expect.stringContaining('has changed the definition of "mcp__hostile__echo"')]);
});

test("what a server says of its tools makes no call free", async () => {
  const connection = connectHostile("claims that it only reads");
  await connection.ready;
  const provider = scripted([toolCall(ECHO, {}), text("done")]);
  const engine = new AgentEngine({ provider, tools: createMcpRegistry([connection]) });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "needs-approval", pending: [{ tool: ECHO }] });
  const [tool] = connection.tools();
  expect(tool).toMatchObject({ permission: "execute", onUnknown: "fail", replayable: false });
  expect(tool?.claims?.({})).toEqual([{ mode: "write", key: "mcp:hostile" }]);
});

test("a server that died is connected again; its tools stay and say meanwhile that it is away", async () => {
  const connection = connectHostile("dies in a call", { reconnect: { baseMs: 300 } });
  await connection.ready;
  const tools = connection.tools();

  const dying = await callOf(connection, "echo");
  await whenStatus(connection, "disconnected");
  const away = await callOf(connection, "echo");
  await whenStatus(connection, "connected");

  expect(dying).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(dying.output).toMatch(/its work may be half done\. The server is being reconnected\.$/);
  expect(away).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(away.output).toMatch(/is not connected: its process ended with exit code 139.* try again in a moment/);
  expect(connection.tools()).toBe(tools);
});

test("a server that keeps dying is given up, until a tool is called", async () => {
  const connection = connectHostile("dies in a call", { reconnect: { baseMs: 1, maxAttempts: 2 } });
  await connection.ready;
  const statuses: string[] = [];
  connection.on("status", () => statuses.push(connection.status));

  await connection.close();

  expect(statuses).toEqual(["closed"]);
  expect(await callOf(connection, "echo")).toMatchObject({ details: { code: "MCP_DISCONNECTED" } });
});

test("a tool of a server that is still being connected is not unknown, but not there yet", async () => {
  const connection = connectHostile("says nothing");
  const provider = scripted([toolCall(ECHO, {}), text("done")]);
  const engine = new AgentEngine({ provider, tools: createMcpRegistry([connection]) });

  await engine.run("go");

  expect(String(provider.requests[1]?.lastToolResult?.output)).toMatch(/"hostile" is not connected: .* try again/);
});

test("what another attempt would meet again is not tried again", async () => {
  const absent = closing(connectMcp({ name: "absent", command: "there-is-no-such-program" }));
  const nowhere = closing(connectMcp({ name: "nowhere", command: "true", cwd: "/there/is/no/such/directory" }));

  await expect(absent.ready).rejects.toThrow(/the program "there-is-no-such-program" was not found; install it/);
  await expect(nowhere.ready).rejects.toThrow(/its directory ".*" does not exist/);

  expect([absent.status, nowhere.status]).toEqual(["failed", "failed"]);
  expect(() => connectMcp({ name: "x", url: "https://user:hush@x.example" })).toThrow(
    /^(?!.*hush).*without a user or password/,
  );
});

test("a connection that is closed while it is being made leaves nothing behind", async () => {
  const connections = ["none", "says nothing", "starts late"].map((habit) => connectHostile(habit));

  await Promise.all(connections.map((connection) => connection.close()));

  expect(connections.map(({ status }) => status)).toEqual(["closed", "closed", "closed"]);
  for (const { ready } of connections) await expect(ready).rejects.toMatchObject({ code: "MCP_DISCONNECTED" });
});

/** A gate that knows the tool of a server by its name alone, and decides by its input. */
const gate: PermissionGate = {
  decide: ({ tool, input }) => {
    const name = typeof tool === "string" ? tool : tool.name;
    const { text: wanted } = Object(input) as { text?: string };
    return { behavior: name !== ECHO ? "allow" : wanted === "no" ? "deny" : wanted === "maybe" ? "ask" : "allow" };
  },
};
const samples = { tool: ECHO, allowed: { text: "yes" }, asked: { text: "maybe" }, denied: { text: "no" } };

describe("the gate holds for tools of servers", () => {
  for (const { name, run } of gateContract(() => gate, samples)) test(name, run);
});

test("definitions that were accepted are kept over restarts, and one that is another asks", async () => {
  const kept = new Map<string, Record<string, string>>();
  const definitions: DefinitionMemory = {
    load: (server) => kept.get(server),
    save: (server, all) => void kept.set(server, { ...all }),
  };
  const decisionOf = async (connection: McpConnection) =>
    (await connection.tools()[0]?.checkPermission?.({}, ABOUT))?.behavior;

  const first = connectHostile("none", { definitions });
  await first.ready;
  expect(await decisionOf(first)).toBe("passthrough");
  await first.close();
  expect(kept.get("hostile")).toEqual({ echo: expect.stringMatching(/^\w{16,}/) });

  const again = connectHostile("none", { definitions });
  await again.ready;
  expect(await decisionOf(again)).toBe("passthrough");

  kept.set("hostile", { echo: "another digest" });
  const changed = connectHostile("none", { definitions });
  await changed.ready;
  expect(await decisionOf(changed)).toBe("ask");
  await changed.tools()[0]?.execute({ text: "hi" }, fakeToolContext());
  await changed.close();
  expect(kept.get("hostile")?.echo).not.toBe("another digest");
});

test("a memory of definitions that cannot be read keeps the server out; one that cannot be written is reported", async () => {
  const fail = () => {
    throw new Error("disk on fire");
  };
  const unread = connectHostile("none", { definitions: { load: fail, save: () => {} } });
  const unsaved = connectHostile("none", { definitions: { load: () => undefined, save: fail } });

  await expect(unread.ready).rejects.toThrow("disk on fire");
  await unsaved.ready;
  await expect.poll(() => unsaved.problems.join()).toContain("could not be saved: disk on fire");
});
