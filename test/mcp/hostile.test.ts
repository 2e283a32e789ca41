import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createMcpRegistry } from "../../src/mcp/index.js";
import { startOf } from "../../src/processes/process-lock.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { bundled } from "../bundled.js";
import { callOf, connectBriefly, connectHostile, whenStatus } from "./servers.js";

/** Whether a process lives; a zombie does not. */
async function lives(pid: number): Promise<boolean> {
  return (await startOf(pid)) !== "dead";
}

test.each([
  [
    "exits at once",
    /could not be connected: its process ended with exit code 3\. It printed last on standard error: cannot find my configuration\./,
  ],
  ["says nothing", /timed out/i],
  ["refuses to initialize", /License expired/],
  ["speaks a version that does not exist", /protocol version is not supported: 1999-01-01/],
  ["initializes with a string", /neither a result nor an error/],
  ["never ends a line", /more than 32 MiB without a line break/],
  ["lists no list", /its list of tools is not a list/],
  ["cannot list for want of its service", /did not list its tools: fetch failed\./],
  ["dies before it has listed", /did not list its tools: its process ended with exit code 9/],
  ["never lists", /timed out/i],
])("a server that %s is reported, and gone", async (habit, message) => {
  const connection = connectHostile(habit, { timeoutMs: /timed out/.test(message.source) ? 300 : 240_000 });

  await expect(connection.ready).rejects.toMatchObject({ code: "MCP_FAILED", message: expect.stringMatching(message) });

  await whenStatus(connection, "failed");
  expect(connection.problems.join()).toMatch(message);
});

test("what a server printed that is no message is reported", async () => {
  // A slow machine has not started it within the first of these.
  for (let limitMs = 500; ; limitMs *= 2) {
    const connection = connectHostile("prints garbage only", { timeoutMs: limitMs });
    const { message } = await connection.ready.then(
      () => expect.fail("It is connected"),
      (error: Error) => error,
    );
    if (limitMs < 30_000 && !message.includes("It printed 100 lines")) continue;

    expect(message).toMatch(/It printed 100 lines that are not messages, first "Starting up… 0%"/);
    await whenStatus(connection, "failed");
    return;
  }
});

test.each([
  ["none", "echo hi"],
  ["starts late", "echo hi"],
  ["prints a banner first", "echo hi"],
  ["prints in between", "fine"],
  ["uses CRLF, a BOM and empty lines", "echo hi"],
  ["sends a batch", "batched"],
  ["answers in single bytes", "späť 🐢"],
  ["forgets jsonrpc", "loose"],
  ["asks for what nobody knows", "asked"],
  ["pings the client", "pong {}"],
  ["lists one page again and again", "echo hi"],
  ["lists things that are no tools", "echo hi"],
  ["lists a tool twice", "echo hi"],
  ["describes at length", "echo hi"],
  ["describes nothing", "echo hi"],
  ["hides words in a description", "echo hi"],
  ["writes instructions at length", "echo hi"],
  ["cries wolf about its list", "listed 1"],
  ["answers twice", "first"],
  ["answers somebody else", "right"],
  ["reports progress of others", "done"],
  ["floods with progress", "done"],
  ["answers with a string for an id", "as a string"],
  ["errs for nobody", "fine"],
  ["logs what is not a log", "logged"],
  ["reports progress that is not a number", "done"],
  ["cancels the client's call", "after all"],
  ["reuses an id for its own request", "still here"],
  ["returns broken UTF-8", "a\ufffd\ufffdb"],
  ["returns what a terminal obeys", "red and\ttabs\r\n\u200fright\u200d"],
  ["returns keys of prototypes", "own"],
  ["returns a lone surrogate", "half \ud83d end"],
])("a server that %s works", async (habit, output) => {
  const connection = connectHostile(habit);
  await connection.ready;

  const result = await callOf(connection, "echo", { text: "hi" });

  expect(result).toMatchObject({ output, isError: false });
  const { description } = connection.tools()[0]!.definition();
  expect(description.length).toBeLessThanOrEqual(8_000);
  expect(description).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(connection.instructions?.length ?? 0).toBeLessThanOrEqual(8_000);
  expect(result.context.updates.length).toBeLessThan(1_000);
});

test.each([
  ["floods with notifications", "MCP_DISCONNECTED", /more than 20000 messages in 10 s/],
  ["never answers a call", "TOOL_TIMEOUT", /did not answer within \d+ ms, nor report progress/],
  ["dies in a call", "MCP_DISCONNECTED", /exit code 139\. It printed last on standard error: Segmentation fault/],
  ["closes its output", "MCP_DISCONNECTED", /it closed its standard output/],
  ["does not read", "TOOL_TIMEOUT", /within \d+ ms/],
  ["returns content that is no list", "MCP_FAILED", /content is not a list/],
  ["returns null", "MCP_FAILED", /neither a result nor an error/],
  ["fails without a reason", "TOOL_FAILED", /gave no reason/],
  ["errs with a string", "MCP_FAILED", /neither a result nor an error/],
  ["errs without a message", "MCP_FAILED", /neither a result nor an error/],
  ["cannot reach its own service", "MCP_FAILED", /"hostile" refused the call: fetch failed\.$/],
  ["errs at length", "MCP_FAILED", /because because .*…/],
  ["answers with both", "MCP_FAILED", /and neither/],
  ["nests its result without end", "MCP_FAILED", /nested more than 200 levels deep/],
  ["breaks its output schema", "MCP_FAILED", /did not keep to the tool's output schema: .*\n\{"n":"seven"\}/s],
])("a call of a server that %s fails with %s", async (habit, code, message) => {
  const connection = code === "TOOL_TIMEOUT" ? await connectBriefly(habit) : connectHostile(habit);
  await connection.ready;

  const result = await callOf(connection, "echo", { text: "hi" });

  expect(result).toMatchObject({ isError: true, details: { code } });
  expect(result.output).toMatch(message);
  expect(String(result.output).length).toBeLessThan(5_000);
});

test.each([
  "returns content that is no list",
  "returns null",
  "errs with a string",
  "nests its result without end",
  "breaks its output schema",
])("what a server has done is not known when it %s", async (habit) => {
  const connection = connectHostile(habit);
  await connection.ready;

  const { details } = await callOf(connection, "echo", { text: "hi" });

  expect(details).toMatchObject({ outcome: "unknown" });
});

test("content that is not understood is named, and the rest is read", async () => {
  const parts = connectHostile("returns parts that are none");
  const image = connectHostile("returns an image that is none");
  const nothing = connectHostile("returns no content");
  const many = connectHostile("returns thousands of parts");
  const long = connectHostile("returns megabytes");
  await Promise.all([parts.ready, image.ready, nothing.ready, many.ready, long.ready]);

  const [a, b, c, d, e] = await Promise.all([parts, image, nothing, many, long].map((each) => callOf(each, "echo")));

  expect(String(a?.output).split("\n").at(-1)).toBe("at last");
  expect(b?.output).toBe(
    "[An image (image/png) was left out: its data is not base64.]\n[An image (text/html, 3 bytes) cannot be shown here.]",
  );
  expect(c?.output).toBe("The tool returned nothing.");
  expect(d?.output).toContain("[4800 more parts were left out.]");
  expect(String(e?.output).length).toBeLessThan(25_000);
});

test("tools with odd names, broken schemas or in thousands are usable, each under a name of its own", async () => {
  const odd = connectHostile("has odd names");
  const broken = connectHostile("has broken schemas");
  const many = connectHostile("lists five thousand tools");
  const pages = connectHostile("lists pages without end");
  await Promise.all([odd.ready, broken.ready, many.ready, pages.ready]);

  for (const connection of [odd, broken, many, pages]) {
    const names = connection.tools().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-zA-Z_][\w-]{0,63}$/.test(name))).toEqual([]);
  }
  expect(odd.tools()).toHaveLength(9);
  expect(many.tools()).toHaveLength(1_000);
  expect(many.problems).toEqual(["it lists more than 1000 tools; the rest is left out"]);
  expect(pages.problems).toEqual(["its list of tools does not end; 100 were read"]);
  expect(broken.tools()).toHaveLength(10);
  expect(broken.problems).toHaveLength(6);
  for (const tool of broken.tools()) {
    expect(tool.definition().inputSchema.type).toBe("object");
    const call = { id: "1", name: tool.name, arguments: { text: `${"a".repeat(50)}x` } };
    const result = await createMcpRegistry([broken]).execute(call, fakeToolContext());
    expect(result).toMatchObject({ output: `echo ${"a".repeat(50)}x` });
  }
});

test("a cancelled call is cancelled at the server, and a late answer is ignored", async () => {
  const connection = connectHostile("never answers a call");
  const late = await connectBriefly("answers a cancelled call");
  await connection.ready;
  const stop = new AbortController();

  const call = callOf(connection, "echo", { text: "hi" }, fakeToolContext({ signal: stop.signal }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort(new Error("the user left"));

  expect(await call).toMatchObject({ status: "aborted" });
  expect((await callOf(connection, "echo", { text: "cancelled" })).output).toContain("the user left");
  expect(await callOf(late, "echo")).toMatchObject({ status: "timeout" });
  expect(late.status).toBe("connected");
});

test("no process of a server is left when it is closed, or has died", async () => {
  const stubborn = connectHostile("ignores its end");
  const parent = connectHostile("leaves a child behind");
  const dying = connectHostile("dies and leaves a child behind");
  await Promise.all([stubborn.ready, parent.ready, dying.ready]);
  const pids = [
    Number((await callOf(stubborn, "echo")).output),
    Number((await callOf(parent, "echo")).output),
    Number(dying.tools()[0]?.definition().description),
  ];
  expect(await Promise.all(pids.map(lives))).toEqual([true, true, true]);

  await callOf(dying, "echo");
  await Promise.all([stubborn.close(), parent.close(), dying.close()]);

  // A process that was killed a moment ago may still be on its way out.
  for (const pid of pids) while (await lives(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
});

test("a server asks the user as often as the host lets it", async () => {
  const asked: string[] = [];
  const connection = connectHostile("asks the user again and again", {
    elicit: ({ server, message, requestedSchema }) => {
      asked.push(`${server}: ${message} ${Object.keys(Object(requestedSchema?.properties)).join()}`);
      return { action: "accept", content: { name: "Ada" } };
    },
  });
  await connection.ready;

  const result = await callOf(connection, "echo");

  expect(asked).toEqual(Array(3).fill("hostile: Your name? name"));
  expect(JSON.parse(String(result.output))).toEqual({ action: "accept", content: { name: "Ada" } });
  expect(result.context.notices.map(({ point }) => point)).toEqual(
    Array(3).fill(["Elicitation", "ElicitationResult"]).flat(),
  );
});

test.each(["asks for a form without end", "asks for a form that is not one"])(
  "a server that %s is refused, and nobody is asked",
  async (habit) => {
    const asked: string[] = [];
    const connection = connectHostile(habit, {
      timeoutMs: 240_000,
      elicit: ({ message }) => {
        asked.push(message);
        return { action: "accept", content: {} };
      },
    });
    await connection.ready;

    const result = await callOf(connection, "echo");

    expect(result.output).toMatch(/refused|too large/);
    expect(asked).toEqual([]);
  },
);

const ENDS = process.env.PROVE ? ["SIGKILL", "SIGTERM", "exit"] : ["SIGKILL"];

test.each(ENDS)("no process of a server outlives a host that ends by %s", async (how) => {
  const program = await bundled(new URL("host-program.ts", import.meta.url));
  const host = spawn(process.execPath, [program, how], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(host.stdout.setEncoding("utf8"), "data");
  const pids = String(line).trim().split(" ").map(Number);
  expect(await Promise.all(pids.map(lives))).toEqual([true, true]);

  if (how !== "exit") host.kill(how as NodeJS.Signals);
  else host.kill("SIGUSR2");
  await once(host, "exit");

  for (const pid of pids) while (await lives(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
});
