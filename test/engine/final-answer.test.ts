// The model has called no tool: is this the end?
import { expect, test } from "vitest";
import { z } from "zod";
import type { HookInput, SessionEntry, SessionRecord, SessionStore } from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { entriesOf, listen, testEngine, tool } from "./kit.js";

test("a string that was cut off by the output limit is continued, and the texts are joined", async () => {
  const { engine, provider } = testEngine([text("Once upon ", { finishReason: "length" }), text("a time.")]);
  const turns = listen(engine, "turn-end");

  const result = await engine.run("tell");

  expect(result).toMatchObject({ status: "completed", text: "Once upon a time." });
  expect(turns.map(({ transition }) => transition)).toEqual(["output-limit-continuation", "completed"]);
  expect(provider.requests[1]!.lastMessage).toMatchObject({ role: "user", origin: "reminder" });
});

test("a model that pauses within work of its server, before it says anything, goes on", async () => {
  const search = { type: "reasoning-end", providerData: { block: { type: "server_tool_use", id: "s1" } } } as const;
  const end = { type: "message-end", finishReason: "length" } as const;
  const paused = { events: [{ type: "message-start" } as const, search, end] };
  const { engine, provider } = testEngine([paused, paused, text("Found it.")]);
  const turns = listen(engine, "turn-end");

  const result = await engine.run("look it up");

  expect(result).toMatchObject({ status: "completed", text: "Found it." });
  const transitions = ["output-limit-continuation", "output-limit-continuation", "completed"];
  expect(turns.map(({ transition }) => transition)).toEqual(transitions);
  expect(provider.requests[2]!.messages.filter(({ role }) => role === "assistant")).toHaveLength(2);
});

test("a model that only pauses has failed in the end", async () => {
  const search = { type: "reasoning-end", providerData: { id: "s1" } } as const;
  const paused = { events: [search, { type: "message-end", finishReason: "length" } as const] };
  const { engine, provider } = testEngine(Array(5).fill(paused));

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "EMPTY_RESPONSE" }, turns: 5 });
  provider.assertExhausted();
});

test("continuations are bounded", async () => {
  const cut = () => text("x", { finishReason: "length" });
  const { engine, provider } = testEngine([cut(), cut(), cut(), cut()]);

  expect(await engine.run("tell")).toMatchObject({ status: "completed", text: "xxxx" });
  provider.assertExhausted();
});

test.each([
  ["empty", text("")],
  ["blank", text("  \n")],
  ["made of reasoning alone", { reasoning: "Hm." }],
  ["finished for calls it does not hold", { text: "", finishReason: "tool-calls" as const }],
])("an answer that is %s is asked for once more, then the run has failed", async (_what, turn) => {
  const { engine } = testEngine([turn, turn]);
  const turns = listen(engine, "turn-end");

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "EMPTY_RESPONSE" }, turns: 2 });
  expect(turns.map(({ transition }) => transition)).toEqual(["empty-response-retry", "failed"]);
});

test("a model that announces a call and makes none is asked for the call, with what it has said kept", async () => {
  const announced = () => text("I will read it.", { finishReason: "tool-calls" });
  const { engine, provider } = testEngine([announced(), announced()]);

  const result = await engine.run("go");

  expect(provider.requests[1]?.lastUserText).toContain("ended as if a tool call followed");
  expect(result.error?.message).toContain("text that announces a tool call, but no call");
});

test("an answer after an empty one completes the run", async () => {
  const { engine } = testEngine([text(""), text("Here.")]);

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "Here." });
});

test("a Stop hook asks for another turn with its reason, and is reported that it has", async () => {
  const seen: HookInput<"Stop">[] = [];
  const { engine, provider } = testEngine([text("done"), text("really done")], {
    hooks: {
      Stop: [
        {
          run: (input) => {
            seen.push(input);
            return input.stopHookActive ? {} : { decision: "block", reason: "Run the tests first." };
          },
        },
      ],
    },
  });
  const turns = listen(engine, "turn-end");

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "really done" });
  expect(seen).toMatchObject([
    { stopHookActive: false, lastAssistantMessage: "done" },
    { stopHookActive: true, lastAssistantMessage: "really done" },
  ]);
  expect(provider.requests[1]!.lastUserText).toBe("Run the tests first.");
  expect(turns.map(({ transition }) => transition)).toEqual(["stop-hook", "completed"]);
});

test("maxStopContinuations bounds Stop hooks, with a notice", async () => {
  const { engine } = testEngine([text("1"), text("2"), text("3")], {
    hooks: { Stop: [{ run: () => ({ decision: "block", reason: "more" }) }] },
    limits: { maxStopContinuations: 2 },
  });
  const notices = listen(engine, "notice");

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "3" });
  expect(notices.map(({ code }) => code)).toEqual(["STOP_HOOK_LIMIT"]);
});

test("any hook that says continue: false ends the run as hook-stopped, with its reason", async () => {
  const { engine } = testEngine([toolCall("look")], {
    tools: [tool("look", async () => "seen", { permission: "read_only" })],
    hooks: { PostToolUse: [{ run: () => ({ continue: false, stopReason: "Office hours are over." }) }] },
  });

  expect(await engine.run("go")).toMatchObject({
    status: "hook-stopped",
    error: { code: "HOOK_STOPPED", message: "Office hours are over." },
  });
});

test("a UserPromptSubmit hook that blocks a prompt ends the run before any request, and nothing is recorded of it", async () => {
  const { engine, provider } = testEngine([], {
    hooks: { UserPromptSubmit: [{ run: () => ({ decision: "block", reason: "No secrets." }) }] },
  });

  const result = await engine.run("the password is …");

  expect(result).toMatchObject({ status: "hook-stopped", error: { message: "No secrets." } });
  expect(result.messages()).toEqual([]);
  expect(provider.requestCount).toBe(0);
});

/** Each `append` takes a moment, in which whatever happens to a run can overtake it. */
function slowStore(): SessionStore {
  const store = createMemorySessionStore();
  return {
    ...store,
    async append(id, entries) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.append(id, entries);
    },
  };
}

test.each([
  ["blocks it", { decision: "block", reason: "No secrets." }],
  ["stops the run", { continue: false, stopReason: "No secrets." }],
] as const)(
  "what a UserPromptSubmit hook that %s has decided is stored, although an abort follows",
  async (_how, said) => {
    const sessions = slowStore();
    const first = testEngine([], {
      sessions,
      hooks: {
        UserPromptSubmit: [
          {
            run: async () => {
              setTimeout(() => run.abort(), 1);
              return said;
            },
          },
        ],
      },
    });
    const run = first.engine.stream("the password is …", { sessionId: "s" });

    const cut = await run.result;
    const second = testEngine([], { sessions });
    const resumed = await second.engine.resume("s").result;

    const stopped = { status: "hook-stopped", error: { code: "HOOK_STOPPED", message: "No secrets." } };
    expect(cut).toMatchObject(stopped);
    expect((await entriesOf(sessions, "s")).at(-1)).toMatchObject({ type: "run-end", status: "hook-stopped" });
    expect(resumed).toMatchObject({ status: "hook-stopped" });
    expect(second.provider.requestCount).toBe(0);
  },
);

test("an abort before the hook has decided is what is stored", async () => {
  const { engine, store } = testEngine([], {
    hooks: {
      UserPromptSubmit: [
        {
          run: async () => {
            run.abort();
            return { continue: false };
          },
        },
      ],
    },
  });
  const run = engine.stream("go", { sessionId: "s" });

  expect((await run.result).status).toBe("aborted");
  expect(await testEngine(["Hello."], { sessions: store }).engine.resume("s").result).toMatchObject({ text: "Hello." });
});

test("there is no request without messages: a session without any ends as NOTHING_TO_SEND, and a prompt goes on with it", async () => {
  const store = createMemorySessionStore();
  const entry = (id: string, parent: string | null, record: SessionRecord): SessionEntry => {
    return { v: 1, id, parent, at: 0, runId: "r", turn: 0, ...record };
  };
  const usage = { inputTokens: 0, outputTokens: 0 };
  await store.append("s", [
    entry("1", null, { type: "run-start" }),
    entry("2", "1", { type: "run-end", status: "aborted", usage }),
  ]);
  const { engine, provider } = testEngine(["Hello."], { sessions: store });

  expect(await engine.resume("s").result).toMatchObject({ status: "failed", error: { code: "NOTHING_TO_SEND" } });
  expect(provider.requestCount).toBe(0);
  expect(await engine.run("hi", { sessionId: "s" })).toMatchObject({ status: "completed", text: "Hello." });
});

// ── structured output ───────────────────────────────────────────────────────────────────────────────────────────────

const city = z.object({ name: z.string(), people: z.number() });

test("a structured answer is parsed and validated; the schema reaches the provider", async () => {
  const { engine, provider } = testEngine([text('{"name": "Rome", "people": 3}')], { output: city });

  expect(await engine.run("go")).toMatchObject({ status: "completed", output: { name: "Rome", people: 3 } });
  expect(provider.requests[0]!.output).toMatchObject({ type: "object", required: ["name", "people"] });
});

test.each([
  ["of three marks", '```json\n{"name": "Rome", "people": 3}\n```'],
  ["that ends within a line", '```\n{"name": "Rome", "people": 3}```\nThat is all.'],
  ["of four marks", '````json\n{"name": "Rome", "people": 3}\n````'],
  ["of tildes", '~~~json\r\n{"name": "Rome", "people": 3}\r\n~~~'],
  ["with its tag in capitals, indented", '  ```JSON\n  {"name": "Rome", "people": 3}\n  ```'],
])("a structured answer may stand in one fenced block %s", async (_what, block) => {
  const { engine } = testEngine([text(`Here:\n${block}`)], { output: city });

  expect((await engine.run("x")).output).toEqual({ name: "Rome", people: 3 });
});

test("a fence in a string of a fenced answer does not end it", async () => {
  const answer = { name: "Run:\n```sh\nnpm test\n```\nor ```` or ~~~", people: 3 };
  const { engine } = testEngine([text(`\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nDone.`)], {
    output: city,
  });

  expect((await engine.run("x")).output).toEqual(answer);
});

test("the issues of an answer that does not fit go back to the model", async () => {
  const { engine, provider } = testEngine([text('{"name": "Rome"}'), text('{"name": "Rome", "people": 3}')], {
    output: city,
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "completed", output: { people: 3 }, turns: 2 });
  expect(provider.requests[1]!.lastUserText).toContain("people");
});

test("after maxOutputRetries the run ends as output-invalid", async () => {
  const { engine, provider } = testEngine([text("no"), text("still no")], {
    output: city,
    limits: { maxOutputRetries: 1 },
  });

  expect(await engine.run("go")).toMatchObject({ status: "output-invalid", error: { code: "OUTPUT_INVALID" } });
  provider.assertExhausted();
});

test("a run may ask for another structure than its engine", async () => {
  const { engine } = testEngine([text("7")], { output: city });

  expect(await engine.run<number>("go", { output: z.number() })).toMatchObject({ status: "completed", output: 7 });
});

test("an answer made of work of the server's tools alone is recorded, and not empty", async () => {
  const work = {
    type: "reasoning-end",
    providerData: { block: { type: "server_tool_use" }, serverWork: true },
  } as const;
  const end = { type: "message-end", finishReason: "stop" } as const;
  const { engine, provider } = testEngine([{ events: [{ type: "message-start" } as const, work, end] }]);

  const result = await engine.run("look it up");

  expect(result).toMatchObject({ status: "completed", text: "", turns: 1 });
  expect(result.messages().at(-1)).toMatchObject({
    role: "assistant",
    content: [{ providerData: { serverWork: true } }],
  });
  provider.assertExhausted();
});

test("a message that its server has paused goes back alone, and nothing is said to the model", async () => {
  const { engine, provider } = testEngine([text("Working. ", { finishReason: "pause" }), text("Done.")]);

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "completed", text: "Working. Done." });
  expect(result.finishReason).toBeUndefined();
  expect(provider.requests[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("an end that is not known is no silent success: the result names it, and the host gets a notice", async () => {
  const { engine } = testEngine([text("Half", { finishReason: "other" })]);
  const notices = listen(engine, "notice");

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "Half", finishReason: "other" });
  expect(notices).toMatchObject([{ code: "ANSWER_INCOMPLETE", details: { finishReason: "other" } }]);
});

test("a model that has only thought is not told that its message was empty", async () => {
  const { engine, provider } = testEngine([{ reasoning: "Hm." }, text("Yes.")]);

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "Yes." });
  expect(provider.requests[1]!.lastUserText).toContain("held reasoning alone, and no answer");
});
