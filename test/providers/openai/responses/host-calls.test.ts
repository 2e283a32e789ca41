// Calls of OpenAI's own kinds of tools: what is left to the program runs as any call does, and goes back as it came.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { sse } from "../../../../src/testing/fault-server/index.js";
import type { WireBody } from "../../wire-body.js";
import { callsOf, outcome, play, request, textOf } from "../streams.js";

const HEAD = { id: "resp_1", object: "response", model: "gpt-5.2", tools: [] };
const MESSAGE = {
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Done.", annotations: [] }],
};
const USAGE = { input_tokens: 50, output_tokens: 20, total_tokens: 70 };

const CUSTOM = { id: "ctc_1", type: "custom_tool_call", status: "completed", call_id: "call_1", name: "sql" };
const QUERY = { ...CUSTOM, input: "SELECT 1" };
const SHELL = {
  id: "sh_1",
  type: "shell_call",
  status: "completed",
  call_id: "call_2",
  action: { commands: ["uname -m"], timeout_ms: 1_000, max_output_length: 400 },
  environment: { type: "local" },
};
const LOCAL_SHELL = {
  id: "lsh_1",
  type: "local_shell_call",
  status: "completed",
  call_id: "call_3",
  action: { type: "exec", command: ["ls"], env: {} },
};
const PATCH = {
  id: "apc_1",
  type: "apply_patch_call",
  status: "completed",
  call_id: "call_4",
  operation: { type: "create_file", path: "a.md", diff: "+a\n" },
};

function body(...items: JsonObject[]): string {
  const end: JsonObject = { ...HEAD, status: "completed", output: items, usage: USAGE };
  const events: JsonObject[] = [
    { type: "response.created", response: { ...HEAD, status: "in_progress", output: [] } },
    ...items.flatMap((item, output_index): JsonObject[] => [
      { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
      { type: "response.custom_tool_call_input.delta", output_index, item_id: item.id!, delta: "SEL" },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: end },
  ];
  return sse(events, { named: true, done: false });
}

const read = async (reply: string, splitEvery?: number) => {
  const script = splitEvery === undefined ? { body: reply } : { body: reply, splitEvery };
  const { provider } = await play(script, { api: "responses" });
  return outcome(provider.stream(request()));
};

test.each<[JsonObject, name: string, input: JsonObject]>([
  [QUERY, "sql", { input: "SELECT 1" }],
  [SHELL, "shell", SHELL.action],
  [LOCAL_SHELL, "local_shell", LOCAL_SHELL.action],
  [PATCH, "apply_patch", PATCH.operation],
])("a call of a tool of OpenAI's own kinds is a call: %#", async (item, name, input) => {
  const call = { id: item.call_id, name, arguments: input };
  const whole = await read(body(item));

  expect(whole.error).toBeUndefined();
  expect(callsOf(whole.events)).toEqual([call]);
  expect(whole.events.at(-1)).toMatchObject({ finishReason: "tool-calls", usage: { inputTokens: 50 } });
  expect(await read(body(item), 61)).toEqual(whole);
  const document = JSON.stringify({ ...HEAD, status: "completed", output: [item], usage: USAGE });
  expect(callsOf((await read(document)).events)).toEqual([call]);
});

const THOUGHT = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" };
const TESTS = { id: "fc_1", type: "function_call", status: "completed", call_id: "call_5", name: "run_tests" };
const RUN = { ...TESTS, arguments: '{"quick":true}' };

test.each<[JsonObject, name: string]>([
  [QUERY, "sql"],
  [SHELL, "shell"],
  [LOCAL_SHELL, "local_shell"],
  [PATCH, "apply_patch"],
])(
  "calls run, and go back, in the order of the response's items, whatever kinds they are of: %#",
  async (item, name) => {
    const second = { ...THOUGHT, id: "rs_2" };
    const replies = [body(THOUGHT, item, second, RUN), body(MESSAGE)].map((reply) => ({ body: reply }));
    const { provider, server } = await play(replies, { api: "responses" });
    const ran: string[] = [];
    const tools = [name, "run_tests"].map((each) =>
      defineTool({
        name: each,
        description: each,
        permission: "execute",
        input: { type: "object" },
        execute: () => {
          ran.push(each);
          return each;
        },
      }),
    );

    await new AgentEngine({ provider, tools, approver: () => ({ decision: "allow" }) }).run("go");

    expect(ran).toEqual([name, "run_tests"]);
    const input = (server.requests[1]!.body as WireBody).input as JsonObject[];
    const outputs = [`${item.type}_output`, "function_call_output"];
    expect(input.slice(1).map(({ type }) => type)).toEqual(["reasoning", item.type, "reasoning", RUN.type, ...outputs]);
    expect(input.filter(({ type }) => type === "reasoning").map(({ id }) => id)).toEqual(["rs_1", "rs_2"]);
  },
);

test("a call that ends before one that was announced earlier keeps its place", async () => {
  const announced = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.added",
    output_index,
    item: { ...item, status: "in_progress" },
  });
  const ended = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const events = [announced(0, PATCH), announced(1, RUN), ended(1, RUN), ended(0, PATCH)];
  const end = { type: "response.completed", response: { ...HEAD, status: "completed", output: [PATCH, RUN] } };

  const reply = await read(sse([...events, end], { named: true, done: false }));

  expect(callsOf(reply.events).map(({ id }) => id)).toEqual(["call_4", "call_5"]);
});

test("what the server did itself is kept in its place before the calls that come behind a message", async () => {
  const search = { ...CUSTOM, name: "x_keyword_search", input: "{}" };

  const { events } = await read(body(search, RUN, MESSAGE, PATCH));

  expect(events.map(({ type }) => type)).toEqual([
    "message-start",
    "reasoning-end",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "text-delta",
    "reasoning-end",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "message-end",
  ]);
  expect(callsOf(events).map(({ id }) => id)).toEqual(["call_5", "call_4"]);
});

test("a call that was cut off is malformed", async () => {
  const item = { ...CUSTOM, input: "SELE", status: "incomplete" };

  expect(callsOf((await read(body(item))).events)).toMatchObject([{ name: "sql", malformed: "SELE" }]);
});

test("results go back as the outputs that each kind of call wants", async () => {
  const replies = [body(QUERY, SHELL, LOCAL_SHELL, PATCH), body(MESSAGE)].map((reply) => ({ body: reply }));
  const { provider, server } = await play(replies, { api: "responses" });
  const tools = ["sql", "shell", "local_shell", "apply_patch"].map((name) =>
    defineTool({
      name,
      description: name,
      permission: "read_only",
      input: { type: "object" },
      execute: async () => {
        if (name === "apply_patch") throw new Error("no such file");
        return name;
      },
    }),
  );

  const result = await new AgentEngine({ provider, tools }).run("go");

  expect(result.text).toBe("Done.");
  const items = (server.requests[1]!.body as WireBody).input;
  expect(items.slice(1, 5)).toEqual([QUERY, SHELL, LOCAL_SHELL, PATCH]);
  expect(items.slice(5)).toMatchObject([
    { type: "custom_tool_call_output", call_id: "call_1", output: "sql" },
    {
      type: "shell_call_output",
      call_id: "call_2",
      output: [{ stdout: "shell", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      max_output_length: 400,
    },
    { type: "local_shell_call_output", call_id: "call_3", output: "local_shell" },
    {
      type: "apply_patch_call_output",
      call_id: "call_4",
      status: "failed",
      output: expect.stringContaining("no such file"),
    },
  ]);
});

test("what a message follows was done by the server, also when it calls itself custom", async () => {
  const search = { ...CUSTOM, name: "x_keyword_search", input: '{"query":"tides"}' };
  const asked = { id: "mcpr_1", type: "mcp_approval_request", name: "find", server_label: "exa", arguments: "{}" };

  const { events, error } = await read(body(search, asked, MESSAGE));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Done.");
  expect(callsOf(events)).toEqual([]);
  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData] : []));
  expect(kept).toEqual([search, asked].map((item) => ({ item, serverWork: true })));
});

test("a server's own call that ends behind the message is not the program's", async () => {
  const search = { ...CUSTOM, name: "x_keyword_search", input: "{}" };
  const { events } = await read(
    sse(
      [
        { type: "response.created", response: { ...HEAD, status: "in_progress", output: [] } },
        { type: "response.output_item.added", output_index: 0, item: { ...search, input: "", status: "in_progress" } },
        { type: "response.output_item.added", output_index: 1, item: { ...MESSAGE, content: [] } },
        { type: "response.output_text.delta", output_index: 1, item_id: "msg_1", content_index: 0, delta: "Done." },
        { type: "response.output_item.done", output_index: 0, item: search },
        { type: "response.output_item.done", output_index: 1, item: MESSAGE },
        { type: "response.completed", response: { ...HEAD, status: "completed", output: [search, MESSAGE] } },
      ],
      { named: true, done: false },
    ),
  );

  expect(callsOf(events)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ finishReason: "stop" });
});

test.each<[JsonObject, says: RegExp]>([
  [
    { id: "mcpr_1", type: "mcp_approval_request", name: "find", server_label: "exa", arguments: "{}" },
    /approval of "find" of its MCP server "exa".*require_approval "never"/,
  ],
  [
    { id: "cu_1", type: "computer_call", call_id: "call_1", action: { type: "screenshot" } },
    /item of type "computer_call".*offer a tool of your own/,
  ],
  [
    { id: "ts_1", type: "tool_search_call", call_id: "call_1", execution: "client", arguments: {} },
    /item of type "tool_search_call"/,
  ],
])("what no result can be the reply to is an error that says what to do: %#", async (item, says) => {
  const { events, error } = await read(body(item));

  expect(error).toMatchObject({ code: "BAD_REQUEST", retryable: false, message: expect.stringMatching(says) });
  expect(events.some(({ type }) => type === "message-end")).toBe(false);
});

test("what was left while the response streamed is not taken twice, whatever its end calls it", async () => {
  const streamed = body(QUERY).replaceAll('"call_id":"call_1"', '"call_id":"call_9"');
  const at = streamed.indexOf("event: response.completed");
  const reply = streamed.slice(0, at) + body(QUERY).slice(body(QUERY).indexOf("event: response.completed"));

  expect(callsOf((await read(reply)).events)).toMatchObject([{ id: "call_9" }]);
});

test("a response that begins again, or says that it is done inside an item, breaks the stream", async () => {
  const open: JsonObject[] = [
    { type: "response.created", response: { ...HEAD, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...MESSAGE, content: [] } },
    { type: "response.output_text.delta", output_index: 0, item_id: "msg_1", content_index: 0, delta: "Do" },
  ];
  const again = await read(sse(open, { named: true, done: false }) + body(MESSAGE));
  const cut = await read(sse(open, { named: true, done: true }));

  expect(again.error).toMatchObject({
    code: "STREAM_BROKEN",
    retryable: true,
    message: expect.stringMatching(/began its message again/),
  });
  expect(cut.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
});
