import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectMcp, type McpConnection } from "../../../src/mcp/index.js";
import { startOf } from "../../../src/processes/process-lock.js";
import { serveHostile } from "../hostile-server/http-habits.js";
import { callOf, closing, connectBriefly, connectHostile, whenStatus } from "../servers.js";

/** Whatever its status says when it changes, and between: a server that reads as connected takes a call. */
function watch(connection: McpConnection) {
  const seen: [status: string, problem: string | undefined][] = [];
  connection.on("status", (status) => seen.push([status, connection.problems[0]]));
  return seen;
}

test.each([
  ["closes its output, and lives on", "closes its output", /it closed its standard output\./],
  [
    "exits, while a child of it keeps its output open",
    "dies and leaves a child behind",
    /its process ended with exit code/,
  ],
])("a server that %s is not connected from then on, and says why", async (_, habit, why) => {
  const connection = connectHostile(habit, { reconnect: { baseMs: 60_000 } });
  await connection.ready;
  const seen = watch(connection);
  let whenSeen = Number.POSITIVE_INFINITY;
  connection.on("status", () => {
    whenSeen = Math.min(whenSeen, performance.now());
  });

  const [result] = await Promise.all([callOf(connection, "echo"), whenStatus(connection, "disconnected")]);
  const whenAnswered = performance.now();
  const next = await callOf(connection, "echo");

  // The call that was open is told once its last words are read; by then nobody has been told that the server is there.
  expect(whenSeen).toBeLessThan(whenAnswered);
  expect(result).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED", outcome: "unknown" } });
  expect(next).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED", outcome: "not-started" } });
  expect(next.output).toMatch(why);
  expect(seen).toEqual([["disconnected", expect.stringMatching(why)]]);
  expect(connection.problems[0]).toMatch(why);
});

test("a server that was killed is not connected as soon as its end is known, and is connected again", async () => {
  const connection = connectHostile("says its process id", { reconnect: { baseMs: 10 } });
  await connection.ready;
  const seen = watch(connection);

  process.kill(Number((await callOf(connection, "echo")).output), "SIGKILL");
  await whenStatus(connection, "disconnected");
  const meanwhile = await callOf(connection, "echo");
  await whenStatus(connection, "connected");

  expect(seen.map(([status]) => status)).toEqual(["disconnected", "connected"]);
  // Which of the two is seen first is up to the operating system.
  const why = /(its process ended with signal SIGKILL|it closed its standard output)\./;
  expect(seen[0]?.[1]).toMatch(why);
  expect(meanwhile.output).toMatch(new RegExp(`is not connected: ${why.source} It is being connected`));
  expect(connection.problems).toEqual([]);
  expect(Number((await callOf(connection, "echo")).output)).toBeGreaterThan(0);
});

test("a server that stands still is not called after a call of it timed out, until it answers again", async () => {
  const connection = await connectBriefly("says its process id");
  const pid = Number((await callOf(connection, "echo")).output);
  const seen = watch(connection);

  process.kill(pid, "SIGSTOP");
  const hung = await callOf(connection, "echo");
  await whenStatus(connection, "failed");
  process.kill(pid, "SIGCONT");
  await whenStatus(connection, "connected");

  expect(hung).toMatchObject({ status: "timeout" });
  expect(seen).toEqual([
    ["failed", "it does not answer."],
    ["connected", undefined],
  ]);
  expect((await callOf(connection, "echo")).output).toBe(String(pid));
});

test("a server that dies while its list is read never reads as connected", async () => {
  const pidFile = join(await mkdtemp(join(tmpdir(), "mcp-dying-")), "pid");
  onTestFinished(() => rm(dirname(pidFile), { recursive: true }));
  // What it has listed is taken once it is gone.
  const load = async () => {
    const pid = Number(await readFile(pidFile, "utf8"));
    while ((await startOf(pid)) !== "dead") await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return {};
  };
  const connection = connectHostile(
    "dies once it has listed",
    { definitions: { load, save: () => {} } },
    { PID_FILE: pidFile },
  );
  const seen = watch(connection);

  await expect(connection.ready).rejects.toThrow(/did not list its tools: its process ended with exit code 5/);
  await whenStatus(connection, "failed");

  expect(seen.map(([status]) => status)).toEqual(["failed"]);
  expect(connection.problems[0]).toMatch(/exit code 5/);
});

test.each([
  ["that the host closes meanwhile", "never answers a call", /no longer connected: it was closed\./],
  [
    "of a server that dies and is not to be connected again",
    "dies in a call",
    /no longer connected: its process ended/,
  ],
])("a call %s is not told that the server comes back", async (_, habit, why) => {
  const connection = connectHostile(habit);
  await connection.ready;

  const failed = connection.call("echo", {}).catch((error) => error);
  if (habit === "never answers a call") await connection.close();
  const { message, details } = await failed;

  expect(message).toMatch(why);
  expect(message).toMatch(/The call was interrupted; its work may be half done\.$/);
  expect(details).toMatchObject({ outcome: "unknown" });
});

test("a server at a URL that nobody listens to any more is not connected as soon as a call of it has failed", async () => {
  const server = await serveHostile("none");
  const connection = closing(connectMcp({ name: "hostile", url: server.url }, { reconnect: { baseMs: 60_000 } }));
  await connection.ready;
  await server.close();
  const statuses: string[] = [];
  const record = () => statuses.push(connection.status);

  const [first] = await Promise.all([
    callOf(connection, "echo").finally(record),
    connection.call("echo", {}).catch(record),
  ]);
  const second = await callOf(connection, "echo");

  expect(first).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(statuses).toEqual(["disconnected", "disconnected"]);
  expect(second.output).toMatch(/is not connected: it could not be reached \(connect ECONNREFUSED/);
});
