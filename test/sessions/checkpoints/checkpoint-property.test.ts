// An agent, its commands and a user work in one directory, and files are rewound and undone in between.
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/index.js";
import type { RewindReport } from "../../../src/sessions/index.js";
import "../../property-seed.js";
import { runs } from "../../runs.js";
import { openAgent, place, SESSION, treeOf } from "../checkpoint-kit.js";

const NUM_RUNS = runs(10, 25, 2_000);
const TIMEOUT_MS = process.env.PROVE ? 3_600_000 : 60_000;

const PATHS = ["a", "b", "dir/c", "dir/deep/d", "other/e"];
const path = fc.constantFrom(...PATHS);
const onConflict = fc.constantFrom("refuse" as const, "skip" as const);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("agent-writes" as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("agent-makes-directory" as const),
      path: fc.constantFrom("dir", "dir/deep", "empty/er"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("user-writes" as const),
      path: fc.oneof(path, fc.constantFrom("mine", "dir/mine", "empty/mine")),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("user-deletes" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("user-changes-mode" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("user-links" as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("command-writes" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("command-deletes" as const), path }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("rewind" as const), to: fc.nat(), onConflict }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("undo" as const), onConflict }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Tree = Record<string, string>;

/** Texts without their modes: rewinds leave modes alone. */
const textsOf = (tree: Tree) =>
  Object.fromEntries(Object.entries(tree).map(([name, what]) => [name, what.replace(/^\d+ /, "")]));

async function play(steps: readonly Step[]): Promise<void> {
  const { root, dir } = place();
  mkdirSync(join(root, "dir"));
  for (const name of ["a", "dir/c", "mine"]) writeFileSync(join(root, name), `uncommitted ${name}`);
  const agent = await openAgent({ root, dir });
  const moments: { readonly id: string; readonly tree: Tree }[] = [];
  /** When the user, or a command, last changed each path, in moments. */
  const foreign = new Map<string, number>();
  /** Paths that hold what the user or a command put there. */
  const theirs = new Set(Object.keys(treeOf(root)));
  let writes = 0;
  /**
   * Paths that the agent has changed, and from which moment on: a rewind either restores what was there, or it says that it
   * did not. A file that was gone when the agent first wrote it is known from then on.
   */
  const own = new Map<string, number>();
  /** Paths that somebody removed: nothing says when, so a rewind may leave what was made there since, and says so. */
  const deleted = new Set<string>();
  // Times of files come from a clock of coarse steps: each moment has a second of its own.
  const begin = Date.now() - 60_000;
  const dated = (name: string) => {
    const seconds = (begin + moments.length * 1_000 - 500) / 1_000;
    utimesSync(join(root, name), seconds, seconds);
  };
  const note = (name: string) => {
    foreign.set(name, moments.length);
    theirs.add(name);
    if (existsSync(join(root, name))) dated(name);
    else deleted.add(name);
  };
  const mark = async () => {
    const id = await agent.mark(begin + moments.length * 1_000);
    moments.push({ id, tree: treeOf(root) });
  };
  const isFree = (name: string) => !existsSync(join(root, name)) || statSync(join(root, name)).isFile();
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };

  async function rewind(work: () => Promise<RewindReport>, check: (after: Tree, left: ReadonlySet<string>) => void) {
    const before = treeOf(root);
    let report: RewindReport;
    try {
      report = await work();
    } catch (error) {
      // Refused, or nothing to undo: then nothing was touched.
      const isRefused = isHarnessError(error, "REWIND_REFUSED") || /no rewind of files to undo/.test(String(error));
      if (!isRefused) throw error;
      expect(treeOf(root)).toEqual(before);
      return;
    }
    const after = treeOf(root);
    for (const name of theirs)
      if (name in before && before[name] !== "directory") expect([name, after[name]]).toEqual([name, before[name]]);
    for (const name of Object.keys(after)) if (!(name in before)) theirs.delete(name);
    const kept = report.files.filter(({ action }) => action === "keep");
    check(after, new Set([...kept, ...report.notKept].map(({ path }) => relative(root, path))));
    await agent.rewinder.undoRewind(SESSION);
    expect(treeOf(root)).toEqual(before);
    await agent.rewinder.undoRewind(SESSION);
    expect(textsOf(treeOf(root))).toEqual(textsOf(after));
  }

  await mark();
  for (const each of steps) {
    const name = "path" in each ? each.path : "";
    if (each.do === "agent-writes") {
      const text = `agent ${++writes}`;
      const knownFrom = existsSync(join(root, name)) ? 0 : moments.length;
      await agent.call("read", { path: name });
      await agent.call("write", { path: name, content: text });
      if (treeOf(root)[name]?.endsWith(text)) {
        theirs.delete(name);
        if (!own.has(name)) own.set(name, knownFrom);
      }
    } else if (each.do === "agent-makes-directory") await agent.call("mkdir", { path: name });
    else if (each.do === "user-writes" && isFree(name)) {
      put(name, `user ${++writes}`);
      note(name);
    } else if (each.do === "user-deletes") {
      rmSync(join(root, name), { force: true });
      note(name);
    } else if (each.do === "user-changes-mode" && existsSync(join(root, name)))
      chmodSync(join(root, name), 0o600 + 64 * (writes % 2));
    else if (each.do === "user-links" && !existsSync(join(root, name))) {
      rmSync(join(root, name), { force: true });
      mkdirSync(dirname(join(root, name)), { recursive: true });
      symlinkSync("nowhere", join(root, name));
      note(name);
    } else if (each.do === "command-writes" && isFree(name)) {
      await agent.call("bash", { command: `mkdir -p "$(dirname ${name})"; echo ${++writes} > ${name}` });
      note(name);
    } else if (each.do === "command-deletes" && isFree(name)) {
      await agent.call("bash", { command: `rm -f ${name}` });
      note(name);
    } else if (each.do === "rewind") {
      const index = each.to % moments.length;
      const { id, tree } = moments[index]!;
      await rewind(
        () => agent.rewinder.rewindFiles(SESSION, id, { onConflict: each.onConflict }),
        (after, left) => {
          const exact = PATHS.filter((file) => (foreign.get(file) ?? -1) <= index && !deleted.has(file));
          const told = PATHS.filter((file) => !left.has(file) && index >= (own.get(file) ?? Number.POSITIVE_INFINITY));
          for (const file of [...exact, ...told]) {
            expect([file, textsOf(after)[file]]).toEqual([file, textsOf(tree)[file]]);
          }
        },
      );
    } else if (each.do === "undo")
      await rewind(
        () => agent.rewinder.undoRewind(SESSION, { onConflict: each.onConflict }),
        () => {},
      );
    await mark();
  }
  await agent.close();
}

test(
  "uncommitted work survives every rewind and undo, and what the agent did goes exactly",
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 14 }), play), {
      numRuns: NUM_RUNS,
      endOnFailure: true,
    });
  },
  TIMEOUT_MS,
);
