import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isTemporaryName } from "../../../src/files/atomic-write.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { worktreeIdOf } from "../../../src/subagents/worktrees/worktree-record.js";
import { bundled, collect, startChild, temporaryDirectory } from "../../sessions/kit.js";
import type { Role } from "../kit.js";
import { give, inRepository, repository, writes } from "./kit.js";

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./crash-program.ts", import.meta.url));
});

/** A repository in whose work tree a process has died, and its session. */
async function afterCrash(moment: "written" | "writing" | "waiting" | "merged" = "written") {
  const repo = repository();
  const dir = join(temporaryDirectory(), "sessions");
  const child = startChild(program, [repo.root, repo.trees, dir, moment]);
  const line = await child.line();
  await child.ended;
  expect(line).toBe(moment === "waiting" ? "needs-approval" : null);
  const sessions = createFileSessionStore({ dir, durability: "process" });
  const x: Role = (_request, step) =>
    step < 3 ? toolCall("write", { name: "second.txt", content: "by the heir\n" }) : text("x is done");
  const engineFor = (main: Role = give("x")) =>
    inRepository(repo, { main, x, y: writes("y.txt", "y\n") }, { sessions });
  const trees = () => readdirSync(repo.trees).filter((name) => !name.includes("."));
  return { repo, sessions, engineFor, trees };
}

test("a session whose process was killed in a work tree goes on in it, and leaves nothing behind", async () => {
  const { repo, engineFor, trees } = await afterCrash();
  expect(trees().length).toBe(1);

  const { engine, results } = engineFor();
  const result = await engine.resume("s").result;

  expect([result.status, results.x!.status]).toEqual(["completed", "success"]);
  expect(repo.read("first.txt")).toBe("by the child\n");
  expect(repo.leftovers()).toEqual([]);
});

test("one that was killed right after the merge finds its changes merged, and reports no conflict", async () => {
  const { repo, engineFor } = await afterCrash("merged");
  expect(repo.read("first.txt")).toBe("by the child\n");

  const { engine, results } = engineFor();
  const result = await engine.resume("s").result;

  expect([result.status, results.x!.status]).toEqual(["completed", "success"]);
  expect(results.x!.details).toMatchObject({ worktree: { merged: true } });
  expect(repo.read("first.txt")).toBe("by the child\n");
  expect(repo.leftovers()).toEqual([]);
});

test("the half-written temporary file of a process that was killed is no change of its sub-agent", async () => {
  const { repo, engineFor, trees } = await afterCrash("writing");
  const isThere = readdirSync(join(repo.trees, trees()[0]!)).some(isTemporaryName);

  const { engine, results } = engineFor();
  await engine.resume("s").result;

  expect(isThere).toBe(true);
  expect(results.x!.details).toMatchObject({ worktree: { merged: true, files: ["first.txt", "second.txt"] } });
  expect([repo.git("status", "--porcelain"), repo.leftovers()]).toEqual(["?? first.txt\n?? second.txt\n", []]);
});

test("its work tree is recorded in the session before it is made", async () => {
  const { sessions } = await afterCrash();

  const entries = await collect(sessions.read("s"));

  const made = entries.find((entry) => entry.type === "custom" && entry.name === "subagents/worktree");
  expect(made).toMatchObject({ data: { agent: "x", branch: expect.stringMatching(/^loopwright\/x-/) } });
});

test("another session's start clears it away, and the session that comes back finds its changes again", async () => {
  const { repo, engineFor, trees } = await afterCrash();

  await engineFor(give("y")).engine.run("something else", { sessionId: "other" });
  const between = [trees(), repo.git("worktree", "list").trim().split("\n").length, repo.read("y.txt")];
  repo.git("gc", "--prune=now", "-q");
  const result = await engineFor().engine.resume("s").result;

  expect(between).toEqual([[], 1, "y\n"]);
  expect(result.status).toBe("completed");
  expect([repo.read("first.txt"), repo.read("second.txt")]).toEqual(["by the child\n", "by the heir\n"]);
  expect([repo.leftovers(), repo.git("for-each-ref", "refs/loopwright").trim()]).toEqual([[], ""]);
});

test("what git ignores is lost with the work tree of a process that died, and the result says so", async () => {
  const { repo, engineFor, trees } = await afterCrash();
  writeFileSync(join(repo.root, ".git", "info", "exclude"), "*.log\n");
  writeFileSync(join(repo.trees, trees()[0]!, "x.log"), "x\n");

  const { engine, results } = engineFor();
  await engine.resume("s").result;

  expect(results.x!.output).toBe(
    "x is done\n\n[Git ignores x.log: they are not handed over, and go with its work tree.]\n\n[Its changes are in your files now: first.txt, second.txt.]",
  );
  expect(repo.leftovers()).toEqual([]);
});

test("a new prompt on its session clears it away, keeps what was only there as a patch, and hears where", async () => {
  for (const moment of ["written", "waiting"] as const) {
    const { repo, engineFor } = await afterCrash(moment);

    const heard: string[] = [];
    const main: Role = ({ messages }) => {
      heard.push(JSON.stringify(messages));
      return text("never mind");
    };
    const { status } = await engineFor(main).engine.run("stop that", { sessionId: "s" });

    const [patch, ...more] = repo.leftovers();
    expect([status, more]).toEqual(["completed", []]);
    expect(heard[0]).toContain(`not in your files. It is kept as a patch: ${join(repo.trees, patch!)}.`);
    expect(readFileSync(join(repo.trees, patch!), "utf8")).toContain("+by the child");
    expect(existsSync(join(repo.root, "first.txt"))).toBe(false);
  }
});

test("a work tree that waits for an answer stays where it is, whoever starts", async () => {
  const { repo, engineFor, trees } = await afterCrash("waiting");

  await engineFor(give("y")).engine.run("something else", { sessionId: "other" });
  const stays = trees();
  await engineFor().engine.endSession("s");

  expect([stays.length, trees(), repo.read("y.txt")]).toEqual([1, [], "y\n"]);
});

test("the lock of a git command that was killed is cleared away, in its work tree and beside it", async () => {
  const [resumed, ended] = [await afterCrash(), await afterCrash()];
  for (const { repo, trees } of [resumed, ended]) {
    const tree = join(repo.trees, trees()[0]!);
    const args = ["-C", tree, "rev-parse", "--git-path", "index.lock"];
    writeFileSync(execFileSync("git", args, { encoding: "utf8" }).trim(), "");
  }
  const begun = repository();
  mkdirSync(begun.trees);
  writeFileSync(join(begun.trees, `${worktreeIdOf({ transcriptId: "s", toolCallId: "x" })}.index.lock`), "");
  const begins = inRepository(begun, { main: give("x"), x: writes("a.txt", "X\n") });

  await Promise.all([
    resumed.engineFor().engine.resume("s").result,
    ended.engineFor().engine.endSession("s"),
    begins.engine.run("go", { sessionId: "s" }),
  ]);

  expect([resumed.repo.read("first.txt"), resumed.repo.leftovers()]).toEqual(["by the child\n", []]);
  const [patch, ...more] = ended.repo.leftovers();
  expect([readFileSync(join(ended.repo.trees, patch!), "utf8").includes("+by the child"), more]).toEqual([true, []]);
  expect([begun.read("a.txt"), begun.leftovers()]).toEqual(["X\n", []]);
}, 60_000);

test("a work tree that git had not filled when it was killed is made anew: what it lacks, nobody has deleted", async () => {
  for (const heir of ["the same session", "another"]) {
    const { repo, engineFor, trees } = await afterCrash();
    const tree = join(repo.trees, trees()[0]!);
    // As git leaves it: locked, with some of the files.
    repo.git("worktree", "lock", tree);
    for (const name of ["first.txt", "b.txt", "sub"]) rmSync(join(tree, name), { recursive: true });
    const [record] = readdirSync(repo.trees).filter((name) => name.endsWith(".json"));
    const about = JSON.parse(readFileSync(join(repo.trees, record!), "utf8"));
    writeFileSync(join(repo.trees, record!), JSON.stringify({ ...about, isMade: false }));

    if (heir === "another") await engineFor(give("y")).engine.run("something else", { sessionId: "other" });
    const { engine, results } = engineFor();
    await engine.resume("s").result;

    expect(about.isMade).toBe(true);
    expect(results.x!.details).toMatchObject({ worktree: { merged: true, files: ["second.txt"] } });
    expect([repo.read("b.txt"), repo.read("sub/c.txt"), repo.leftovers()]).toEqual(["b\n", "c\n", []]);
  }
});

test("the record of a work tree says so while git fills it", async () => {
  const repo = repository();
  const seen = join(repo.root, ".git", "SEEN");
  writeFileSync(join(repo.root, ".git", "info", "attributes"), "a.txt filter=sees\n");
  repo.git("config", "filter.sees.smudge", `cat; cat '${repo.trees}'/*.worktree.json > '${seen}'`);
  const { engine } = inRepository(repo, { main: give("x"), x: writes("b.txt", "X\n") });

  await engine.run("go");

  expect(JSON.parse(readFileSync(seen, "utf8"))).toMatchObject({ state: "working", isMade: false });
});
