import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createFileTaskStore } from "../../../src/tasks/index.js";
import { bundled, type Child, startChild, temporaryDirectory } from "../../sessions/kit.js";

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./team-program.ts", import.meta.url));
});

async function linesOf(child: Child): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await child.line(); line !== null; line = await child.line()) lines.push(line);
  return lines;
}

const after = (word: string, lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

test("members in three processes do each task once and write to each other, also when one of them is killed", async () => {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir: join(dir, "tasks") });
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    ids.push((await store.create({ subject: `task ${n}`, blockedBy: n >= 8 ? ids.slice(-2) : [] })).id);
  }

  // The others keep what they have even if the machine stands still: only what the dead one held is done by others.
  const victim = startChild(program, [dir, "eve", "ann,bob", "1500", "yes"]);
  let line = await victim.line();
  while (line !== null && !line.startsWith("holds")) line = await victim.line();
  const others = [
    startChild(program, [dir, "ann", "bob,eve", "600000", "no"]),
    startChild(program, [dir, "bob", "ann,eve", "600000", "no"]),
  ];
  const reading = others.map(linesOf);
  await victim.kill();
  const lines = await Promise.all(reading);

  const tasks = await store.list();
  expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(ids.map((id) => `${id} completed`));
  expect(lines.flatMap((each) => after("did", each)).sort()).toEqual([...ids].sort());
  expect(lines.map((each) => each.at(-1))).toEqual(["end done", "end done"]);
  // Who did a task has read the one that is dead. On a slow machine, one may have done them all before the other was up.
  const atWork = lines.filter((each) => after("did", each).length > 0);
  expect(atWork.length).toBeGreaterThan(0);
  for (const each of atWork) expect(after("mail", each)).toContain("eve");
});
