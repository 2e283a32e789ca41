// An agent with effects, for tests that end its process at any moment:
// `node run-program.mjs <dir> <ledger> <acknowledged> <answers as JSON>`.
// Resumes the session "s", or begins it. Prints "ready", then the result's status and pending requests as JSON.
// Each effect is a line in the ledger; each entry the store has kept is a line in the acknowledged file.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, SessionStore } from "../../src/contracts/session.js";
import { AgentEngine, type BaseTool, defineTool, isHarnessError, type ProviderAdapter } from "../../src/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";

const TURNS = 4;
const [dir, ledger, acknowledged, answersJson] = process.argv.slice(2) as [string, string, string, string];
const answers = JSON.parse(answersJson) as Answer[];
const files = createFileSessionStore({ dir, durability: "process" });

const sessions: SessionStore = {
  read: (id) => files.read(id),
  lock: (id) => files.lock(id),
  list: (filter) => files.list(filter),
  delete: (id) => files.delete(id),
  async append(id, entries) {
    await files.append(id, entries);
    appendFileSync(acknowledged, entries.map((entry) => `${entry.id}\n`).join(""));
  },
};

/** What it says next depends on the messages alone, as with any model. */
const provider: ProviderAdapter = {
  id: "played",
  model: "played",
  async *stream({ messages }) {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    yield { type: "message-start" };
    if (turn < TURNS) {
      const names = ["effect", "repeatable", "confirmed", "look", ...(turn === 1 ? ["approved", "asking"] : [])];
      for (const [index, name] of names.entries()) {
        const call = { id: `${name}-${turn}`, name, arguments: { turn } };
        yield { type: "tool-call-end", index, call };
      }
    } else yield { type: "text-delta", text: "done" };
    yield { type: "message-end", finishReason: turn < TURNS ? "tool-calls" : "stop" };
  },
};

function tool(name: string, about: Partial<BaseTool> = {}): BaseTool {
  return defineTool({
    name,
    description: "Does something.",
    input: { type: "object" },
    permission: "execute",
    claims: () => [{ mode: "write", key: name }],
    async execute(_input, { toolCallId }) {
      await sleep(Math.random() * 3);
      appendFileSync(ledger, `${toolCallId}\n`);
      await sleep(Math.random() * 3);
      return "done";
    },
    ...about,
  });
}

const engine = new AgentEngine({
  provider,
  sessions,
  tools: [
    tool("effect"),
    tool("repeatable", { onUnknown: "retry" }),
    tool("confirmed", { onUnknown: "ask" }),
    tool("look", { permission: "read_only" }),
    tool("approved"),
    tool("asking", {
      async execute(_input, context) {
        if (!context.resumed) return context.suspend({ kind: "question", reason: "Which?" });
        appendFileSync(ledger, `${context.toolCallId}\n`);
        return JSON.stringify((context.resumed.answer as { value: unknown }).value);
      },
    }),
  ],
  permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "approved" ? "ask" : "allow" }) },
  runaway: false,
});

console.log("ready");
const result = await engine.resume("s", { answers }).result.catch((error: unknown) => {
  if (isHarnessError(error, "SESSION_NOT_FOUND")) return engine.run("go", { sessionId: "s" });
  throw error;
});
console.log(JSON.stringify({ status: result.status, error: result.error?.message, pending: result.pending }));
