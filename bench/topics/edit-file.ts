// edit_file on 5 MB, with the diff in the answer: an exact edit, and one that forgives indentation.
import { mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeToolContext } from "loopwright/testing";
import { createEditFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { interleave } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

const BYTES = 5_000_000;
const ROUNDS = isQuick ? 5 : 15;

function program(): string {
  const lines: string[] = [];
  for (let length = 0, n = 0; length < BYTES; n++) {
    const line = `    const value${n} = compute(${n}, "name${n % 97}");`;
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

/** The same by hand: find the one place, replace, compare, put the file in place. */
async function byHand(path: string, find: (text: string) => readonly [start: number, end: number], added: string) {
  const before = await readFile(path, "utf8");
  const [start, end] = find(before);
  const after = before.slice(0, start) + added + before.slice(end);
  const patch = hunk(before.split("\n"), after.split("\n"));
  const file = await open(`${path}.tmp`, "w");
  await file.writeFile(after);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  return patch;
}

/** The lines between the first and the last that differ, with three around them. */
function hunk(before: readonly string[], after: readonly string[]): string {
  let first = 0;
  while (before[first] === after[first]) first++;
  let last = 1;
  while (before.at(-last) === after.at(-last)) last++;
  const part = (lines: readonly string[], sign: string) => lines.slice(first, 1 - last).map((line) => `${sign}${line}`);
  const around = before.slice(first - 3, first);
  return [`@@ -${first} @@`, ...around, ...part(before, "-"), ...part(after, "+")].join("\n");
}

function findExact(old: string) {
  return (text: string) => {
    const start = text.indexOf(old);
    if (start === -1 || text.indexOf(old, start + 1) !== -1) throw new Error("not one place");
    return [start, start + old.length] as const;
  };
}

function findTrimmed(old: readonly string[]) {
  return (text: string) => {
    const lines = text.split("\n");
    const wanted = old.map((line) => line.trim());
    const found: number[] = [];
    for (let at = 0; at < lines.length; at++) {
      if (wanted.every((line, index) => lines[at + index]?.trim() === line)) found.push(at);
    }
    const [first] = found;
    if (first === undefined || found.length > 1) throw new Error("not one place");
    const start = lines.slice(0, first).join("\n").length + 1;
    return [start, start + lines.slice(first, first + old.length).join("\n").length] as const;
  };
}

async function measure(dir: string): Promise<Row[]> {
  const workspace = await createWorkspace({ root: dir });
  const tool = createEditFileTool(workspace);
  const before = program();
  const middle = before.split("\n").slice(40_000, 40_005);
  const ours = join(dir, "ours.ts");
  const floor = join(dir, "floor.ts");
  const edit = async (old_text: string, new_text: string) => {
    await tool.execute(await tool.parse!({ path: "ours.ts", old_text, new_text }), fakeToolContext());
  };
  const exact = middle.join("\n");
  const dedented = middle.map((line) => line.trim());
  // Back and forth, so that the file stays as it is.
  const [changed, dedentedChange] = [
    exact.replace("compute", "calculate"),
    dedented.join("\n").replace("compute", "calculate"),
  ];
  const there = { exact: findExact(exact), fuzzy: findTrimmed(dedented) };
  const back = { exact: findExact(changed), fuzzy: findTrimmed(changed.split("\n")) };
  const rows: Row[] = [];
  for (const [kind, max] of [
    ["exact", 1.3],
    ["fuzzy", 1.7],
  ] as const) {
    await Promise.all([writeFile(ours, before), writeFile(floor, before)]);
    const [old, added] = kind === "exact" ? [exact, changed] : [dedented.join("\n"), dedentedChange];
    const times = await interleave(
      {
        floor: async () => {
          await byHand(floor, there[kind], changed);
          await byHand(floor, back[kind], exact);
        },
        ours: async () => {
          await edit(old, added);
          await edit(added, old);
        },
      },
      { rounds: ROUNDS, warmups: 3 },
    );
    rows.push({
      what: `edit_file on 5 MB with diff: ${kind}`,
      unit: "ms",
      floor: times.floor / 2,
      ours: times.ours / 2,
      budgets: [{ max, times: "floor" }],
    });
  }
  await workspace.close();
  return rows;
}

const dir = await mkdtemp(join(tmpdir(), "loopwright-bench-edit-"));
try {
  report(await measure(dir));
} finally {
  await rm(dir, { recursive: true, force: true });
}
