import { expect, test } from "vitest";
import { connectMcp } from "../../../src/mcp/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";
import { callOf, closing } from "../servers.js";
import { serveSessions } from "../session-server.js";

type Options = Parameters<typeof connectMcp>[1];

async function connectTo(url: string, options: Options = {}) {
  const connection = closing(connectMcp({ name: "keeper", url }, { timeoutMs: 50_000, ...options }));
  await connection.ready;
  return connection;
}

test.each<[string, Options]>([
  ["", {}],
  [", also where a server that is gone is not connected again", { reconnect: false }],
])("a call that meets a session the server has forgotten is made once more, in a new one%s", async (_, options) => {
  const server = await serveSessions();
  const connection = await connectTo(server.url, options);
  const statuses: string[] = [];
  connection.on("status", (status) => statuses.push(status));

  const before = await callOf(connection, "echo");
  server.forget();
  const after = await callOf(connection, "echo");

  expect(before).toMatchObject({ output: "session-1", isError: false });
  expect(after).toMatchObject({ output: "session-2", isError: false });
  expect(server.taken).toEqual(["initialize", "tools/call in session-1", "initialize", "tools/call in session-2"]);
  expect(statuses).toEqual(["disconnected", "connected"]);
});

test("calls that meet a forgotten session at once share the new one", async () => {
  const server = await serveSessions();
  const connection = await connectTo(server.url);
  server.forget();

  const answers = await Promise.all(Array.from({ length: 8 }, () => connection.call("echo", {})));

  expect(answers).toEqual(Array(8).fill("session-2"));
  expect(server.taken).toHaveLength(2 + 8);
});

test("a call that is still answered in a forgotten session is neither interrupted nor repeated", async () => {
  const answers: ((text: string) => void)[] = [];
  const server = await serveSessions({ call: (answer) => answers.push(answer) });
  const connection = await connectTo(server.url);

  const early = connection.call("echo", {});
  await expect.poll(() => answers.length).toBe(1);
  server.forget();
  const late = connection.call("echo", {});
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!("late");
  expect(await late).toBe("late");
  answers[0]!("early");

  expect(await early).toBe("early");
  expect(server.taken).toHaveLength(4);
});

test("a server that answers every call with 404 gets one new session for each, and the call fails with what to do", async () => {
  const server = await serveSessions({ knowsNoCall: true });
  const connection = await connectTo(server.url);

  const results = [await callOf(connection, "echo"), await callOf(connection, "echo")];

  for (const result of results) {
    expect(result).toMatchObject({ isError: true, details: { code: "MCP_FAILED", outcome: "not-started" } });
    expect(result.output).toMatch(
      /has forgotten its session twice: it answered with HTTP 404 .*If several servers share/,
    );
  }
  expect(server.taken).toEqual(["initialize", "initialize", "initialize"]);
  expect(server.refused).toBe(4);
  expect(connection.status).toBe("connected");
});

test("a call is not repeated with a definition that has changed with the new session", async () => {
  const server = await serveSessions({ describe: (sessions) => `Says it again, version ${sessions}.` });
  const connection = await connectTo(server.url);
  server.forget();

  const result = await callOf(connection, "echo");

  expect(result).toMatchObject({ isError: true, details: { code: "MCP_FAILED", outcome: "not-started" } });
  expect(result.output).toMatch(/has changed the definition of "echo" since this call was made/);
  expect(server.taken).toEqual(["initialize", "initialize"]);
});

test("a call that waits for a new session ends when it is cancelled, and when the connection is closed", async () => {
  const server = await serveSessions();
  const connection = await connectTo(server.url);
  server.forget();
  const stop = new AbortController();
  connection.on("status", (status) => {
    if (status === "disconnected") stop.abort(new Error("the user left"));
  });

  const cancelled = await callOf(connection, "echo", {}, fakeToolContext({ signal: stop.signal }));
  await expect.poll(() => connection.status).toBe("connected");
  server.forget();
  connection.on("status", (status) => {
    if (status === "disconnected") void connection.close();
  });
  const closed = await callOf(connection, "echo");

  expect(cancelled).toMatchObject({ status: "aborted" });
  expect(closed).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(server.taken.filter((request) => request.startsWith("tools/call"))).toEqual([]);
});
