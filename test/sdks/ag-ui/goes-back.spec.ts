// AG-UI's client sends the whole history with each run: what it shows is where the prompt belongs.
import { HttpAgent } from "@ag-ui/client";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  createRunHub,
  listBranches,
  readPrompt,
  toAgUiMessages,
  toErrorResponse,
  toResponse,
} from "../../../src/http/index.js";
import type { Message, ProviderAdapter } from "../../../src/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { newEngine, stumbling } from "../../http/agents.js";
import { serve } from "../../http/loopback.js";
import { joined, type Said } from "../../http/page-client.js";
import { runs } from "../../runs.js";

/** What is shown or sent, as texts and calls of each side. */
function saidOf(messages: readonly object[]): Said[] {
  const all = messages as readonly { role: string; content?: unknown; toolCalls?: readonly { id: string }[] }[];
  return joined(
    all.flatMap(({ role, content, toolCalls = [] }): Said[] => {
      if (role !== "user" && role !== "assistant") return [];
      const parts = Array.isArray(content) ? (content as { type: string; text?: string; id?: string }[]) : [];
      const made = parts.flatMap((part) => (part.type === "tool-call" ? [part.id!] : []));
      const text = typeof content === "string" ? content : parts.map((part) => part.text ?? "").join("");
      return [{ role, text, calls: [...toolCalls.map(({ id }) => id), ...made] }];
    }),
  );
}

function listening(): ProviderAdapter & { readonly heard: Said[][] } {
  const heard: Said[][] = [];
  let calls = 0;
  return {
    id: "listening",
    model: "listening",
    heard,
    async *stream({ messages }) {
      const isFirst = messages.at(-1)!.role === "user";
      if (isFirst) heard.push(saidOf(messages as readonly Message[]));
      yield { type: "message-start" };
      const n = ++calls;
      yield { type: "text-delta", text: `${n}.` };
      const call = { id: `call-${n}`, name: "look", arguments: {} };
      const asksTool = isFirst && n % 3 === 0;
      if (asksTool) {
        yield { type: "tool-call-start", index: 0, id: call.id, name: call.name };
        yield { type: "tool-call-end", index: 0, call };
      }
      yield { type: "message-end", finishReason: asksTool ? "tool-calls" : "stop" };
    },
  };
}

async function open(provider: ProviderAdapter) {
  const sessions = createMemorySessionStore();
  const hub = createRunHub({ engine: newEngine({ provider, sessions, retry: { baseMs: 1 } }) });
  const server = await serve(async (request) => {
    try {
      return toResponse(await hub.send(await readPrompt(request)), { format: "ag-ui" });
    } catch (error) {
      return toErrorResponse(error);
    }
  });
  onTestFinished(server.close);
  return { sessions, agent: new HttpAgent({ url: server.url, threadId: "thread-1" }) };
}

let ids = 0;
function say(agent: HttpAgent, content: string) {
  agent.addMessage({ id: `user-${++ids}`, role: "user", content });
  return agent.runAgent();
}

const steps = fc.array(fc.record({ kind: fc.constantFrom("say", "cut", "pick", "reload"), pick: fc.nat(100) }), {
  minLength: 3,
  maxLength: 10,
});

test("what the model is sent is what AG-UI's client shows, and what the session has", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (done) => {
      const provider = listening();
      const { sessions, agent } = await open(provider);
      for (const { kind, pick } of done) {
        const { messages } = agent;
        if (kind === "cut") {
          const prompts = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
          agent.setMessages(messages.slice(0, prompts[pick % (prompts.length + 1)]));
        } else if (kind === "pick") {
          const prompts = messages.filter(({ role }) => role === "user");
          const deleted = prompts[pick % Math.max(1, prompts.length)];
          agent.setMessages(messages.filter((message) => message !== deleted));
        } else if (kind === "reload") {
          const stored = await toAgUiMessages(sessions.read("thread-1"));
          agent.setMessages(structuredClone(stored.messages) as never);
          continue;
        }
        await say(agent, `Said ${pick}. `);

        const shown = saidOf(agent.messages);
        expect(provider.heard.at(-1)).toEqual(shown.slice(0, -1));
        expect(saidOf((await toAgUiMessages(sessions.read("thread-1"))).messages)).toEqual(shown);
      }
    }),
    { numRuns: runs(10, 10, 400) },
  );
}, 120_000);

test("a history that is not the session's is refused with what differs", async () => {
  const { sessions, agent } = await open(listening());
  await say(agent, "a");
  agent.setMessages([
    ...agent.messages,
    { id: "x", role: "user", content: "b" },
    { id: "y", role: "assistant", content: "Never said." },
  ]);

  await expect(say(agent, "c")).rejects.toThrow(/409/);

  expect(await listBranches(sessions.read("thread-1"))).toHaveLength(1);
});

test("a client that shows what a model call said before it began again is understood", async () => {
  const { agent } = await open(stumbling());
  await say(agent, "a");
  expect(saidOf(agent.messages).at(-1)!.text).toBe("WrongRight");

  await say(agent, "b");

  expect(saidOf(agent.messages).at(-1)!.text).toBe("Right");
});
