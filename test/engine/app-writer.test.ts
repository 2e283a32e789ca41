// What somebody who writes an app meets first.
import { expect, test } from "vitest";
import { z } from "zod";
import { AgentEngine, defineTool, isRequestFor, ProviderError } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { listen, testEngine, tool } from "./kit.js";

test("orThrow returns a completed result and throws the error of any other", async () => {
  const { engine } = testEngine([text("Hello."), new ProviderError("AUTH", { message: "The key is wrong." })]);

  const good = await engine.run("hi");
  const bad = await engine.run("hi");

  expect(good.orThrow().text).toBe("Hello.");
  expect(() => bad.orThrow()).toThrow("The key is wrong.");
  expect(Object.keys(good)).not.toContain("orThrow");
});

test("orThrow says what a run without an error waits for", async () => {
  const { engine } = testEngine([toolCall("act")], {
    tools: [tool("act", async () => "")],
    permissions: { decide: () => ({ behavior: "ask" }) },
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(() => result.orThrow()).toThrow(/"needs-approval".*1 questions are open.*resume\("s"\)/);
});

test("an error that is sent as JSON keeps its message", () => {
  const error = new ProviderError("RATE_LIMITED", {
    message: "Too fast.",
    retryable: true,
    retryAfterMs: 5,
    status: 429,
  });

  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: "ProviderError",
      code: "RATE_LIMITED",
      message: "Too fast.",
      retryable: true,
      retryAfterMs: 5,
      status: 429,
    },
  });
});

test("textStream yields the main agent's text alone, and throws how a run failed", async () => {
  const definition = { name: "helper", description: "Helps.", systemPrompt: "Help." };
  const ask = tool("ask", async (_input, context) => (await context.spawn!(definition, "Help.")).text);
  const { engine } = testEngine(
    [["Let me ask. ", toolCall("ask")], "From the helper.", "Done.", new ProviderError("AUTH", { message: "No key." })],
    { tools: [ask] },
  );
  let said = "";
  for await (const piece of engine.stream("go").textStream) said += piece;
  const failing = async () => {
    for await (const _piece of engine.stream("go").textStream);
  };

  expect(said).toBe("Let me ask. Done.");
  await expect(failing()).rejects.toThrow("No key.");
});

test("leaving textStream early aborts the run", async () => {
  const { engine } = testEngine([["Let me look. ", toolCall("hang")]], {
    tools: [
      tool(
        "hang",
        (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))),
      ),
    ],
  });
  const run = engine.stream("go");
  for await (const _piece of run.textStream) break;

  expect((await run.result).status).toBe("aborted");
});

test.each<[string, unknown, string]>([
  ["a number", 42, "42"],
  ["null", null, "null"],
  ["a list", [1, "a"], '[1,"a"]'],
  ["an object", { files: 3 }, '{"files":3}'],
  ["an object whose output is a number", { output: 3 }, '{"output":3}'],
  ["an object with an output and more", { output: "x", lines: 2 }, '{"output":"x","lines":2}'],
  ["the envelope", { output: "plain" }, "plain"],
  ["false", false, "false"],
])("a tool may return %s, without a promise", async (_what, value, output) => {
  const { engine } = testEngine([toolCall("act"), "Done."], { tools: [tool("act", () => value as never)] });
  const results = listen(engine, "tool-call-end");

  await engine.run("go");

  expect(results.map(({ result }) => [result.status, result.output])).toEqual([["success", output]]);
});

test.each([
  ["undefined", undefined],
  ["a function", () => 1],
  ["a bigint", 1n],
])("%s is not a result", async (_what, value) => {
  const { engine } = testEngine([toolCall("act"), "Done."], { tools: [tool("act", () => value as never)] });
  const results = listen(engine, "tool-call-end");

  await engine.run("go");

  expect(results[0]!.result.details).toMatchObject({ code: "TOOL_RESULT_INVALID" });
});

test("a history may have strings as content", async () => {
  const { engine, provider } = testEngine(["Ada."]);

  const { status } = await engine.run("What is my name?", {
    history: [
      { role: "user", content: "I am Ada." },
      { role: "assistant", content: "Hello, Ada." },
    ],
  });

  expect(status).toBe("completed");
  expect(provider.requests[0]!.messages.slice(0, 2)).toMatchObject([
    { role: "user", content: [{ type: "text", text: "I am Ada." }] },
    { role: "assistant", content: [{ type: "text", text: "Hello, Ada." }] },
  ]);
});

test("tools of one app know its context, and an approver knows a tool's input", async () => {
  const define = defineTool.withApp<{ readonly user: string }>();
  const remove = define({
    name: "remove",
    description: "Removes.",
    permission: "read_write",
    input: z.object({ path: z.string() }),
    execute: ({ path }, { app }) => `${app.user} removed ${path}`,
  });
  const engine = new AgentEngine({
    provider: scripted([toolCall("remove", { path: "a.ts" }), text("Done.")]),
    tools: [remove],
    approver: (request) => ({
      decision: isRequestFor(request, remove) && request.input.path === "a.ts" ? "allow" : "deny",
    }),
  });
  const results = listen(engine, "tool-call-end");

  await engine.run("go", { context: { user: "ada" } });

  expect(results[0]!.result.output).toBe("ada removed a.ts");
});

test.each([
  ["model", "provider"],
  ["system", "systemPrompt"],
  ["instructions", "systemPrompt"],
  ["maxSteps", "limits.maxTurns"],
  ["reasoning", "modelOptions.reasoning"],
  ["provder", "provider"],
])("the foreign option %s is refused with its name here", (option, name) => {
  const make = () => new AgentEngine({ provider: scripted([]), [option]: "x" } as never);

  expect(make).toThrow(`Did you mean "${name}"?`);
});

test.each(["parameters", "inputSchema"])("the foreign tool member %s is refused with its name here", (member) => {
  const make = () =>
    defineTool({ name: "t", description: "T.", permission: "none", execute: () => "", [member]: {} } as never);

  expect(make).toThrow('Did you mean "input"?');
});

test("a record of tools is refused with what to pass instead", () => {
  const act = tool("act", async () => "");

  expect(() => new AgentEngine({ provider: scripted([]), tools: { act } as never })).toThrow(
    /array of tools \(each has its own name\)/,
  );
});

test("an event that does not exist is refused with the one that was meant", () => {
  const { engine } = testEngine([]);

  expect(() => engine.on("textDelta" as never, () => {})).toThrow('Did you mean "text-delta"?');
});

test("a cut-off answer completes with its finish reason and a notice; a whole one has neither", async () => {
  const cut = { text: "…", finishReason: "length" } as const;
  const { engine } = testEngine([cut, cut, cut, cut, text("Whole.")]);
  const notices = listen(engine, "notice");

  const first = await engine.run("write");
  const second = await engine.run("write");

  expect([first.status, first.finishReason, second.finishReason]).toEqual(["completed", "length", undefined]);
  expect(notices.map(({ code }) => code)).toEqual(["ANSWER_INCOMPLETE"]);
});

test("SessionEnd fires on close for every session that had a run, and once", async () => {
  const ended: string[] = [];
  const { engine } = testEngine(["One.", "Two.", "Three."], {
    hooks: { SessionEnd: [{ run: ({ sessionId }) => void ended.push(sessionId) }] },
  });
  await engine.run("hi", { sessionId: "a" });
  await engine.run("hi", { sessionId: "b" });
  await engine.run("again", { sessionId: "a" });
  await engine.endSession("b");

  await engine.close();

  expect(ended).toEqual(["b", "a"]);
});

test("a sub-agent's prompt is not a UserPromptSubmit of the user", async () => {
  const prompts: string[] = [];
  const definition = { name: "helper", description: "Helps.", systemPrompt: "Help." };
  const ask = tool("ask", async (_input, context) => (await context.spawn!(definition, "Help me.")).text);
  const { engine } = testEngine([toolCall("ask"), "Helped.", "Done."], {
    tools: [ask],
    hooks: { UserPromptSubmit: [{ run: ({ prompt }) => void prompts.push(prompt) }] },
  });

  await engine.run("go");

  expect(prompts).toEqual(["go"]);
});
