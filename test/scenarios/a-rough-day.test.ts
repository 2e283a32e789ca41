// A provider that stumbles, a tool that hangs, a user who changes their mind: the session stays whole.
import { expect, test } from "vitest";
import { AgentEngine, ProviderError, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { ALLOW, entriesOf, listen, tool } from "../engine/kit.js";

test("a session survives retries, a timeout, an abort and a follow-up, and every call has its one result", async () => {
  const sessions = createMemorySessionStore();
  const provider = scripted([
    new ProviderError("OVERLOADED", { message: "busy", retryable: true }),
    ["Let me look.", toolCall("look", { path: "a" }), toolCall("build")],
    toolCall("wait"),
    text("Here is what I know."),
    text("And more."),
  ]);
  const engine = new AgentEngine({
    provider,
    sessions,
    permissions: ALLOW,
    retry: { baseMs: 1 },
    limits: { abandonMs: 10 },
    tools: [
      tool("look", async () => "seen", { permission: "read_only" }),
      tool("build", () => new Promise<string>(() => {}), { timeoutMs: 10 }),
      tool("wait", () => new Promise<string>(() => {}), { timeoutMs: null, permission: "none" }),
    ],
  });
  const restarts = listen(engine, "model-restart");

  const first = engine.stream("Build it.", { sessionId: "day" });
  for await (const event of first) {
    if (event.type === "tool-call-start" && event.call.name === "wait") first.abort("never mind");
  }
  const aborted = await first.result;
  await first.idle;
  const second = engine.stream("Tell me what you know.", { sessionId: "day" });
  second.followUp("And what else?");
  const result = await second.result;
  await engine.close();

  expect(restarts).toHaveLength(1);
  expect(aborted.status).toBe("aborted");
  expect(result).toMatchObject({ status: "completed", text: "And more.", turns: 2 });
  expect(validateTranscript(result.messages())).toEqual([]);
  const statuses = (await entriesOf(sessions, "day")).flatMap((entry) =>
    entry.type === "tool-result" ? [[entry.result.name, entry.result.status]] : [],
  );
  expect(statuses).toEqual([
    ["look", "success"],
    ["build", "timeout"],
    ["wait", "aborted"],
  ]);
  provider.assertExhausted();
});
