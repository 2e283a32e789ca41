import { beforeAll, expect, test } from "vitest";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { runs } from "../runs.js";
import { bundled, type Child, idsOf, leftovers, startChild, temporaryDirectory } from "./kit.js";

const ROUNDS = runs(4, 8, 200);

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./append-program.ts", import.meta.url));
});

async function remainingLines(child: Child): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await child.line(); line !== null; line = await child.line()) lines.push(line);
  return lines;
}

test("processes that append to one session at once each keep all of theirs, in order and unmixed", async () => {
  const dir = temporaryDirectory();
  const names = ["p", "q", "r"];

  const children = names.map((name) => startChild(program, [dir, name, "40", "10"]));
  await Promise.all(children.map(({ ended }) => ended));

  const ids = await idsOf(createFileSessionStore({ dir }), "s");
  const wanted = (name: string) => Array.from({ length: 40 }, (_, n) => [`${name}.${n}.a`, `${name}.${n}.b`]).flat();
  for (const name of names) expect(ids.filter((id) => id.startsWith(name))).toEqual(wanted(name));
  expect(ids.filter((id, index) => index % 2 === 0 && ids[index + 1] !== id.replace(/a$/, "b"))).toEqual([]);
  expect(leftovers(dir)).toEqual([]);
});

test("a process killed in the middle of large appends leaves whole ones, and the next is not glued to the rest", async () => {
  const dir = temporaryDirectory();
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const child = startChild(program, [dir, `p${round}`, "60", "1000000"]);
    await child.line();
    // In the first append, or in one after it: however slow the machine is, some are acknowledged.
    for (let ended = 0; ended < round % 3; ended++) acknowledged.push((await child.line())!);
    const killer = setTimeout(() => child.process.kill("SIGKILL"), Math.random() * 80);
    acknowledged.push(...(await remainingLines(child)));
    clearTimeout(killer);

    const kept = (await idsOf(createFileSessionStore({ dir }), "s")).filter((id) => id.startsWith(`p${round}.`));
    const appends = kept.filter((id) => id.endsWith(".a")).map((id) => id.slice(0, -2));

    expect(kept).toEqual(appends.flatMap((append) => [`${append}.a`, `${append}.b`]));
    expect(appends).toEqual(expect.arrayContaining(acknowledged.filter((line) => line.startsWith(`p${round}.`))));
    if (round % 4 === 3) await createFileSessionStore({ dir }).delete("s");
  }
  expect(acknowledged.length).toBeGreaterThan(0);
});
