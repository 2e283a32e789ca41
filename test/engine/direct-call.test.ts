// `engine.execute`: a call that the host makes itself.
import { expect, test } from "vitest";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import {
  AgentEngine,
  type BaseTool,
  defineTool,
  type SessionEntry,
  type SessionStore,
  validateTranscript,
} from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

const call = (name: string, args: { [key: string]: string } = {}, id = "c1") => ({ id, name, arguments: args });

function touch(touched: string[] = [], more: Partial<BaseTool> = {}): BaseTool {
  return {
    name: "touch",
    permission: "read_write",
    definition: () => ({ name: "touch", description: "Touches.", inputSchema: { type: "object" } }),
    execute: async (input: { path: string }) => {
      touched.push(input.path);
      return `touched ${input.path}`;
    },
    ...more,
  };
}

async function entriesOf(store: SessionStore, id: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  return entries;
}

test("a call of the host passes hooks, gate and approver, and its session has it", async () => {
  const sessions = createMemorySessionStore();
  const seen: string[] = [];
  const engine = new AgentEngine({
    provider: scripted([]),
    tools: [touch()],
    sessions,
    approver: ({ tool, input }) => {
      seen.push(`asked ${tool} ${JSON.stringify(input)}`);
      return { decision: "allow" };
    },
    hooks: {
      PreToolUse: [{ run: () => ({ updatedInput: { path: "b.ts" } }) }],
      PostToolUse: [{ run: ({ toolResponse }) => void seen.push(`after ${String(toolResponse)}`) }],
    },
  });
  engine.on("tool-call-end", ({ result }) => seen.push(`event ${result.status}`));

  const result = await engine.execute(call("touch", { path: "a.ts" }), { sessionId: "s" });

  expect(result).toMatchObject({ toolCallId: "c1", name: "touch", status: "success", output: "touched b.ts" });
  expect(seen).toEqual(['asked touch {"path":"b.ts"}', "after touched b.ts", "event success"]);
  const types = (await entriesOf(sessions, "s")).map(({ type }) => type);
  expect(types).toEqual(["message", "message", "pending", "answer", "tool-start", "tool-result"]);
});

test("what nobody can answer is denied, and the session can be used by a run afterwards", async () => {
  const touched: string[] = [];
  const engine = new AgentEngine({ provider: scripted([text("Hello.")]), tools: [touch(touched)] });

  const result = await engine.execute(call("touch", { path: "a.ts" }), { sessionId: "s" });
  const { status, messages } = await engine.run("hi", { sessionId: "s" });

  expect(result).toMatchObject({ status: "denied", isError: true, details: { code: "PERMISSION_ASK" } });
  expect(touched).toEqual([]);
  expect(status).toBe("completed");
  expect(validateTranscript(messages())).toEqual([]);
});

test("calls of one session run one after the other, and its id may be used again", async () => {
  const touched: string[] = [];
  const slow = touch(touched, {
    permission: "none",
    execute: async (input: { path: string }) => {
      touched.push(`start ${input.path}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      touched.push(`end ${input.path}`);
      return "done";
    },
  });
  const engine = new AgentEngine({ provider: scripted([]), tools: [slow] });

  const results = await Promise.all(
    ["a", "b"].map((path) => engine.execute(call("touch", { path }), { sessionId: "s" })),
  );

  expect(touched).toEqual(["start a", "end a", "start b", "end b"]);
  expect(results.map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
    ["c1", "success"],
    ["c1", "success"],
  ]);
});

test("calls without a session wait for those they conflict with, and for no others", async () => {
  const running = new Set<string>();
  let most = 0;
  const claiming = touch([], {
    permission: "none",
    claims: ({ path }: { path: string }) => [{ mode: "write", key: path }],
    execute: async ({ path }: { path: string }) => {
      expect(running.has(path)).toBe(false);
      running.add(path);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.delete(path);
      return "done";
    },
  });
  const engine = new AgentEngine({ provider: scripted([]), tools: [claiming] });

  const results = await Promise.all(["a", "a", "b"].map((path) => engine.execute(call("touch", { path }))));

  expect(results.map(({ status }) => status)).toEqual(["success", "success", "success"]);
  expect(most).toBe(2);
});

test("an abort answers the call, and a tool gets the host's context", async () => {
  const controller = new AbortController();
  let app: unknown;
  const deaf = touch([], {
    permission: "none",
    execute: (_input, context) => {
      app = context.app;
      controller.abort();
      return new Promise<string>(() => {});
    },
  });
  const engine = new AgentEngine({ provider: scripted([]), tools: [deaf], limits: { abandonMs: 5 } });

  const result = await engine.execute(call("touch"), { signal: controller.signal, context: { user: "ada" } });

  expect(result).toMatchObject({ status: "aborted", details: { code: "TOOL_ABORTED" } });
  expect(app).toEqual({ user: "ada" });
  await engine.close();
});

test("a call that cannot be run has a result that says why", async () => {
  const greet = defineTool({
    name: "greet",
    description: "Greets.",
    permission: "none",
    input: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    execute: async () => "hello",
  });
  const engine = new AgentEngine({ provider: scripted([]), tools: [greet] });

  const results = [await engine.execute(call("nope")), await engine.execute(call("greet"))];

  expect(results.map(({ details }) => (details as { code: string }).code)).toEqual([
    "TOOL_UNKNOWN",
    "TOOL_INPUT_INVALID",
  ]);
});

test("misuse is rejected: a broken call, a busy or suspended session, a closed engine", async () => {
  const engine = new AgentEngine({ provider: scripted([toolCall("touch", { path: "a" })]), tools: [touch()] });
  const running = engine.run("go", { sessionId: "s" });

  await expect(engine.execute(call("touch"), { sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
  expect((await running).status).toBe("needs-approval");
  await expect(engine.execute(call("touch"), { sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(engine.execute({ id: "1" } as never)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(engine.execute(call("touch"), { mode: "plan" } as never)).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  await engine.close();
  await expect(engine.execute(call("touch"))).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
});

test("a store that fails is reported, whatever the call has done", async () => {
  const store = createMemorySessionStore();
  let appends = 0;
  const failing: SessionStore = {
    ...store,
    append: async (id, entries) => {
      if (++appends === 2) throw new Error("disk full");
      await store.append(id, entries);
    },
  };
  const engine = new AgentEngine({
    provider: scripted([]),
    tools: [touch([], { permission: "read_write" })],
    sessions: failing,
    permissions: { decide: () => ({ behavior: "allow" }) },
  });

  await expect(engine.execute(call("touch", { path: "a" }))).rejects.toMatchObject({ code: "SESSION_WRITE" });
});

test("with `suspend`, a question stays open, and the same call goes on with the answer", async () => {
  const touched: string[] = [];
  const engine = new AgentEngine({ provider: scripted([]), tools: [touch(touched)] });
  const wanted = call("touch", { path: "a.ts" });

  const asked = await engine.execute(wanted, { sessionId: "s", suspend: true });
  const still = await engine.execute(wanted, { sessionId: "s", suspend: true });
  const [request] = (asked.details as unknown as { pending: { id: string; sessionId: string }[] }).pending;
  const other = engine.execute(call("touch", { path: "b.ts" }), { sessionId: "s" });
  await expect(other).rejects.toMatchObject({ code: "SESSION_BUSY" });
  const answers = [{ id: request!.id, decision: "allow" as const }];
  const done = await engine.execute(wanted, { sessionId: "s", suspend: true, answers });

  expect(asked).toMatchObject({ status: "denied", isError: true, details: { code: "PERMISSION_ASK" } });
  expect(still.details).toEqual(asked.details);
  expect(request).toMatchObject({ sessionId: "s", tool: "touch", input: { path: "a.ts" } });
  expect(done).toMatchObject({ status: "success", output: "touched a.ts" });
  expect(touched).toEqual(["a.ts"]);
});

test("a call that a crash has left open goes on as its tool says, when it is made again", async () => {
  const outcomes: string[] = [];
  for (const onUnknown of ["retry", "fail", "ask"] as const) {
    const sessions = createMemorySessionStore();
    const touched: string[] = [];
    const tool = touch(touched, { onUnknown });
    const decide = () => ({ behavior: "allow" as const });
    const engine = new AgentEngine({ provider: scripted([]), tools: [tool], sessions, permissions: { decide } });
    const wanted = call("touch", { path: "a.ts" });
    await engine.execute(wanted, { sessionId: "whole" });
    const begun = (await entriesOf(sessions, "whole")).filter(({ type }) => type !== "tool-result");
    await sessions.append("s", begun);
    touched.length = 0;

    const { status } = await engine.execute(wanted, { sessionId: "s", suspend: true });

    outcomes.push(`${onUnknown}: ${status}, ${touched.length} times`);
    await engine.close();
  }

  expect(outcomes).toEqual(["retry: success, 1 times", "fail: unknown, 0 times", "ask: denied, 0 times"]);
});
