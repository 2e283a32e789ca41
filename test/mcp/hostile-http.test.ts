import { expect, test } from "vitest";
import { connectMcp } from "../../src/mcp/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { serveHostile } from "./hostile-server/http-habits.js";
import { callOf, closing } from "./servers.js";

async function connectTo(habit: string) {
  const server = closing(await serveHostile(habit));
  const headers = { authorization: "Bearer hush" };
  const connection = closing(
    connectMcp({ name: "hostile", url: server.url, headers }, { timeoutMs: 60_000, reconnect: false }),
  );
  return { server, connection };
}

test.each([
  "none",
  "answers with a string for an id",
  "names its content type in capitals",
  "answers in a batch",
  "answers in an event stream with everything",
  "puts garbage before the answer",
  "answers twice in a stream",
  "answers somebody else first",
  "keeps the stream open after the answer",
  "notifies after the answer",
  "changes its session id",
  "answers notifications with 200 and text",
  "answers notifications with 204",
  "has no stream of its own (405)",
  "has no stream of its own (404)",
  "fails where its stream is asked for",
  "answers with a page where its stream is asked for",
  "never answers where its stream is asked for",
  "ends its stream at once",
  "asks for streams after a time that no timer has",
  "cries wolf about its list",
  "does not let sessions end (405)",
  "fails at the end of a session",
  "never answers the end of a session",
  "moves to another path",
  "continues a stream that broke",
  "pages its list without end",
])("a server at a URL that %s works, and can be closed", async (habit) => {
  const { connection, server } = await connectTo(habit);
  await connection.ready;

  const result = await callOf(connection, "echo");
  await connection.close();

  expect(result).toMatchObject({ output: "echo hi", isError: false });
  expect(server.elsewhere).toEqual([]);
});

const TRY_AGAIN = "MCP_DISCONNECTED";
const FINAL = "MCP_FAILED";
/** Takes the SDK seconds to read. */
const FLOODS: [string, string, RegExp][] = process.env.PROVE
  ? [["floods with notifications", TRY_AGAIN, /more than 20000 messages in 10 s/]]
  : [];

test.each<[string, string, RegExp]>([
  ["refuses the call with 401", FINAL, /did not take the call: it answered with HTTP 401: it asks its user to sign in/],
  ["refuses the call with 403", FINAL, /did not take the call: it answered with HTTP 403 Forbidden: not for you\./],
  [
    "refuses the call with 429",
    TRY_AGAIN,
    /could not be called: it answered with HTTP 429 Too Many Requests: slow down\. Try/,
  ],
  [
    "refuses the call with 500 at length",
    TRY_AGAIN,
    /gave no usable answer: it answered with HTTP 500 Internal Server Error: because.* Its work may be half done/,
  ],
  ["answers with an empty body", FINAL, /its answer is not JSON/],
  ["answers with half a JSON", FINAL, /its answer is not JSON/],
  ["answers without a content type", FINAL, /its answer has no content type/],
  ["answers with no content", FINAL, /its answer has no content type/],
  ["cuts its body off", TRY_AGAIN, /its answer was cut off.* Its work may be half done: check before you repeat it/],
  ["hangs up", TRY_AGAIN, /it could not be reached.* Its work may be half done: check before you repeat it/],
  ["says that it is compressed", TRY_AGAIN, /its answer was cut off \(incorrect header check\)/],
  ["sends a huge event", FINAL, /did not answer the call: the server sent more than 32 MiB at once/],
  ["sends an event of many lines", FINAL, /did not answer the call: the server sent more than 32 MiB at once/],
  ["answers with an id of its own", FINAL, /did not answer the call: it replied to requests/],
  ["answers with null for an id", FINAL, /not a JSON-RPC response/],
  ["redirects without end", FINAL, /it redirects to http:\S+, which is not followed/],
  [
    "redirects to another host",
    FINAL,
    /it redirects to http:\S+, which is not followed; if that is the server you mean, use/,
  ],
  ["redirects nowhere", FINAL, /it answered with HTTP 302 Found\./],
  ["breaks a stream that it cannot continue", FINAL, /the connection ended before its response had come/],
  ...FLOODS,
])(
  "a call of a server at a URL that %s fails with %s, and another server is not harmed",
  async (habit, code, message) => {
    const { connection, server } = await connectTo(habit);
    const { connection: other } = await connectTo("none");
    await Promise.all([connection.ready, other.ready]);

    const [result, well] = await Promise.all([callOf(connection, "echo"), callOf(other, "echo")]);

    expect(result).toMatchObject({ isError: true, details: { code } });
    expect(result.output).toMatch(message);
    expect(String(result.output).length).toBeLessThan(1_000);
    expect(well).toMatchObject({ output: "echo hi" });
    expect(server.elsewhere).toEqual([]);
  },
);

test.each([
  "accepts the call and says no more",
  "never sends headers",
  "never ends its body",
  "only keeps its stream alive",
  "breaks its stream again and again",
])("a call of a server at a URL that %s ends when it is cancelled", async (habit) => {
  const { connection, server } = await connectTo(habit);
  await connection.ready;
  const stop = new AbortController();

  const call = callOf(connection, "echo", {}, fakeToolContext({ signal: stop.signal }));
  await server.whenAsked("tools/call");
  stop.abort(new Error("the user left"));

  expect(await call).toMatchObject({ status: "aborted" });
  await server.whenAsked("notifications/cancelled");
  expect(connection.status).toBe("connected");
});

test.each([
  ["is a web site", /its answer has the content type text\/html, which is neither JSON nor an event stream/],
  ["is not there", /HTTP 404 Not Found and a page\. Check its URL: it has to take MCP over streamable HTTP/],
  ["speaks the older transport only", /HTTP 405 Method Not Allowed\. Check its URL/],
  ["asks who it is", /asks its user to sign in; pass `auth`/],
  ["is down", /HTTP 503 Service Unavailable and a page\./],
  ["ends its first stream without an answer", /the connection ended before its response had come/],
  ["sends its client elsewhere", /it redirects to http:\S+, which is not followed/],
  ["lists nothing that is a list", /did not list its tools: its list of tools is not a list/],
])("a server at a URL that %s is reported, and what it may not see goes nowhere", async (habit, message) => {
  const { connection, server } = await connectTo(habit);

  await expect(connection.ready).rejects.toMatchObject({ code: "MCP_FAILED", message: expect.stringMatching(message) });

  expect(connection.problems.join()).toMatch(message);
  expect(server.elsewhere).toEqual([]);
});

test("a server at a URL that never answers first is given up", async () => {
  const server = closing(await serveHostile("never answers first"));
  const connection = closing(connectMcp({ name: "hostile", url: server.url }, { timeoutMs: 50, reconnect: false }));

  await expect(connection.ready).rejects.toThrow(/did not answer in time/);
});

test("a server at a URL that nobody listens to is reported", async () => {
  const server = await serveHostile("none");
  await server.close();
  const connection = closing(connectMcp({ name: "hostile", url: server.url }, { timeoutMs: 60_000, reconnect: false }));

  await expect(connection.ready).rejects.toThrow(/it could not be reached \(connect ECONNREFUSED/);
});
