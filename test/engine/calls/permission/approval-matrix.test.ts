// Answers in any order, partly, late, twice and against each other, from processes that are killed on the way.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, type PendingRequest, signAnswer } from "../../../../src/index.js";
import { createFileSessionStore, findPending } from "../../../../src/sessions/index.js";
import { runs } from "../../../runs.js";
import { bundled, collect, startChild, temporaryDirectory } from "../../../sessions/kit.js";
import type { Work } from "./approval-program.js";

const ROUNDS = runs(2, 4, 100);
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
  const directory = temporaryDirectory();
  const [dir, log] = [join(directory, "sessions"), join(directory, "log")];
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
    /** Each call that was executed, and by which variant. */
    executed: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => line.split(" ").map(Number) as [number, number])
        : [],
  };
}

const isAllowed = (answer: Answer) => "decision" in answer && answer.decision === "allow";

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "whatever is answered by whom and killed when, each call runs at most once, and none without its first answer's yes to just that (round %i)",
  async (round) => {
    const roll = dice(round + 1);
    const session = openSession();
    const key = round % 2 === 1 ? { key: "k" } : {};
    const say = (request: PendingRequest, decision: "allow" | "deny"): Answer => {
      const answer: Answer = { id: request.id, decision };
      if (!key.key) return answer;
      // Somebody without the key may always try.
      return roll(4) === 0 ? { id: request.id, decision: "allow" } : signAnswer(request, answer, key.key);
    };
    await session.work({ killAt: 4 + roll(12), ...key });
    if ((await session.pending()).length < CALLS) await session.work({ answers: [], ...key });

    for (let wave = 0; wave < 2; wave++) {
      const asked = await session.pending();
      const rivals = Array.from({ length: 2 }, (): Work["answers"] =>
        asked.filter(() => roll(2) === 0).map((request) => say(request, roll(3) === 0 ? "deny" : "allow")),
      );
      const variant = roll(2);
      await Promise.all(rivals.map((answers) => session.work({ answers, killAt: roll(24), variant, ...key })));
    }
    let status = await session.work({ answers: [], ...key });
    for (let attempt = 0; status === "needs-approval" && attempt < 20; attempt++) {
      const answers = (await session.pending()).map((request) => say(request, "allow"));
      status = await session.work({ answers: [...answers, ...answers], ...key });
    }

    const entries = await session.entries();
    const executed = session.executed();
    const first = new Map<string, Answer>();
    for (const entry of entries) {
      if (entry.type === "answer" && !first.has(entry.answer.id)) first.set(entry.answer.id, entry.answer);
    }
    expect(status).toBe("completed");
    expect(executed.map(([n]) => n)).toEqual([...new Set(executed.map(([n]) => n))]);
    for (const [n, variant] of executed) {
      const requests = entries.flatMap((entry) =>
        entry.type === "pending" && (entry.request.input as { n: number }).n === n ? [entry.request] : [],
      );
      const isYes = ({ id }: PendingRequest) => first.has(id) && isAllowed(first.get(id)!);
      expect(requests.some((request) => request.reason === `Sure? ${variant}` && isYes(request))).toBe(true);
      expect(requests.every((request) => !first.has(request.id) || isYes(request))).toBe(true);
    }
    // A yes whose call did not run was cut off in the middle of it: the model is informed that its outcome is not known.
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
  expect(session.executed()).toEqual([
    [0, 0],
    [1, 0],
  ]);
});
