import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TaskState } from "@a2a-js/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type A2aToolOptions, a2aTool } from "../../src/a2a/index.js";
import { AgentEngine, type JsonObject, type PermissionGate, type RunResult } from "../../src/index.js";
import { text as says, scripted, toolCall } from "../../src/providers/scripted/index.js";
import { toolContract } from "../../src/testing/index.js";
import { newEngine } from "../http/agents.js";
import { serveAgent } from "./agents.js";
import { part, type SdkAgent, sdkAgent, text } from "./sdk-agent.js";

const { TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_WORKING } = TaskState;
const { TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED } = TaskState;

const hello = { message: "Hello." };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function other(...args: Parameters<typeof sdkAgent>) {
  const agent = await sdkAgent(...args);
  closing.push(() => agent.close());
  return agent;
}

/** An agent that asks the other one once, with each message, and then has seen what came back. */
function asking(options: Partial<A2aToolOptions> & { readonly url: string }, ...calls: object[]) {
  const tool = a2aTool({ name: "other", description: "Another agent.", ...options });
  const turns = calls.map((call) => toolCall("other", call as never));
  return new AgentEngine({ provider: scripted([...turns, says("Seen.")]), tools: [tool], permissions: ALLOW });
}
const ALLOW: PermissionGate = { decide: () => ({ behavior: "allow" }) };

function resultsOf(result: RunResult) {
  return result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
}

describe("as every tool", () => {
  let agent: SdkAgent;
  beforeAll(async () => {
    agent = await sdkAgent((turn) => turn.status(TASK_STATE_COMPLETED, [text("Done.")]));
  });
  afterAll(() => agent.close());
  const makeTool = () => a2aTool({ url: agent.url, name: "other", description: "Another agent." });
  const valid: JsonObject[] = [hello, { message: "Hi.", conversation: "c" }];
  for (const each of toolContract(makeTool, { valid, invalid: [{}, { message: "" }] })) test(each.name, each.run);
});

describe.each([
  ["JSONRPC", true],
  ["JSONRPC", false],
  ["HTTP+JSON", true],
  ["HTTP+JSON", false],
])("an agent of the SDK's over %s, with streams: %s", (binding, streaming) => {
  test("gives the model what it has made, and a conversation to go on with", async () => {
    const heard: string[] = [];
    const agent = await other(
      (turn) => {
        heard.push(`${turn.text} ${turn.context.contextId}`);
        turn.artifact("a", [text("One ")]);
        turn.artifact("a", [text("two.")], true);
        turn.artifact("b", [part({ $case: "data", value: { n: 3 } })]);
        turn.status(TASK_STATE_COMPLETED);
      },
      { bindings: [binding], streaming },
    );
    const first = await asking({ url: agent.url }, hello).run("Go.");
    const [result] = resultsOf(first);
    const [, conversation] = /\(conversation: (.+)\)/.exec(String(result?.output))!;
    await asking({ url: agent.url }, { message: "And?", conversation }).run("Go.");

    expect(result).toMatchObject({ isError: false, output: `One two.\n{"n":3}\n\n(conversation: ${conversation})` });
    expect(heard).toEqual([`Hello. ${conversation}`, `And? ${conversation}`]);
  });

  test("asks a question, which suspends the run, and gets its answer as the next message of the task", async () => {
    const tasks: string[] = [];
    const agent = await other(
      (turn) => {
        tasks.push(turn.context.taskId);
        if (turn.text === "Hello.") turn.status(TASK_STATE_INPUT_REQUIRED, [text("Which city?")]);
        else {
          turn.artifact("a", [text(`Sunny in ${turn.text}.`)]);
          turn.status(TASK_STATE_COMPLETED);
        }
      },
      { bindings: [binding], streaming },
    );
    const engine = asking({ url: agent.url }, hello);

    const asked = await engine.run("Go.");
    const [question] = asked.pending;
    const done = await engine.resume(asked.sessionId, { answers: [{ id: question!.id, value: "Rome" }] }).result;

    expect(question).toMatchObject({ kind: "question", reason: "Which city?" });
    expect(done.status).toBe("completed");
    expect(resultsOf(done)[0]!.output).toContain("Sunny in Rome.");
    expect(new Set(tasks).size).toBe(1);
  });
});

test.each([
  [TASK_STATE_FAILED, "The agent has failed:"],
  [TASK_STATE_REJECTED, "The agent refuses:"],
  [TASK_STATE_AUTH_REQUIRED, "The agent asks for a sign-in that only the host can make:"],
])("a task that ends in state %i is an error result that says so", async (state, says) => {
  const agent = await other((turn) => turn.status(state, [text("It is so.")]));

  const [result] = resultsOf(await asking({ url: agent.url }, hello).run("Go."));

  expect(result).toMatchObject({ isError: true });
  expect(result!.output).toContain(`${says}\nIt is so.`);
});

test("an answer without a task is the result", async () => {
  const agent = await other((turn) => turn.message([text("Hi there.")]));

  const [result] = resultsOf(await asking({ url: agent.url }, hello).run("Go."));

  expect(result!.output).toContain("Hi there.");
});

test("a question that is refused cancels the task, and is an error result", async () => {
  const agent = await other((turn) => turn.status(TASK_STATE_INPUT_REQUIRED, [text("Which city?")]));
  const engine = asking({ url: agent.url }, hello);
  const asked = await engine.run("Go.");

  const answers = [{ id: asked.pending[0]!.id, decision: "deny" as const }];
  const done = await engine.resume(asked.sessionId, { answers }).result;

  expect(resultsOf(done)[0]).toMatchObject({ isError: true });
  expect(agent.canceled).toHaveLength(1);
});

test("aborting the run cancels the task", async () => {
  let began = () => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const agent = await other(async (turn) => {
    turn.status(TASK_STATE_WORKING);
    began();
    await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
  });
  const run = asking({ url: agent.url }, hello).stream("Go.");
  await begun;
  await new Promise((resolve) => setTimeout(resolve, 100));

  run.abort("Enough.");

  expect((await run.result).status).toBe("aborted");
  await expect.poll(() => agent.canceled.length).toBe(1);
});

test("the time of a call cancels the task, and is an error result", async () => {
  const agent = await other(async (turn) => {
    turn.status(TASK_STATE_WORKING);
    await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
  });

  const [result] = resultsOf(await asking({ url: agent.url, timeoutMs: 500 }, hello).run("Go."));

  expect(result).toMatchObject({ isError: true });
  await expect.poll(() => agent.canceled.length).toBe(1);
});

test("credentials go to the origin of the URL alone, whatever the card says", async () => {
  const elsewhere = await other((turn) => turn.status(TASK_STATE_COMPLETED, [text("Mine now.")]));
  const agent = await other(() => {}, { origin: elsewhere.url });
  const headers = { "x-api-key": "secret" };

  const refused = resultsOf(await asking({ url: agent.url, headers }, hello).run("Go."))[0]!;
  const seenBefore = elsewhere.seen.length;
  const allowed = asking({ url: agent.url, headers, otherOrigins: [elsewhere.url] }, hello);
  const [result] = resultsOf(await allowed.run("Go."));

  expect(refused.output).toContain(`its card names no address at ${agent.url}`);
  expect(seenBefore).toBe(0);
  expect(result!.output).toContain("Mine now.");
  expect(agent.seen.every(({ key }) => key === "secret")).toBe(true);
  expect(elsewhere.seen.length).toBeGreaterThan(0);
  expect(elsewhere.seen.every(({ key }) => key === undefined)).toBe(true);
});

/** A server of a test's own, that need not keep to any protocol. */
async function raw(answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a redirection is not followed, so that no credentials go where it leads", async () => {
  const seen: (string | undefined)[] = [];
  const trap = await raw((request, response) => {
    seen.push(request.headers["x-api-key"] as string | undefined);
    response.end("{}");
  });
  const url = await raw((_request, response) => response.writeHead(307, { location: `${trap}/` }).end());

  const [result] = resultsOf(await asking({ url, headers: { "x-api-key": "secret" } }, hello).run("Go."));

  expect(result!.output).toContain(`it redirects to ${trap}/`);
  expect(seen).toEqual([]);
});

test("a peer that never answers ends the call", async () => {
  const url = await raw(() => {});

  const [result] = resultsOf(await asking({ url, silenceMs: 300 }, hello).run("Go."));

  expect(result).toMatchObject({ isError: true });
  expect(result!.output).toContain("nothing came from it for 300 ms");
});

test("a peer that sends without end is stopped", async () => {
  const url = await raw(async (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write("[".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });

  const [result] = resultsOf(await asking({ url, maxBytes: 1_000_000 }, hello).run("Go."));

  expect(result!.output).toContain("its card has more than 1000000 bytes");
});

test("a connection that breaks off is taken up again: nothing lost, nothing doubled", async () => {
  let go = () => {};
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const provider = {
    id: "slow",
    model: "slow",
    async *stream() {
      yield { type: "message-start" as const };
      yield { type: "text-delta" as const, text: "One " };
      yield { type: "text-delta" as const, text: "two " };
      await going;
      yield { type: "text-delta" as const, text: "three." };
      yield { type: "message-end" as const, finishReason: "stop" as const, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const agent = await serveAgent({ engine: newEngine({ provider }) });
  closing.push(() => agent.close());
  const run = asking({ url: agent.url, headers: { authorization: "Bearer ann" } }, hello).stream("Go.");
  const events = run[Symbol.asyncIterator]();
  for (let step = await events.next(); step.value?.type !== "tool-progress"; step = await events.next());
  agent.dropConnections();
  go();
  const result = await run.result;

  expect(resultsOf(result)[0]!.output).toContain("One two three.\n");
});

test("a task that grows without end is canceled", async () => {
  const agent = await other(async (turn) => {
    for (let count = 0; count < 200; count++) {
      turn.artifact("a", [text("x".repeat(10_000))], count > 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
  });

  const [result] = resultsOf(await asking({ url: agent.url, maxBytes: 500_000 }, hello).run("Go."));

  expect(result).toMatchObject({ isError: true });
  expect(result!.output).toContain("it sent more than 500000 bytes");
  await expect.poll(() => agent.canceled.length).toBe(1);
});

test("a wait for a sign-in ends the call, also on a stream that stays open", async () => {
  const agent = await other(async (turn) => {
    turn.status(TASK_STATE_AUTH_REQUIRED, [text("Sign in at example.com.")]);
    await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
  });

  const [result] = resultsOf(await asking({ url: agent.url, timeoutMs: 10_000 }, hello).run("Go."));

  expect(result!.output).toContain("sign-in that only the host can make:\nSign in at example.com.");
});

test("text of an agent loses what only a terminal obeys, and data nested without end is left out", async () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 500; depth++) deep = [deep];
  const agent = await other((turn) => {
    turn.artifact("a", [text("\u001b[2JHi."), part({ $case: "data", value: deep })]);
    turn.artifact("b", [part({ $case: "raw", value: Buffer.from("abc") }, "application/zip")]);
    turn.artifact("c", [part({ $case: "raw", value: Buffer.from("abc") }, "image/png")]);
    turn.artifact("d", [part({ $case: "url", value: "http://169.254.169.254/" })]);
    turn.status(TASK_STATE_COMPLETED);
  });

  const [result] = resultsOf(await asking({ url: agent.url }, hello).run("Go."));

  expect(result!.output).toMatchObject([
    { type: "text", text: "Hi." },
    { type: "text", text: '"[Data nested too deep was left out.]"' },
    { type: "text", text: "[A file (application/zip, 3 bytes) cannot be shown here.]" },
    { type: "image", mediaType: "image/png", data: "YWJj" },
    { type: "text", text: "[A file at http://169.254.169.254/]" },
    { type: "text", text: expect.stringContaining("(conversation:") },
  ]);
});

test("the permission is execute: without a rule or an approver the call asks, and no request is sent", async () => {
  const agent = await other((turn) => turn.status(TASK_STATE_COMPLETED));
  const tool = a2aTool({ url: agent.url, name: "other", description: "Another agent." });
  const engine = new AgentEngine({ provider: scripted([toolCall("other", hello), says("Seen.")]), tools: [tool] });

  const asked = await engine.run("Go.");

  expect(tool.permission).toBe("execute");
  expect(asked.pending).toMatchObject([{ kind: "approval", tool: "other" }]);
  expect(agent.seen).toEqual([]);
});

test("an agent of version 0.3 is asked by its own protocol", async () => {
  const methods: string[] = [];
  const url: string = await raw(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/.well-known/agent-card.json") return void response.end(JSON.stringify(OLD(url)));
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    methods.push(method);
    const task = { kind: "task", id: "t", contextId: "c", status: { state: "completed" } };
    const artifacts = [{ artifactId: "a", parts: [{ kind: "text", text: "Old, but here." }] }];
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { ...task, artifacts } }));
  });

  const [result] = resultsOf(await asking({ url }, hello).run("Go."));

  expect(methods).toEqual(["message/send"]);
  expect(result!.output).toBe("Old, but here.\n\n(conversation: c)");
});
const OLD = (url: string) => ({
  protocolVersion: "0.3.0",
  name: "Old",
  description: "An agent of version 0.3.",
  version: "1.0.0",
  url: `${url}/`,
  preferredTransport: "JSONRPC",
  capabilities: { streaming: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
});
