import { expect, test } from "vitest";
import type { Message } from "../../src/contracts/message.js";
import type { ProviderAdapter, ProviderEvent } from "../../src/contracts/provider.js";
import type { SessionEntry, SessionRecord, SessionStore } from "../../src/contracts/session.js";
import { AgentEngine } from "../../src/engine/engine.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { tool } from "../engine/kit.js";

const OLD_TURNS = process.env.PROVE ? 20_000 : 500;
const NEW_TURNS = process.env.PROVE ? 5_000 : 60;

/** Counts every look at an old message, whatever is done with it. */
class Counter {
  touches = 0;
  /** Looking is free while a session is opened, and for whoever checks. */
  counting = false;

  watch<T extends object>(target: T): T {
    const counted = <V>(value: V): V => {
      if (this.counting) this.touches++;
      return value;
    };
    return new Proxy(target, {
      get: (object, key) => counted(Reflect.get(object, key)),
      has: (object, key) => counted(Reflect.has(object, key)),
      ownKeys: (object) => counted(Reflect.ownKeys(object)),
      getOwnPropertyDescriptor: (object, key) => counted(Reflect.getOwnPropertyDescriptor(object, key)),
    });
  }

  /** Counts every look at the first `length` places of an array, too. */
  watchPlaces(array: readonly unknown[], length: number): void {
    for (let index = 0; index < length; index++) {
      let value = array[index];
      Object.defineProperty(array, index, {
        get: () => {
          if (this.counting) this.touches++;
          return value;
        },
        set: (changed: unknown) => {
          value = changed;
        },
      });
    }
  }
}

/** A session with a long past, whose messages and results tell when they are looked at. */
async function longSession(counter: Counter): Promise<{ store: SessionStore; messages: number }> {
  const store = createMemorySessionStore();
  const entries: SessionEntry[] = [];
  const add = (record: SessionRecord) => {
    const id = `old.${entries.length}`;
    entries.push({ v: 1, id, parent: entries.at(-1)?.id ?? null, at: 0, runId: "old", turn: 0, ...record });
  };
  const keep = (message: Exclude<Message, { role: "tool" }>) =>
    add({
      type: "message",
      message: counter.watch({ ...message, content: counter.watch([...message.content]) } as typeof message),
    });
  const about = { finishReason: "stop", provider: "plain", model: "plain-1" } as const;
  add({ type: "run-start" });
  for (let turn = 0; turn < OLD_TURNS; turn++) {
    const call = { id: `old-${turn}`, name: "look", arguments: { turn } };
    keep({ role: "user", content: [{ type: "text", text: `Question ${turn}` }] });
    keep({ role: "assistant", content: [{ type: "tool-call", ...call }], ...about });
    const result = {
      toolCallId: call.id,
      name: "look",
      output: "x",
      isError: false,
      status: "success",
      durationMs: 0,
    } as const;
    add({ type: "tool-result", result });
    keep({ role: "assistant", content: [{ type: "text", text: `Answer ${turn}` }], ...about });
  }
  add({ type: "run-end", status: "completed", usage: { inputTokens: 1, outputTokens: 1 } });
  await store.append("long", entries);
  return { store, messages: OLD_TURNS * 4 };
}

/** Calls a tool in every turn; reads of the request what a stateful protocol would: the newest message. */
function newestOnly(counter: Counter, oldMessages: number): ProviderAdapter {
  let turn = 0;
  return {
    id: "plain",
    model: "plain-1",
    async *stream({ messages }): AsyncGenerator<ProviderEvent> {
      if (turn === 0) counter.watchPlaces(messages, oldMessages);
      counter.counting = true;
      turn++;
      yield { type: "message-start" };
      yield { type: "text-delta", text: `${messages.at(-1)!.role} ` };
      const id = turn % 3 === 0 ? "" : "old-1";
      if (turn < NEW_TURNS) yield { type: "tool-call-end", index: 0, call: { id, name: "look", arguments: { turn } } };
      yield {
        type: "message-end",
        finishReason: "stop",
        ...(turn % 2 === 1 && { usage: { inputTokens: 9, outputTokens: 1 } }),
      };
    },
  };
}

const look = tool("look", async ({ turn }: { turn: number }) => `seen ${turn}`, { permission: "read_only" });

test("no turn touches an old message, also with hooks, observers, a policy and commits", async () => {
  const counter = new Counter();
  const { store, messages } = await longSession(counter);
  const seen: string[] = [];
  const engine = new AgentEngine({
    provider: newestOnly(counter, messages),
    tools: [look],
    sessions: store,
    limits: { maxTurns: NEW_TURNS },
    hooks: {
      PreModelCall: [{ run: () => ({ additionalContext: "Mind the gap." }) }],
      PreToolUse: [{ run: () => undefined }],
      PostToolUse: [{ run: () => ({ additionalContext: "Noted." }) }],
      Stop: [{ run: () => undefined }],
    },
    compaction: { prepare: async () => [], recover: async () => [] },
  });
  engine.on("tool-call-end", ({ result }) => seen.push(String(result.output)));
  engine.on("run-end", () => {
    counter.counting = false;
  });

  const run = engine.stream("And now?", { sessionId: "long" });
  for await (const event of run) if (event.type === "turn-start") run.state;
  const result = await run.result;

  expect({ status: result.status, turns: result.turns, calls: seen.length }).toEqual({
    status: "completed",
    turns: NEW_TURNS,
    calls: NEW_TURNS - 1,
  });
  expect(counter.touches).toBe(0);
  counter.counting = true;
  expect(result.messages()[0]!.role).toBe("user");
  expect(counter.touches).toBeGreaterThan(0);
});
