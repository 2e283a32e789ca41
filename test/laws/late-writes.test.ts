// Nothing that a completed run has said is lost, whenever the store answers what an aborted run had asked of it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarnessError } from "../../src/contracts/errors.js";
import type { SessionStore } from "../../src/contracts/session.js";
import { AgentEngine } from "../../src/engine/engine.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { runs } from "../runs.js";
import { VirtualTime } from "./virtual-time.js";

const numRuns = runs(150, 2_000, 50_000);
const delay = fc.constantFrom(0, 0, 3, 400, 900);

const plan = fc.record({
  appends: fc.array(delay, { maxLength: 12 }),
  locks: fc.array(delay, { maxLength: 6 }),
  unlocks: fc.array(delay, { maxLength: 6 }),
  /** For each run: when it is aborted, if it is. */
  aborts: fc.array(fc.option(fc.nat({ max: 1_000 })), { minLength: 3, maxLength: 6 }),
});

/** A store that answers when the plan says; what it was asked for happens just before. */
function lateStore(time: VirtualTime, { appends, locks, unlocks }: Record<"appends" | "locks" | "unlocks", number[]>) {
  const inner = createMemorySessionStore();
  const [appendIn, lockIn, unlockIn] = [[...appends], [...locks], [...unlocks]];
  const wait = async (delays: number[]) => {
    const ms = delays.shift() ?? 0;
    if (ms > 0) await time.sleep(ms);
  };
  const store: SessionStore = {
    ...inner,
    async append(id, entries) {
      await wait(appendIn);
      await inner.append(id, entries);
    },
    async lock(id) {
      await wait(lockIn);
      const release = await inner.lock(id);
      return async () => {
        await wait(unlockIn);
        await release();
      };
    },
  };
  return store;
}

test("what a completed run has said is in every later request, whatever the store answers late", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ aborts, ...delays }) => {
      const time = new VirtualTime();
      const completed: string[] = [];
      await time.during(async () => {
        const store = lateStore(time, delays);
        const requests: string[] = [];
        const reply = ({ messages }: { messages: readonly unknown[] }) => {
          requests.push(JSON.stringify(messages));
          return text("Yes.");
        };
        const provider = scripted([reply], { loop: true });
        const engine = new AgentEngine({ provider, sessions: store, limits: { abandonMs: 0 } });
        for (const [n, abortAfter] of [...aborts, null].entries()) {
          const prompt = `Prompt ${n}.`;
          for (let tries = 0; ; tries++) {
            expect(tries, "the session is never free").toBeLessThan(5_000);
            const run = engine.stream(prompt, { sessionId: "s" });
            let isOver = false;
            const ended = run.result
              .catch((error: unknown) => error)
              .finally(() => {
                isOver = true;
              });
            if (abortAfter !== null) void time.sleep(abortAfter).then(() => run.abort());
            await time.settle();
            while (!isOver) if (!(await time.advance())) await time.settle();
            const result = await ended;
            if (isHarnessError(result, "SESSION_BUSY")) {
              await time.advance();
              continue;
            }
            if ((result as { status?: string }).status === "completed") {
              const request = requests.at(-1)!;
              const lost = completed.filter((each) => !request.includes(each));
              expect(lost).toEqual([]);
              completed.push(prompt);
            }
            break;
          }
        }
      });
      expect(completed.length).toBeGreaterThan(0);
    }),
    { numRuns },
  );
});
