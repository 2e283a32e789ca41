// An agent, its commands and a user work in one directory, and files are rewound and undone in between.
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/index.js";
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant("command-writes" as const), path }) },
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
  const note = (name: string) => {
    foreign.set(name, moments.length);
    theirs.add(name);
  };
  const mark = async () => void moments.push({ id: await agent.mark(), tree: treeOf(root) });
  const isFree = (name: string) => !existsSync(join(root, name)) || statSync(join(root, name)).isFile();
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };

  async function rewind(work: () => Promise<unknown>, check: (after: Tree) => void) {
    const before = treeOf(root);
    try {
      await work();
    } catch (error) {
      // Refused, or nothing to undo: then nothing was touched.
      if (!isHarnessError(error, "REWIND_REFUSED") && !isHarnessError(error, "OPTION_INVALID")) throw error;
      expect(treeOf(root)).toEqual(before);
      return;
    }
    const after = treeOf(root);
    for (const name of theirs)
      if (name in before && before[name] !== "directory") expect([name, after[name]]).toEqual([name, before[name]]);
    for (const name of Object.keys(after)) if (!(name in before)) theirs.delete(name);
    check(after);
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
      await agent.call("read", { path: name });
      await agent.call("write", { path: name, content: text });
      if (treeOf(root)[name]?.endsWith(text)) theirs.delete(name);
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
    } else if (each.do === "rewind") {
      const index = each.to % moments.length;
      const { id, tree } = moments[index]!;
      await rewind(
        () => agent.rewinder.rewindFiles(SESSION, id, each),
        (after) => {
          const untouched = PATHS.filter((file) => (foreign.get(file) ?? -1) <= index);
          for (const file of untouched) expect([file, textsOf(after)[file]]).toEqual([file, textsOf(tree)[file]]);
        },
      );
    } else if (each.do === "undo")
      await rewind(
        () => agent.rewinder.undoRewind(SESSION, each),
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
