// Calls that a suspension cuts off follow the `onUnknown` of their tools, as after a kill, wherever the turn is when it is suspended.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HarnessContinueState, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, defineTool, type JsonObject, type Message, type ToolMessage } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { continueTurn, type HostTurn, promptTurn, startSession } from "../../src/testing/harness/harness-host.js";
import { runs } from "../runs.js";

const POLICIES = ["retry", "ask", "fail"] as const;
type Policy = (typeof POLICIES)[number];

const plan = fc.record({
  calls: fc.array(
    fc.record({
      policy: fc.constantFrom(...POLICIES),
      /** Who makes it: the model's own agent, a sub-agent, or a tool that makes calls. */
      by: fc.constantFrom("main", "main", "child", "program"),
      isDeaf: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  toolMs: fc.integer({ min: 0, max: 12 }),
  modelMs: fc.integer({ min: 0, max: 2 }),
  moments: fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 1, maxLength: 6 }),
});

/** How often the tool of each call was entered and came to its end, and how often a person has said yes. */
class Book {
  readonly entered = new Map<string, number>();
  readonly ended = new Map<string, number>();
  confirmed = 0;

  static add(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function toolsOf(book: Book, toolMs: number) {
  const input = {
    type: "object",
    properties: { n: { type: "string" }, isDeaf: { type: "boolean" } },
    required: ["n", "isDeaf"],
  };
  const workers = POLICIES.map((policy) =>
    defineTool<{ n: string; isDeaf: boolean }>({
      name: policy,
      description: "Works.",
      input,
      permission: "execute",
      onUnknown: policy,
      claims: () => [],
      async execute({ n, isDeaf }, { signal }) {
        Book.add(book.entered, n);
        await sleep(toolMs, undefined, isDeaf ? {} : { signal });
        Book.add(book.ended, n);
        return `${n} is done`;
      },
    }),
  );
  const program = defineTool<{ policy: Policy; n: string; isDeaf: boolean }>({
    name: "program",
    description: "Makes a call.",
    input: { type: "object" },
    permission: "none",
    onUnknown: "retry",
    timeoutMs: null,
    async execute({ policy, ...input }, { calls }) {
      const [made] = await calls!.run([{ name: policy, input }]);
      return made!.output as string;
    },
  });
  return [...workers, program];
}

/** Says "Done." once its calls have results; each prompt is the calls to make. */
function playedBy(calls: readonly (readonly [name: string, input: JsonObject])[], modelMs: number) {
  return ({ messages }: { messages: readonly Message[] }) => {
    const settings = { chunkDelayMs: modelMs, argumentChunkSize: 8 };
    const made = JSON.stringify(messages.filter(({ role }) => role === "assistant"));
    const missing = calls.filter(
      ([, input]) =>
        !made.includes(JSON.stringify(JSON.stringify(input)).slice(1, -1)) && !made.includes(JSON.stringify(input)),
    );
    return missing.length > 0
      ? [...missing.map(([name, input]) => toolCall(name, input)), settings]
      : text("Done.", settings);
  };
}

test("a call that a suspension cuts off is repeated, asked about, or unknown, as its tool says", async () => {
  let cuts = 0;
  await fc.assert(
    fc.asyncProperty(plan, async ({ calls, toolMs, modelMs, moments }) => {
      const book = new Book();
      const sessions = createMemorySessionStore();
      const asked = calls.map(({ policy, by, isDeaf }, index) => {
        const input = { n: String(index), isDeaf };
        if (by === "program") return ["program", { policy, ...input }] as const;
        return by === "child"
          ? (["task", { subagent_type: `child-${index}`, prompt: "Work." }] as const)
          : ([policy, input] as const);
      });
      const children = calls.flatMap(({ policy, by, isDeaf }, index) =>
        by !== "child"
          ? []
          : defineSubagent({
              name: `child-${index}`,
              description: "Works.",
              systemPrompt: "Work.",
              model: scripted([playedBy([[policy, { n: String(index), isDeaf }]], modelMs)], { loop: true }),
            }),
      );
      const start = (continueFrom?: HarnessContinueState) => {
        const provider = scripted([playedBy(asked, modelMs)], { loop: true });
        const tools = [
          ...toolsOf(book, toolMs),
          ...(children.length > 0 ? createSubagentTools({ subagents: children }) : []),
        ];
        const engine = new AgentEngine({ provider, tools, sessions });
        return startSession(loopwrightHarness({ engine }), continueFrom && { continueFrom });
      };
      let session = await start();
      let turn = await promptTurn(session, "Work.");
      let serving = confirm(turn, book);
      for (const moment of moments) {
        if (await Promise.race([serving.ended.then(() => true), sleep(moment, false)])) break;
        await serving.stop();
        session = await start(JSON.parse(JSON.stringify(await session.doSuspendTurn())) as HarnessContinueState);
        turn = await continueTurn(session);
        serving = confirm(turn, book);
      }
      await serving.ended;

      expect(turn.text).toContain("Done.");
      const confirmable = calls.flatMap(({ policy }, index) =>
        policy === "ask" ? book.entered.get(String(index))! - 1 : [],
      );
      expect(confirmable.reduce((sum, again) => sum + again, 0)).toBeLessThanOrEqual(book.confirmed);
      for (const [index, { policy, by, isDeaf }] of calls.entries()) {
        const n = String(index);
        const times = book.entered.get(n)!;
        cuts += times - 1;
        if (policy === "fail") expect(times).toBe(1);
        if (policy !== "fail" && !isDeaf) expect(book.ended.get(n)).toBe(1);
        if (by !== "main") continue;
        const result = await resultAbout(sessions, n);
        const isKnown = policy !== "fail" || result.includes("is done");
        expect(result).toContain(isKnown ? `${n} is done` : "had been started");
      }
    }),
    { numRuns: runs(20, 20, 500), timeout: 30_000 },
  );
  expect(cuts).toBeGreaterThan(0);
});

/** The model's own words for the result of a call. */
async function resultAbout(sessions: ReturnType<typeof createMemorySessionStore>, n: string): Promise<string> {
  let id = "";
  for await (const entry of sessions.read("contract")) {
    if (entry.type === "message" && entry.message.role === "assistant") {
      for (const part of entry.message.content)
        if (part.type === "tool-call" && Object(part.arguments).n === n) id = part.id;
    }
    if (entry.type === "tool-result" && entry.result.toolCallId === id && id)
      return String((entry.result as unknown as ToolMessage["content"][number]).output);
  }
  return "no result";
}

/** A person who confirms every repetition. */
function confirm(turn: HostTurn, book: Book) {
  const seen = new Set<string>();
  let [isOver, isStopped] = [false, false];
  const done = turn.done().finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  const loop = (async () => {
    while (!isOver && !isStopped) {
      for (const part of turn.parts) {
        if (part.type !== "tool-approval-request" || seen.has(part.approvalId) || isStopped) continue;
        seen.add(part.approvalId);
        book.confirmed++;
        await turn.control.submitToolApproval({ approvalId: part.approvalId, approved: true });
      }
      await sleep(1);
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
