// Answers in any order, partly, late, twice and against each other, from processes that are killed on the way.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, PendingRequest } from "../../src/index.js";
import { createFileSessionStore, findPending } from "../../src/sessions/index.js";
import { bundled, collect, startChild, temporaryFolder } from "../sessions/kit.js";
import type { Work } from "./approval-program.js";

const ROUNDS = process.env.PROVE ? 100 : 3;
const CALLS = 4;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./approval-program.ts", import.meta.url));
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

/** Numbers that look random and are the same in every run of the test. */
function dice(seed: number): (sides: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

function openSession() {
  const folder = temporaryFolder();
  const [dir, log] = [join(folder, "sessions"), join(folder, "log")];
  const store = createFileSessionStore({ dir });
  return {
    /** Its last line: the status, or nothing if it was killed. */
    async work(work: Omit<Work, "dir" | "log" | "calls">) {
      const child = startChild(program, [JSON.stringify({ dir, log, calls: CALLS, ...work })]);
      const status = await child.line();
      await child.ended;
      return status;
    },
    pending: () => findPending(store, "s").catch((): readonly PendingRequest[] => []),
    entries: () => collect(store.read("s")),
    executed: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []),
  };
}

const isAllowed = (answer: Answer) => "decision" in answer && answer.decision === "allow";

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "whatever is answered by whom and killed when, each call runs at most once, and none without its first answer's yes (round %i)",
  async (round) => {
    const roll = dice(round + 1);
    const session = openSession();
    await session.work({ killAt: 4 + roll(12) });
    if ((await session.pending()).length < CALLS) await session.work({ answers: [] });

    const asked = await session.pending();
    for (let wave = 0; wave < 2; wave++) {
      const rivals = Array.from({ length: 2 }, (): Work["answers"] =>
        asked.filter(() => roll(2) === 0).map(({ id }) => ({ id, decision: roll(3) === 0 ? "deny" : "allow" })),
      );
      await Promise.all(rivals.map((answers) => session.work({ answers, killAt: roll(24) })));
    }
    let status = await session.work({ answers: [] });
    if (status === "needs-approval") {
      const answers = (await session.pending()).map(({ id }): Answer => ({ id, decision: "allow" }));
      status = await session.work({ answers: [...answers, ...answers] });
    }

    const entries = await session.entries();
    const executed = session.executed();
    const first = new Map<string, Answer>();
    for (const entry of entries) {
      if (entry.type === "answer" && !first.has(entry.answer.id)) first.set(entry.answer.id, entry.answer);
    }
    expect(status).toBe("completed");
    expect(executed).toEqual([...new Set(executed)]);
    for (const n of executed) {
      const ids = entries.flatMap((entry) =>
        entry.type === "pending" && (entry.request.input as { n: number }).n === n ? [entry.request.id] : [],
      );
      expect(ids.some((id) => first.has(id) && isAllowed(first.get(id)!))).toBe(true);
      expect(ids.every((id) => !first.has(id) || isAllowed(first.get(id)!))).toBe(true);
    }
    // A yes whose call did not run was cut off in the middle of it: the model is told that its outcome is not known.
    const outcomes = entries.flatMap((entry) => (entry.type === "tool-result" ? [entry.result] : []));
    expect(outcomes).toHaveLength(CALLS);
    expect(outcomes.filter(({ isError }) => !isError).length).toBeLessThanOrEqual(executed.length);
  },
);

test("an answer that comes twice, and one that comes when all is done, change nothing", async () => {
  const session = openSession();
  await session.work({});
  const [a, b, c, d] = (await session.pending()).map(({ id }) => id) as [string, string, string, string];
  const say = (decision: "allow" | "deny", ...ids: string[]) =>
    session.work({ answers: ids.map((id): Answer => ({ id, decision })) });

  const statuses = [
    await say("deny", c),
    await say("allow", c, a),
    await say("deny", d, a, a),
    await say("allow", b, "nobody"),
    await say("allow", c, d),
  ];

  expect(statuses).toEqual(["needs-approval", "needs-approval", "needs-approval", "completed", "completed"]);
  expect(session.executed()).toEqual([0, 1]);
});
