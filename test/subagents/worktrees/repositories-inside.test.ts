// A git repository that a sub-agent makes in its work tree: no patch holds it, so it goes nowhere without a word.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BaseTool, EngineOptions } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { tool } from "../../engine/kit.js";
import type { Role } from "../kit.js";
import { give, inRepository, type Repository, repository } from "./kit.js";

function makeRepository(dir: string, ...commands: string[][]): void {
  mkdirSync(dir);
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  for (const args of [["init", "-q"], ...commands]) execFileSync("git", [...identity, ...args], { cwd: dir });
  writeFileSync(join(dir, "file.txt"), "work\n");
}
const COMMIT = ["commit", "-q", "--allow-empty", "-m", "first"];

const makes =
  (...commands: string[][]) =>
  (dir: string) =>
    tool("make", async () => {
      makeRepository(join(dir, "inside"), ...commands);
      writeFileSync(join(dir, "a.txt"), "A\n");
      return "made";
    });
const x: Role = (_request, step) => (step === 0 ? toolCall("make", {}) : text("x is done"));
const recordIn = ({ trees }: Repository) => {
  const [name] = readdirSync(trees).filter((each) => each.endsWith(".worktree.json"));
  return join(trees, name!);
};

test("a repository without a commit is kept with its work tree, as one with commits is", async () => {
  for (const commands of [[], [COMMIT]]) {
    const repo = repository();
    const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, undefined, makes(...commands));

    await engine.run("go", { sessionId: "s" });
    const { path, branch } = (results.x!.details as { worktree: { path: string; branch: string } }).worktree;
    await engine.endSession("s");

    expect(String(results.x!.output)).toContain(`in the work tree "${path}"`);
    expect(readFileSync(join(path, "inside", "file.txt"), "utf8")).toBe("work\n");
    expect(repo.git("show", `${branch}:a.txt`)).toBe("A\n");
    // Once it has been taken out, the session takes the work tree along.
    renameSync(join(path, "inside"), join(repo.root, ".git", "taken"));
    await engine.endSession("s");
    expect([existsSync(path), repo.git("show", `${branch}:a.txt`)]).toEqual([false, "A\n"]);
  }
});

test("one without a commit in the parent's files is no hindrance", async () => {
  const repo = repository();
  makeRepository(join(repo.root, "mine"));
  const writesA = (dir: string) =>
    tool("make", async () => {
      writeFileSync(join(dir, "a.txt"), "A\n");
      return "made";
    });
  const { engine } = inRepository(repo, { main: give("x"), x }, {}, undefined, writesA);

  await engine.run("go", { sessionId: "s" });

  expect([repo.read("a.txt"), repo.read("mine/file.txt"), repo.leftovers()]).toEqual(["A\n", "work\n", []]);
});

test("the work tree of a process that died stays for its session when there is a repository inside", async () => {
  for (const commands of [[], [COMMIT]]) {
    const repo = repository();
    const sessions = createMemorySessionStore();
    const permissions: EngineOptions["permissions"] = {
      decide: ({ tool: asked }) => ({ behavior: (asked as BaseTool).name === "make" ? "ask" : "allow" }),
    };
    const y: Role = (_request, step) => (step === 0 ? toolCall("make", {}) : text("y is done"));
    const asking = inRepository(repo, { main: give("x"), x }, { sessions, permissions }, "keep", makes(...commands));
    const { pending } = await asking.engine.run("go", { sessionId: "s" });
    // As if its process had died when the tool had made the repository.
    const record = JSON.parse(readFileSync(recordIn(repo), "utf8"));
    makeRepository(join(record.path, "inside"), ...commands);
    const owner = { ...record.owner, start: "dead" };
    writeFileSync(recordIn(repo), JSON.stringify({ ...record, state: "working", owner }));

    const other = inRepository(repo, { main: give("y"), y }, {}, undefined, makes());
    await other.engine.run("something else", { sessionId: "other" });
    const between = readFileSync(join(record.path, "inside", "file.txt"), "utf8");
    const again = inRepository(repo, { main: give("x"), x: () => text("done") }, { sessions }, "keep", makes());
    const answers = [{ id: pending[0]!.id, decision: "deny" as const }];
    await again.engine.resume("s", { answers }).result;

    expect([between, JSON.parse(readFileSync(recordIn(repo), "utf8")).state]).toEqual(["work\n", "kept"]);
    expect(String(again.results.x!.output)).toContain(`in the work tree "${record.path}"`);
  }
});
