// An agent with effects, for tests that end its process at any moment:
// `node run-program.mjs <directory> <answers by session, as JSON> <killAt>`.
// Resumes each session that has answers, or begins it, all at once. Prints "ready", then the results by session as JSON.
// Each effect is a line of the file "ledger"; each entry the store has kept is a line of the file "acknowledged".
// It kills itself at the killAt-th of its moments, which are before and after each append and each effect; never with 0.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../src/contracts/approval.js";
import type { SessionStore } from "../../src/contracts/session.js";
import {
  AgentEngine,
  type BaseTool,
  defineTool,
  isHarnessError,
  type ProviderAdapter,
  type ToolContext,
} from "../../src/index.js";
import { killingMoment, sessionsWithMoments } from "./killing-moments.js";

const TURNS = 4;
const [directory, answersJson, killAt] = process.argv.slice(2) as [string, string, string];
const answers = JSON.parse(answersJson) as { [session: string]: Answer[] };
const moment = killingMoment(Number(killAt));
const files = sessionsWithMoments(directory, moment);
const sessions: SessionStore = {
  ...files,
  async append(id, entries) {
    await files.append(id, entries);
    appendFileSync(join(directory, "acknowledged"), entries.map((entry) => `${id} ${entry.id}\n`).join(""));
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

function act({ sessionId, toolCallId }: ToolContext): void {
  moment();
  appendFileSync(join(directory, "ledger"), `${sessionId} ${toolCallId}\n`);
  moment();
}

function tool(name: string, about: Partial<BaseTool> = {}): BaseTool {
  return defineTool({
    name,
    description: "Does something.",
    input: { type: "object" },
    permission: "execute",
    claims: () => [{ mode: "write", key: name }],
    async execute(_input, context) {
      await sleep(Math.random() * 3);
      act(context);
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
        act(context);
        return JSON.stringify((context.resumed.answer as { value: unknown }).value);
      },
    }),
  ],
  permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "approved" ? "ask" : "allow" }) },
  runaway: false,
});

async function goOn(sessionId: string): Promise<readonly [string, unknown]> {
  const result = await engine.resume(sessionId, { answers: answers[sessionId]! }).result.catch((error: unknown) => {
    if (isHarnessError(error, "SESSION_NOT_FOUND")) return engine.run("go", { sessionId });
    throw error;
  });
  return [sessionId, { status: result.status, error: result.error?.message, pending: result.pending }];
}

console.log("ready");
console.log(JSON.stringify(Object.fromEntries(await Promise.all(Object.keys(answers).map(goOn)))));
