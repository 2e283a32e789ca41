// The AI SDK's own `HarnessAgent` with this library's engine behind it: prompts, tools, and what comes back.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Output, tool } from "ai";
import { expect, test } from "vitest";
import * as z from "zod";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { deferred, newDirectory, newHost, partsOf } from "./hosts.js";

test("a prompt is answered, and the next one has what was said before it", async () => {
  const provider = scripted([text("Hello."), text("You said hi.")]);
  const { host, sessions } = newHost({ directory: newDirectory() }, { provider });
  const session = await host.createSession({ sessionId: "one" });

  const first = await host.generate({ session, prompt: "hi" });
  const second = await host.generate({ session, prompt: "What did I say?" });

  expect([first.text, second.text]).toEqual(["Hello.", "You said hi."]);
  expect(first.finishReason).toBe("stop");
  expect(first.usage.inputTokens).toBeGreaterThan(0);
  expect(provider.requests[1]?.messages).toHaveLength(3);
  const entries = [];
  for await (const entry of sessions.read("one")) entries.push(entry);
  expect(entries.length).toBeGreaterThan(0);
  expect(await session.stop()).toMatchObject({ type: "resume-session", data: { v: 1, sessionId: "one" } });
});

test("built-in tools have the common names, and their arguments as well", async () => {
  const directory = newDirectory();
  const tools = builtinTools(await createWorkspace({ root: directory }));
  const write = toolCall("write_file", { path: "a.txt", content: "hello" });
  const { host } = newHost(
    { directory },
    { provider: scripted([[text("Writing."), write], text("Done.")]), engine: { tools } },
  );
  const session = await host.createSession();

  const result = await host.stream({ session, prompt: "Write a file." });
  const parts = await partsOf(result);

  expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("hello");
  expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({
    toolName: "write",
    input: { file_path: "a.txt", content: "hello" },
    providerExecuted: true,
  });
  expect(parts.find(({ type }) => type === "tool-result")).toMatchObject({
    toolName: "write",
    output: expect.stringContaining("Created"),
  });
  expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
  expect(Object.keys(host.tools)).toEqual(
    expect.arrayContaining(["read", "write", "edit", "bash", "grep", "glob", "askUserQuestions"]),
  );
});

test("host tools run at the host, several of a step together", async () => {
  const add = tool({
    description: "Adds two numbers.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => ({ sum: a + b }),
  });
  const provider = scripted([[toolCall("add", { a: 1, b: 2 }), toolCall("add", { a: 3, b: 4 })], text("3 and 7.")]);
  const { host } = newHost({ directory: newDirectory() }, { provider, agent: { tools: { add } } });
  const session = await host.createSession();

  const result = await host.generate({ session, prompt: "Add." });

  expect(result.text).toBe("3 and 7.");
  expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    content: [{ output: '{"sum":3}' }, { output: '{"sum":7}' }],
  });
  expect(result.steps[0]?.toolResults.map(({ output }) => output)).toEqual([{ sum: 3 }, { sum: 7 }]);
});

test("instructions and skills are in the system prompt, and change from turn to turn", async () => {
  const provider = scripted([
    toolCall("host_skill", { skill: "haiku", file: "rules.md" }),
    text("Read."),
    text("Again."),
  ]);
  const { host } = newHost(
    { directory: newDirectory() },
    {
      provider,
      engine: { systemPrompt: "You are a poet." },
      agent: {
        instructions: "Be brief.",
        skills: [
          {
            name: "haiku",
            description: "Three lines.",
            content: "See rules.md.",
            files: [{ path: "rules.md", content: "5 7 5" }],
          },
        ],
      },
    },
  );
  const session = await host.createSession();

  await host.generate({ session, prompt: "Write." });

  const [first, second] = provider.requests;
  expect(first?.system.map(({ text }) => text).join("\n")).toMatch(
    /You are a poet\.[\s\S]*Be brief\.[\s\S]*haiku: Three lines\./,
  );
  expect(second?.messages.at(-1)).toMatchObject({ role: "tool", content: [{ output: "5 7 5" }] });
});

test("a structured answer is what the host's schema says", async () => {
  const provider = scripted([text('Here:\n```json\n{"city": "Paris"}\n```')]);
  const output = Output.object({ schema: z.object({ city: z.string() }) });
  const { host } = newHost({ directory: newDirectory() }, { provider, agent: { output } });
  const session = await host.createSession();

  const result = await host.generate({ session, prompt: "Where?" });

  expect(result.output).toEqual({ city: "Paris" });
});

test("a message that is sent during a turn reaches the model in its next request", async () => {
  const gate = deferred<string>();
  const wait = tool({ description: "Waits.", inputSchema: z.object({}), execute: () => gate.promise });
  const provider = scripted([toolCall("wait", {}), text("As you say.")]);
  const { host } = newHost({ directory: newDirectory() }, { provider, agent: { tools: { wait } } });
  const session = await host.createSession();

  const result = await host.stream({ session, prompt: "Wait." });
  await host.experimental_steer({ session, text: "Be quick." });
  gate.resolve("waited");

  expect(await result.text).toBe("As you say.");
  expect(JSON.stringify(provider.requests[1]?.messages)).toContain("Be quick.");
});

test("the host's filter takes built-in tools away from the model", async () => {
  const directory = newDirectory();
  const tools = builtinTools(await createWorkspace({ root: directory }));
  const provider = scripted([text("No shell here.")]);
  const { host } = newHost({ directory }, { provider, engine: { tools }, agent: { inactiveTools: ["bash", "write"] } });
  const session = await host.createSession();

  await host.generate({ session, prompt: "Look." });

  const names = provider.requests[0]?.tools.map(({ name }) => name);
  expect(names).toContain("read_file");
  expect(names).not.toContain("bash");
  expect(names).not.toContain("write_file");
  expect(existsSync(join(directory, "x"))).toBe(false);
});

test("another model answers where the host asks for it, and an unknown one is refused with those there are", async () => {
  const other = scripted([text("I am the other.")], { model: "other-model" });
  const { host } = newHost(
    { directory: newDirectory() },
    { provider: scripted([]), harness: { models: { other } }, agent: { model: "other" } },
  );
  const unknown = newHost({ directory: newDirectory() }, { provider: scripted([]), agent: { model: "nope" } }).host;

  const result = await host.generate({ session: await host.createSession(), prompt: "Who?" });

  expect(result.text).toBe("I am the other.");
  await expect(
    unknown.generate({ session: await unknown.createSession(), prompt: "Who?" }).then(({ text }) => text),
  ).rejects.toThrow(/There is no model "nope".*Add it to the option "models"/);
});
