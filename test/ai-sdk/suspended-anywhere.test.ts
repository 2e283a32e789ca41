// A turn that is suspended at random moments, each time continued by another engine over the same store, from the state as JSON.
// The same with the AI SDK's own host is in test/sdks/harness.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HarnessContinueState, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, defineTool, type Message } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { continueTurn, type HostTurn, promptTurn, startSession } from "../../src/testing/harness/harness-host.js";
import { runs } from "../runs.js";

const plan = fc.record({
  steps: fc.array(fc.array(fc.constantFrom("act", "ask", "host"), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  }),
  modelMs: fc.integer({ min: 0, max: 3 }),
  toolMs: fc.integer({ min: 0, max: 4 }),
  answerMs: fc.integer({ min: 0, max: 3 }),
  /** How long each process is left to work. */
  moments: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 8 }),
});

const HOST_TOOL = { name: "host", inputSchema: { type: "object" } };

test("a turn that is suspended at random moments comes to its end, and does nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ steps, modelMs, toolMs, answerMs, moments }) => {
      const sessions = createMemorySessionStore();
      const done: string[] = [];
      const work = async (what: string) => {
        await sleep(toolMs);
        done.push(what);
        return `${what} is done`;
      };
      const tools = ["act", "ask"].map((name) =>
        defineTool<{ n: string }>({
          name,
          description: "Works.",
          input: { type: "object", properties: { n: { type: "string" } } },
          permission: name === "act" ? "none" : "execute",
          claims: () => [],
          execute: ({ n }) => work(n),
        }),
      );
      // What a model would do: the first step of which it has made no call yet.
      const model = ({ messages }: { messages: readonly Message[] }) => {
        const made = JSON.stringify(messages.filter(({ role }) => role === "assistant"));
        const at = steps.findIndex((calls, step) => calls.every((_, index) => !made.includes(`"${step}.${index}"`)));
        const settings = { chunkDelayMs: modelMs, argumentChunkSize: 6, chunkSize: 2 };
        if (at === -1) return text("Done.", settings);
        return [...steps[at]!.map((name, index) => toolCall(name, { n: `${at}.${index}` })), settings];
      };
      const start = (continueFrom?: HarnessContinueState) => {
        const engine = new AgentEngine({ provider: scripted([model], { loop: true }), tools, sessions });
        const harness = loopwrightHarness({ engine });
        return startSession(harness, { permissionMode: "allow-reads", ...(continueFrom && { continueFrom }) });
      };

      let session = await start();
      let turn = await promptTurn(session, "Work.", { tools: [HOST_TOOL] });
      let serving = serve(turn, answerMs, work);
      for (const moment of moments) {
        const isOver = await Promise.race([serving.ended.then(() => true), sleep(moment, false)]);
        if (isOver) break;
        await serving.stop();
        const state = JSON.parse(JSON.stringify(await session.doSuspendTurn())) as HarnessContinueState;
        await turn.done();
        expect(JSON.stringify(state).length).toBeLessThan(2_000);
        session = await start(state);
        turn = await continueTurn(session, { tools: [HOST_TOOL] });
        serving = serve(turn, answerMs, work);
      }
      await serving.ended;

      expect(turn.text).toContain("Done.");
      expect(done).toHaveLength(new Set(done).size);
    }),
    { numRuns: runs(20, 20, 500), timeout: 30_000 },
  );
});

/** Answers what a turn asks, as a host does, until it is stopped. What it has begun, it ends. */
function serve(turn: HostTurn, answerMs: number, work: (what: string) => Promise<string>) {
  const answered = new Set<string>();
  let isStopped = false;
  const answer = async () => {
    for (const part of turn.parts) {
      if (isStopped) return;
      if (part.type === "tool-approval-request" && !answered.has(part.approvalId)) {
        answered.add(part.approvalId);
        await turn.control.submitToolApproval({ approvalId: part.approvalId, approved: true });
      }
      const isHostCall = part.type === "tool-call" && part.providerExecuted !== true;
      if (isHostCall && !answered.has(part.toolCallId)) {
        answered.add(part.toolCallId);
        const output = await work(Object(JSON.parse(part.input)).n);
        await turn.control.submitToolResult({ toolCallId: part.toolCallId, output });
      }
    }
  };
  let isOver = false;
  const done = turn.done().finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  const loop = (async () => {
    while (!isOver && !isStopped) {
      await answer();
      await sleep(answerMs);
    }
  })();
  return {
    ended: Promise.all([done, loop]),
    async stop() {
      isStopped = true;
      await loop;
    },
  };
}
