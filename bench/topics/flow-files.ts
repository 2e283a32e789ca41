// Looking at whose files a call reads, with `flow`, in a repository of 20,000 tracked files: against git's own list of them.
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPermissionChecker, type PermissionChecker } from "loopwright/permissions";
import { createWorkspace, type Workspace } from "loopwright/workspace";
import { writeFileTree } from "../file-tree.js";
import { type Contender, interleave, type Plan } from "../measure.js";
import { isQuick, report } from "../row.js";

const execute = promisify(execFile);
const FILES = 20_000;

const root = await mkdtemp(join(tmpdir(), "loopwright-bench-flow-"));
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
// `git init` does not take the empty `.git` of the tree for a repository, and makes it one.
writeFileTree(root, FILES);
git("init", "-q");
git("add", "-A");

const FILE = { tool: "read_file", input: { path: "package-0/src/part-0/module-0.ts" } } as const;
const SEARCH = { tool: "grep", input: { pattern: "word" } } as const;

async function mustAllow(gate: PermissionChecker, request: typeof FILE | typeof SEARCH, isTrusted: boolean) {
  const { behavior, reason, label } = await gate.decide({ ...request, sessionId: "s" });
  if (behavior !== "allow") throw new Error(`${request.tool} is not allowed: ${reason}`);
  if (isTrusted && label?.integrity !== "trusted")
    throw new Error(`${request.tool} counts as ${JSON.stringify(label)}.`);
}

const gateOf = (workspace: Workspace, flow: "off" | object) =>
  createPermissionChecker({ workspace, flow, rules: { allow: ["read_file", "grep"] } });

async function first(flow: "off" | object): Promise<void> {
  const workspace = await createWorkspace({ root });
  await mustAllow(gateOf(workspace, flow), FILE, flow !== "off");
  await workspace.close();
}

const PLAN: Plan = { rounds: isQuick ? 7 : 21, warmups: 3, clock: "wall" };
const lists = { floor: () => execute("git", ["ls-files"], { cwd: root, maxBuffer: 2 ** 26 }) };
const opening = await interleave({ ...lists, without: () => first("off"), ours: () => first({}) }, PLAN);

const workspace = await createWorkspace({ root });
const [on, off] = [gateOf(workspace, {}), gateOf(workspace, "off")];
const many = (times: number, work: Contender) => async () => {
  for (let at = 0; at < times; at++) await work();
};
const searches = await interleave({ ...lists, grep: () => mustAllow(on, SEARCH, true) }, PLAN);
const reads = await interleave(
  { floor: many(100, () => mustAllow(off, FILE, false)), ours: many(100, () => mustAllow(on, FILE, true)) },
  PLAN,
);
await workspace.close();
await rm(root, { recursive: true, force: true });

const of = `${FILES.toLocaleString("en-US")} tracked files`;
const row = (what: string, ours: number, floor: number, max: number) => ({
  what,
  unit: "ms",
  floor,
  ours,
  budgets: [{ max, times: "floor" as const }],
});
report([
  row(
    `with flow, the first decision in a repository of ${of} (floor: git ls-files)`,
    opening.ours - opening.without,
    opening.floor,
    3,
  ),
  row(`with flow, a decision on a search of ${of} (floor: git ls-files)`, searches.grep, searches.floor, 2),
  {
    what: "with flow, a decision on reading one file (floor: without)",
    unit: "µs",
    floor: reads.floor * 10,
    ours: reads.ours * 10,
    budgets: [{ max: 3, times: "floor" }],
  },
]);
