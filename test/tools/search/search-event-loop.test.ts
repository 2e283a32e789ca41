import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { createGlobTool } from "../../../src/tools/search/glob.js";
import { createGrepTool } from "../../../src/tools/search/grep.js";
import { runs } from "../../runs.js";
import { openWorkspace, temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

const FLAT_FILES = runs(1_200, 3_000, 50_000);
const DIRECTORIES = runs(500, 1_100, 20_000);
const LINES = runs(4_000, 12_000, 12_000);
const MOST_MS = 50;
/** What holds up the loop does so each time; a busy machine does not. */
const ATTEMPTS = 5;
const THREAD_TIMES = "/proc/thread-self/schedstat";

let ripgrep: string;

beforeAll(async () => {
  ripgrep = ((await import("@vscode/ripgrep")) as { rgPath: string }).rgPath;
});

/** Where the system tells, processor time of this thread: then a busy machine does not count. Unit: milliseconds. */
function now(): number {
  if (!existsSync(THREAD_TIMES)) return performance.now();
  return Number(readFileSync(THREAD_TIMES, "utf8").split(" ")[0]) / 1e6;
}

/** The longest turn of the event loop while `work` ran, in the best of some attempts. Unit: milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > MOST_MS; attempt++) {
    let longest = 0;
    let startedAt = now();
    const watching = setInterval(() => {
      const endedAt = now();
      longest = Math.max(longest, endedAt - startedAt);
      startedAt = endedAt;
    }, 2);
    await work();
    clearInterval(watching);
    best = Math.min(best, longest);
  }
  return best;
}

/** Those of this process; other tests of it may have left some that are about to end. */
function workersAndProcesses(): number {
  return process.getActiveResourcesInfo().filter((each) => /Worker|Process/.test(each)).length;
}

async function openTree(write: (root: string) => void) {
  const root = await temporaryDirectory({ forThousands: true });
  write(root);
  const workspace = await openWorkspace({ root });
  const [plain, quick] = [false as const, ripgrep].map((program) =>
    createGrepTool(workspace, { ripgrep: program, timeBudgetMs: 120_000 }),
  );
  return { glob: createGlobTool(workspace), plain: plain!, quick: quick! };
}

const QUERIES: readonly JsonObject[] = [
  { pattern: "needle", output_mode: "content", head_limit: 10_000 },
  { pattern: "ne+dle .?", output_mode: "count", glob: "*[a-z]*", head_limit: 10_000 },
];

test.each<[string, (root: string) => void]>([
  [
    "a directory of many files",
    (root) => {
      for (let i = 0; i < FLAT_FILES; i++)
        writeFileSync(join(root, `file-${(i * 7_919) % FLAT_FILES}.txt`), `needle ${i}\n`);
    },
  ],
  [
    "many directories",
    (root) => {
      for (let i = 0; i < DIRECTORIES; i++) {
        mkdirSync(join(root, `directory-${i}`));
        writeFileSync(join(root, `directory-${i}`, "a.txt"), "needle\n");
      }
    },
  ],
  [
    "huge files, lines and results",
    (root) => {
      writeFileSync(join(root, "one-line.json"), "needle ".repeat(100 * LINES));
      writeFileSync(join(root, "lines.txt"), `needle ${"in a long line of text ".repeat(20)}\n`.repeat(LINES));
      writeFileSync(join(root, "utf16.txt"), Buffer.from(`\ufeff${"needle é\n".repeat(8 * LINES)}`, "utf16le"));
    },
  ],
])("the event loop is never held up for long: %s", { timeout: 3_600_000 }, async (_, write) => {
  const { glob, plain, quick } = await openTree(write);

  for (const query of QUERIES) {
    expect(await longestTurn(() => callTool(plain, query)), JSON.stringify(query)).toBeLessThan(MOST_MS);
    expect(await longestTurn(() => callTool(quick, query)), `ripgrep ${JSON.stringify(query)}`).toBeLessThan(MOST_MS);
  }
  for (const pattern of ["**/*", "**/none"]) {
    expect(await longestTurn(() => callTool(glob, { pattern })), pattern).toBeLessThan(MOST_MS);
  }
});

test.each([
  ["^(a+)+$"],
  ["(a|aa)+$"],
  ["(.*a){20}b"],
  // The time goes where nothing can interrupt it: to compiling.
  ["([a-z]?)…", `${"[a-z]?".repeat(60)}\\d`],
  ["(?:a?|b?|c?)…", `${"(?:a?|b?|c?)".repeat(20)}\\d`],
])("`%s` is ended by its time budget or an abort, and no thread or process is left", async (name, pattern = name) => {
  const root = await temporaryDirectory({ forThousands: true });
  for (let i = 0; i < 1_100; i++) writeFileSync(join(root, `!${i}`), "~\n");
  writeFileSync(join(root, "a.txt"), `${"a".repeat(60)}!\nb\n`);
  const workspace = await openWorkspace({ root });
  const tool = createGrepTool(workspace, { ripgrep, timeBudgetMs: 300 });
  const patient = createGrepTool(workspace, { ripgrep: false });
  const abort = new AbortController();
  const before = workersAndProcesses();

  const expiring = callTool(tool, { pattern, path: "a.txt" });
  await expect(expiring).rejects.toMatchObject({ code: "SEARCH_TIMEOUT" });
  setTimeout(() => abort.abort(new Error("enough")), 200);
  await expect(callTool(patient, { pattern, path: "a.txt" }, { signal: abort.signal })).rejects.toThrow("enough");

  expect(workersAndProcesses()).toBeLessThanOrEqual(before);
});

test("a pattern that begins with two thousand missing directories does not hold up the event loop", async () => {
  const { glob } = await openTree(() => {});
  const search = async () => {
    const { text } = await callTool(glob, { pattern: `${"a/".repeat(1_990)}*` });
    await new Promise((resolve) => setTimeout(resolve, 5));
    return text;
  };

  expect(await search()).toMatch(/^No file/);
  expect(await longestTurn(search)).toBeLessThan(MOST_MS);
});
