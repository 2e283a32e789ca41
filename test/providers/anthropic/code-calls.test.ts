// Programmatic tool calling: the model's program runs on the server and calls tools here, from a container that waits.
// And turns that pause within the work of the server.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { outcome, request } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { CALLER, CONTAINER, call, PROGRAM, RESULT, response, roll, say } from "./programs.js";
import { playAnthropic } from "./streams.js";

const REPLIES = [
  response("tool_use", CONTAINER, PROGRAM, call("toolu_01"), call("toolu_02")),
  response("tool_use", CONTAINER, call("toolu_03")),
  response("tool_use", null, RESULT, call("toolu_04", { type: "direct" })),
  response("end_turn", null, { type: "text", text: "Six." }),
].map((body) => ({ body }));

test("a program's calls say again who has made them, and their results go to its container", async () => {
  const { provider, server } = await playAnthropic(REPLIES);

  const result = await new AgentEngine({ provider, tools: [roll] }).run("Roll.");

  expect(result).toMatchObject({ status: "completed", text: "Six." });
  const bodies = server.requests.map(({ body }) => body as WireBody & { container?: unknown });
  expect(bodies.map(({ container }) => container)).toEqual([undefined, "container_01", "container_01", undefined]);
  const { messages } = bodies[3]!;
  expect(messages[1].content).toEqual([PROGRAM, call("toolu_01"), call("toolu_02")]);
  expect(messages[2].content).toMatchObject([{ tool_use_id: "toolu_01" }, { tool_use_id: "toolu_02" }]);
  expect(messages[3].content).toEqual([call("toolu_03")]);
  const { caller: _direct, ...direct } = call("toolu_04");
  expect(messages[5].content).toEqual([RESULT, direct]);
});

test("a host's own word on the container is completed, and one that names a container is kept", async () => {
  const containers: unknown[] = [];
  for (const container of [{ skills: [{ type: "anthropic", skill_id: "pptx" }] }, "container_other"]) {
    const { provider, server } = await playAnthropic(REPLIES);
    await new AgentEngine({ provider, tools: [roll], modelOptions: { providerOptions: { container } } }).run("Roll.");
    containers.push((server.requests[1]!.body as { container?: unknown }).container);
  }

  expect(containers).toEqual([
    { id: "container_01", skills: [{ type: "anthropic", skill_id: "pptx" }] },
    "container_other",
  ]);
});

test("a caller whose program is not in the conversation any more is left out", async () => {
  const { provider, server } = await playAnthropic(REPLIES);
  const kept = { type: "reasoning", text: "", provider: "anthropic" } as const;
  const by = `anthropic/${provider.model}`;
  const author = { provider: "anthropic", model: provider.model };
  const stream = provider.stream(
    request({
      messages: [
        { role: "user", content: [{ type: "text", text: "Roll." }] },
        {
          role: "assistant",
          content: [
            { ...kept, providerData: { by, caller: CALLER } },
            { type: "tool-call", id: "toolu_01", name: "roll", arguments: {} },
          ],
          finishReason: "tool-calls",
          ...author,
        },
        { role: "tool", content: [{ toolCallId: "toolu_01", name: "roll", output: "6", isError: false }] },
      ] as never,
    }),
  );
  for await (const _event of stream);

  const { messages } = server.requests[0]!.body as WireBody;
  expect(messages[1].content).toEqual([{ type: "tool_use", id: "toolu_01", name: "roll", input: {} }]);
});

const SEARCH = { type: "server_tool_use", id: "srvtoolu_09", name: "web_search", input: { query: "weather" } };
const FOUND = { type: "web_search_tool_result", tool_use_id: "srvtoolu_09", content: [] };

test("a message that paused within a search goes back as it came, and the search stays with its result", async () => {
  const bodies = [
    response("pause_turn", null, say("Let me search."), SEARCH),
    response("end_turn", null, FOUND, say("It rains.")),
    response("end_turn", null, say("Still.")),
  ].map((body) => ({ body }));
  const { provider, server } = await playAnthropic(bodies, { serverTools: [{ type: "web_search_20250305" }] });
  const engine = new AgentEngine({ provider, sessions: createMemorySessionStore() });

  for (const prompt of ["Weather?", "And now?"]) await engine.run(prompt, { sessionId: "s" });

  const sent = server.requests.slice(1).map(({ body }) => (body as WireBody).messages);
  expect(sent.map((messages) => messages.map(({ role }: JsonObject) => role).join())).toEqual([
    "user,assistant",
    "user,assistant,user",
  ]);
  expect(sent[0]![1].content).toMatchObject([say("Let me search."), SEARCH]);
  expect(sent[1]![1].content).toEqual([say("Let me search."), SEARCH, FOUND, say("It rains.")]);
});

test("a result whose use is not in the conversation is left out, and a use that nothing answered", async () => {
  const { provider, server } = await playAnthropic({ body: response("end_turn", null, say("Hm.")) });
  const by = `anthropic/${provider.model}`;
  const author = { provider: "anthropic", model: provider.model, finishReason: "pause" };
  const work = (block: JsonObject) => ({
    type: "reasoning",
    text: "",
    provider: "anthropic",
    providerData: { by, block },
  });
  const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
  const messages = [
    user("Weather?"),
    { role: "assistant", content: [work(FOUND), { type: "text", text: "It rains." }], ...author },
    user("And now?"),
    {
      role: "assistant",
      content: [{ type: "text", text: "Wait." }, work({ ...SEARCH, id: "srvtoolu_10" })],
      ...author,
    },
    user("Well?"),
  ];

  await outcome(provider.stream(request({ messages: messages as never })));

  const sent = (server.requests[0]!.body as WireBody).messages;
  expect([sent[1].content, sent[3].content]).toEqual([[say("It rains.")], [say("Wait.")]]);
});
