import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Answer, PendingRequest } from "../../src/index.js";
import { runs } from "../runs.js";
import { bundled, startChild, temporaryDirectory } from "../sessions/kit.js";

const PATH = ["level-1", "level-2", "level-3"];

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./depth-program.ts", import.meta.url));
});

interface Outcome {
  readonly status: string;
  readonly text: string;
  readonly pending: readonly PendingRequest[];
}

/** What a process printed; `null`: it was killed. */
async function runProcess(
  dir: string,
  mode: string,
  answers: readonly Answer[],
  fault: string,
): Promise<Outcome | null> {
  const child = startChild(program, [dir, mode, JSON.stringify(answers), fault]);
  const line = await child.line();
  await child.ended;
  return line === null ? null : JSON.parse(line);
}

function answersTo({ pending }: Outcome): Answer[] {
  return pending.map(({ id, input }) => ({
    id,
    decision: Reflect.get(input as object, "what") === "a" ? "allow" : "deny",
  }));
}

test("approvals at depth three are given in other processes, with a kill after any write in between", async () => {
  const all = [1, 5, 9, 3, 7, 12, ...Array.from({ length: 30 }, (_, n) => n + 1)];
  const faults = all.slice(0, runs(2, 6, all.length));
  for (const fault of faults) {
    const dir = temporaryDirectory();
    let asked = await runProcess(dir, "start", [], String(fault));
    for (let again = 0; asked === null && again < 5; again++) asked = await runProcess(dir, "resume", [], "none");
    expect(asked).toMatchObject({ status: "needs-approval", pending: [{ agentPath: PATH }, { agentPath: PATH }] });

    const answers = answersTo(asked!);
    let ended = await runProcess(dir, "resume", answers, String(fault));
    for (let again = 0; ended === null && again < 5; again++) ended = await runProcess(dir, "resume", answers, "none");

    expect(ended).toMatchObject({
      status: "completed",
      text: 'ended: ended: ended: ended: did a+"act" was denied by the host.',
    });
    const acts = readFileSync(join(dir, "acts.txt"), "utf8").split("\n").filter(Boolean);
    // A kill between the start of a call and its result makes a tool with onUnknown "retry" run once more.
    expect([...new Set(acts)]).toEqual(["a"]);
    expect(acts.length).toBeLessThanOrEqual(2);
  }
});
