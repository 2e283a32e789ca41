// Searching a large repository by content and by name, against ripgrep as its own process.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BaseTool } from "loopwright";
import { fakeToolContext } from "loopwright/testing";
import { createGlobTool, createGrepTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { COMMON_WORD, RARE_NAME, RARE_WORD, ripgrepPath, writeFileTree } from "../file-tree.js";
import { interleave } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

const execute = promisify(execFile);
const FILES = isQuick ? 14_000 : 70_000;
const PLAN = { rounds: isQuick ? 5 : 15, warmups: 2, clock: "wall" } as const;

async function mustFind(tool: BaseTool, args: Record<string, string | number>, lines: number): Promise<void> {
  const result = await tool.execute(await tool.parse!(args), fakeToolContext());
  const text = String(typeof result === "object" && result !== null && "output" in result ? result.output : result);
  const found = text.split("\n").filter((line) => !line.startsWith("[")).length;
  if (found !== lines) throw new Error(`"${tool.name}" found ${found} instead of ${lines}: ${text.slice(0, 300)}`);
}

async function searchRows(root: string): Promise<Row[]> {
  const workspace = await createWorkspace({ root });
  const rg = await ripgrepPath();
  const [quick, plain] = [createGrepTool(workspace, { ripgrep: rg }), createGrepTool(workspace, { ripgrep: false })];
  const glob = createGlobTool(workspace);
  const rare = { pattern: RARE_WORD };
  const first = { pattern: COMMON_WORD, head_limit: 100 };

  const words = await interleave(
    {
      floor: () => execute(rg, ["--files-with-matches", RARE_WORD, "./"], { cwd: root }),
      quick: () => mustFind(quick, rare, 12),
      plain: () => mustFind(plain, rare, 12),
      firstQuick: () => mustFind(quick, first, 100),
      firstPlain: () => mustFind(plain, first, 100),
    },
    PLAN,
  );
  const names = await interleave(
    {
      floor: () => execute(rg, ["--files", "./"], { cwd: root, maxBuffer: 2 ** 26 }),
      ours: () => mustFind(glob, { pattern: `**/*-${RARE_NAME}` }, 12),
    },
    PLAN,
  );
  await workspace.close();

  const count = FILES.toLocaleString("en-US");
  const row = (what: string, ours: number, times: number): Row => ({
    what,
    unit: "ms",
    floor: words.floor,
    ours,
    budgets: [{ max: times, times: "floor" }],
  });
  return [
    row(`grep a rare word in ${count} files, with ripgrep`, words.quick, 1.1),
    row("the same without", words.plain, 3),
    row(`the first 100 of ${count} hits, with ripgrep`, words.firstQuick, 0.5),
    row("the same without", words.firstPlain, 0.5),
    {
      what: `glob a rare name in ${count} files`,
      unit: "ms",
      floor: names.floor,
      ours: names.ours,
      budgets: [{ max: 1.26, times: "floor" }],
    },
  ];
}

const root = await mkdtemp(join(tmpdir(), "loopwright-bench-search-"));
try {
  writeFileTree(root, FILES);
  report(await searchRows(root));
} finally {
  await rm(root, { recursive: true, force: true });
}
