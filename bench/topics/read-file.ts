// Pages of a 500 MB text: the first, one in the middle, and the next, against bare loops that read just so far.
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseTool } from "loopwright";
import { fakeToolContext } from "loopwright/testing";
import { createReadFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { programPath, readProgram } from "../child.js";
import { interleave, median } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

const FILE_BYTES = isQuick ? 100e6 : 500e6;
const ROUNDS = isQuick ? 5 : 15;
const PAGE_LINES = 2_000;
const CHUNK_BYTES = 512 * 1024;

/** Numbered lines of 12 to 150 bytes. Answers how many. */
async function writeLargeText(path: string): Promise<number> {
  const file = await open(path, "w");
  let count = 0;
  for (let size = 0; size < FILE_BYTES; ) {
    const lines = Array.from({ length: 10_000 }, () => `${++count} ${"some words of a log ".repeat(count % 8)}\n`);
    size += (await file.write(lines.join(""))).bytesWritten;
  }
  await file.close();
  return count;
}

/** Counts line breaks chunk by chunk until the page begins, then takes its lines. */
async function bareRead(path: string, first: number): Promise<string> {
  const file = await open(path);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let line = 1;
  let text = "";
  let taken = 0;
  while (taken < PAGE_LINES) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    if (bytesRead === 0) break;
    let from = 0;
    while (line < first) {
      const end = chunk.indexOf(10, from);
      if (end === -1 || end >= bytesRead) break;
      line++;
      from = end + 1;
    }
    if (line < first) continue;
    const lines = chunk
      .toString("utf8", from, bytesRead)
      .split("\n")
      .slice(0, PAGE_LINES - taken);
    text += lines.map((each, index) => `${line + taken + index}\t${each}`).join("\n");
    taken += lines.length;
  }
  await file.close();
  return text;
}

async function pageRows(directory: string): Promise<Row[]> {
  const path = join(directory, "large.log");
  const middle = Math.floor((await writeLargeText(path)) / 2);
  const workspace = await createWorkspace({ root: directory });
  const read = async (offset: number, tool: BaseTool) => {
    const { output } = Object(await tool.execute({ path, offset, limit: PAGE_LINES }, fakeToolContext()));
    if (!String(output).startsWith(`${offset}\t${offset} `))
      throw new Error(`Page ${offset} begins: ${String(output).slice(0, 50)}`);
  };

  const tool = createReadFileTool(workspace);
  const first = await interleave(
    { floor: () => bareRead(path, 1), ours: () => read(1, tool) },
    { rounds: 5 * ROUNDS, warmups: 5, clock: "wall" },
  );
  // Each of them has never seen the file.
  const strangers = Array.from({ length: 1 + ROUNDS }, () => createReadFileTool(workspace));
  const deep = await interleave(
    { floor: () => bareRead(path, middle), ours: () => read(middle, strangers.pop()!) },
    { rounds: ROUNDS, warmups: 1, clock: "wall" },
  );
  const next: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const tool = createReadFileTool(workspace);
    await read(middle, tool);
    const startedAt = performance.now();
    await read(middle + PAGE_LINES, tool);
    next.push(performance.now() - startedAt);
  }
  await workspace.close();
  const { addedMb } = await readProgram<{ addedMb: number }>(
    programPath("read-page"),
    [directory, String(middle)],
    ["--expose-gc"],
  );
  const size = `${FILE_BYTES / 1e6} MB`;
  return [
    { what: `read_file: the first page of ${size}`, unit: "ms", ...first, budgets: [{ max: 1.7, times: "floor" }] },
    { what: "a page in the middle", unit: "ms", ...deep, budgets: [{ max: 1.1, times: "floor" }] },
    { what: "a page in the middle: memory it adds", unit: "MB", ours: addedMb, budgets: [{ max: 20 }] },
    { what: "the page after it", unit: "ms", ours: median(next), budgets: [{ max: 5 }] },
  ];
}

const directory = await mkdtemp(join(tmpdir(), "loopwright-bench-read-"));
try {
  report(await pageRows(directory));
} finally {
  await rm(directory, { recursive: true, force: true });
}
