// What tools deliver for the model: at the next turn, recorded, and never lost.
import { expect, test } from "vitest";
import { toolCall } from "../../../src/providers/scripted/index.js";
import { entriesOf, testEngine, tool } from "../kit.js";

test("a delivered message is appended at the next turn with its origin, and the prompt before it stays as it was", async () => {
  const notify = tool("notify", async (_input, context) => {
    expect(context.deliver?.("The skill says: be brief.", "skill")).toBe(true);
    return "ok";
  });
  const { engine, provider } = testEngine([toolCall("notify"), "Done."], { tools: [notify] });

  const { messages } = await engine.run("go");

  expect(messages().map((message) => (message.role === "user" ? (message.origin ?? "user") : message.role))).toEqual([
    "user",
    "assistant",
    "tool",
    "skill",
    "assistant",
  ]);
  expect(provider.requests[1]!.lastUserText).toContain("be brief");
});

test("what arrives while the model gives its final answer causes one more turn", async () => {
  let deliver: ((text: string, origin: "subagent") => boolean) | undefined;
  const start = tool("start", async (_input, context) => {
    deliver = context.deliver;
    return "started";
  });
  const { engine, provider } = testEngine(
    [
      toolCall("start"),
      () => {
        deliver!("The sub-agent is done.", "subagent");
        return "First answer.";
      },
      "Second answer.",
    ],
    { tools: [start] },
  );

  const result = await engine.run("go");

  expect(result.text).toBe("Second answer.");
  expect(provider.requests[2]!.lastUserText).toContain("The sub-agent is done.");
  expect(deliver!("too late", "subagent")).toBe(false);
});

test("what is delivered in a turn that waits for the host is appended once the turn is closed, in any process", async () => {
  const options = {
    tools: [
      tool("notify", async (_input, context) => String(context.deliver?.("Remember the milk.", "reminder"))),
      tool("act", async () => "acted"),
    ],
    permissions: {
      decide: ({ tool: asked }: { tool: string | { name: string } }) =>
        Object(asked).name === "act" ? ({ behavior: "ask" } as const) : ({ behavior: "allow" } as const),
    },
  };
  const first = testEngine([[toolCall("notify"), toolCall("act")]], options);
  const { status, pending } = await first.engine.run("go", { sessionId: "s" });
  const second = testEngine(["Done."], { ...options, sessions: first.store });

  const run = second.engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] });
  const result = await run.result;

  expect([status, result.status]).toEqual(["needs-approval", "completed"]);
  expect(second.provider.requests[0]!.lastUserText).toContain("Remember the milk.");
});

test("a run that ends by a limit keeps what was delivered in its session", async () => {
  const notify = tool("notify", async (_input, context) => String(context.deliver?.("Late news.", "subagent")));
  const { engine, store } = testEngine([toolCall("notify")], { tools: [notify], limits: { maxTurns: 1 } });

  const { status, sessionId } = await engine.run("go");

  expect(status).toBe("max-turns");
  expect(JSON.stringify(await entriesOf(store, sessionId))).toContain("Late news.");
});

test("a delivery without text, or of an origin that is not a tool's, is a fault of the tool", async () => {
  const wrong = tool("wrong", async (_input, context) => String(context.deliver?.("x", "user" as never)));
  const { engine } = testEngine([toolCall("wrong"), "Done."], { tools: [wrong] });
  const outputs: unknown[] = [];
  engine.on("tool-call-end", ({ result }) => outputs.push(result.output));

  await engine.run("go");

  expect(outputs).toEqual([expect.stringContaining("deliver() takes a non-empty string and an origin")]);
});
