import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BaseTool, EngineOptions } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import type { WorktreeOptions } from "../../../src/subagents/index.js";
import { tool } from "../../engine/kit.js";
import { temporaryDirectory } from "../../sessions/kit.js";
import type { Role } from "../kit.js";
import { BASE, give, inRepository, repository, writes } from "./kit.js";

test("three sub-agents change one repository side by side, and all of it is merged, nothing left behind", async () => {
  const repo = repository();
  writeFileSync(join(repo.root, "b.txt"), "mine, uncommitted\n");
  const { engine, results } = inRepository(repo, {
    main: give("x", "y", "z"),
    x: writes("a.txt", "ONE\ntwo\nthree\n"),
    y: writes("new.txt", "new\n"),
    z: writes("sub/c.txt", "C\n"),
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("completed");
  expect(["a.txt", "new.txt", "sub/c.txt", "b.txt"].map(repo.read)).toEqual([
    "ONE\ntwo\nthree\n",
    "new\n",
    "C\n",
    "mine, uncommitted\n",
  ]);
  expect(results.x!.output).toBe("a.txt is done\n\n[Its changes are in your files now: a.txt.]");
  expect(results.y!.details).toMatchObject({ worktree: { merged: true, files: ["new.txt"] } });
  expect([repo.leftovers(), existsSync(join(repo.root, ".git", "RAN"))]).toEqual([[], false]);
  expect(repo.git("log", "--oneline").trim().split("\n").length).toBe(1);
});

test.each([
  ["diff.noprefix", "true"],
  ["diff.context", "0"],
  ["diff.mnemonicPrefix", "true"],
])("changes are merged where the user has set %s to %s", async (name, value) => {
  const repo = repository();
  repo.git("config", name, value);
  const { engine } = inRepository(repo, { main: give("x"), x: writes("a.txt", "one\nTWO\nthree\n") });

  await engine.run("go", { sessionId: "s" });

  expect([repo.read("a.txt"), repo.leftovers()]).toEqual(["one\nTWO\nthree\n", []]);
});

test("a sub-agent goes on with the parent's uncommitted work, new files included, and the index stays as it is", async () => {
  const repo = repository();
  writeFileSync(join(repo.root, "b.txt"), "staged\n");
  repo.git("add", "b.txt");
  writeFileSync(join(repo.root, "b.txt"), "staged and changed\n");
  writeFileSync(join(repo.root, "new.txt"), "new\n");
  rmSync(join(repo.root, "sub", "c.txt"));
  const before = [repo.git("status", "--porcelain"), repo.git("stash", "list")];
  const seen: string[] = [];
  const sees = (dir: string) =>
    tool("see", async () => {
      const files = readdirSync(dir).sort();
      seen.push(files.filter((name) => name !== ".git").join(), readFileSync(join(dir, "b.txt"), "utf8"));
      writeFileSync(join(dir, "new.txt"), "new, and more\n");
      return "seen";
    });
  const x: Role = (_request, step) => (step === 0 ? toolCall("see", {}) : text("done"));
  const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, undefined, sees);

  await engine.run("go");

  expect(seen).toEqual(["a.txt,b.txt,new.txt", "staged and changed\n"]);
  expect(results.x!.details).toMatchObject({ worktree: { merged: true, files: ["new.txt"] } });
  expect([repo.git("status", "--porcelain"), repo.git("stash", "list")]).toEqual(before);
  expect([repo.read("new.txt"), repo.leftovers()]).toEqual(["new, and more\n", []]);
});

test("a file that a process is writing, or has left half-written, in the parent's directory is not the sub-agent's", async () => {
  const repo = repository();
  const temporary = ".loopwright-0123456789abcdef.tmp";
  writeFileSync(join(repo.root, "sub", temporary), "half");
  const seen: string[] = [];
  const sees = (dir: string) => tool("see", async () => seen.push(...readdirSync(join(dir, "sub"))));
  const x: Role = (_request, step) => (step === 0 ? toolCall("see", {}) : text("done"));
  const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, undefined, sees);

  await engine.run("go");

  expect(seen).toEqual(["c.txt"]);
  expect(results.x!.output).toBe("done\n\n[It changed no files.]");
  expect(repo.read(`sub/${temporary}`)).toBe("half");
});

test("a repository that a sub-agent makes in its work tree is kept with it, since no patch could hold it", async () => {
  const repo = repository();
  repo.git("config", "diff.ignoreSubmodules", "all");
  const makes = (dir: string) =>
    tool("make", async () => {
      const inside = join(dir, "inside");
      for (const args of [
        ["init", "-q", inside],
        ["-C", inside, "commit", "-q", "--allow-empty", "-m", "first"],
      ]) {
        repo.git(...args);
      }
      writeFileSync(join(inside, "file.txt"), "work\n");
      return "made";
    });
  const x: Role = (_request, step) => (step === 0 ? toolCall("make", {}) : text("done"));
  const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, undefined, makes);

  await engine.run("go", { sessionId: "s" });

  const { path } = (results.x!.details as { worktree: { path: string } }).worktree;
  expect(readFileSync(join(path, "inside", "file.txt"), "utf8")).toBe("work\n");
  expect(String(results.x!.output)).toContain(
    "hold a repository, which is in the work tree alone; they are committed to the branch",
  );
});

test("changes that conflict are reported and handed back as a patch, and nothing is overwritten", async () => {
  const repo = repository();
  const { engine, results, artifacts } = inRepository(repo, {
    main: give("x", "y"),
    x: writes("a.txt", "from x\ntwo\nthree\n"),
    y: writes("a.txt", "from y\ntwo\nthree\n"),
  });

  await engine.run("go", { sessionId: "s" });

  const [merged, refused] = [results.x!, results.y!].sort((a) => (String(a.output).includes("in your files") ? -1 : 1));
  expect(String(merged!.output)).toContain("[Its changes are in your files now: a.txt.]");
  expect(String(refused!.output)).toMatch(
    /WORKTREE_CONFLICT\), and nothing was changed: a\.txt.*patch: \/artifacts\/1\./,
  );
  expect(refused!.details).toMatchObject({ worktree: { merged: false, code: "WORKTREE_CONFLICT" } });
  expect(repo.read("a.txt")).toMatch(/^from [xy]\ntwo\nthree\n$/);
  expect(artifacts[0]).toMatch(/^diff --git a\/a\.txt b\/a\.txt[\s\S]*\+from [xy]\n/);
  expect(repo.leftovers()).toEqual([]);
});

test("merges that do not know of each other, as those of two processes, take turns", async () => {
  const repo = repository();
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n}`);
  const content = (changed: readonly number[]) =>
    `${lines.map((line, n) => (changed.includes(n) ? `${line} changed` : line)).join("\n")}\n`;
  writeFileSync(join(repo.root, "a.txt"), content([]));
  const places = [10, 30, 50, 70];

  const ended = await Promise.all(
    places.map(async (place) => {
      const { engine, results } = inRepository(repo, { main: give("x"), x: writes("a.txt", content([place])) });
      await engine.run("go");
      await engine.close();
      return results.x!.details;
    }),
  );

  expect(ended).toMatchObject(places.map(() => ({ worktree: { merged: true } })));
  expect(repo.read("a.txt")).toBe(content(places));
  expect(existsSync(join(repo.root, ".git", "loopwright-worktrees.lock"))).toBe(false);
});

test("a patch is handed back instead, when asked for or when the sub-agent did not finish", async () => {
  for (const [changes, roles] of [
    ["patch", { main: give("x"), x: writes("a.txt", "X\n") }],
    [
      "merge",
      { main: give("x"), x: (_r: unknown, step: number) => toolCall("write", { name: "a.txt", content: `${step}\n` }) },
    ],
  ] as [WorktreeOptions["changes"], Record<string, Role>][]) {
    const repo = repository();
    const { engine, results, artifacts } = inRepository(repo, roles, {}, changes);

    await engine.run("go", { sessionId: "s" });

    expect(String(results.x!.output)).toContain("are kept as a patch: /artifacts/1. They are not in your files.");
    expect([repo.read("a.txt"), artifacts.length, repo.leftovers()]).toEqual([BASE["a.txt"], 1, []]);
  }
});

test("a patch that lies outside the workspace is in the result, up to 15,000 characters, as the model is asked to read it", async () => {
  const long = `${Array.from({ length: 3_000 }, (_, n) => `line ${n}`).join("\n")}\n`;
  for (const changes of ["patch", "keep"] as const) {
    const repo = repository();
    const roles = { main: give("x", "y"), x: writes("a.txt", "X\n"), y: writes("long.txt", long) };
    const { engine, results } = inRepository(repo, roles, { artifacts: undefined }, changes);

    await engine.run("go", { sessionId: "s" });

    expect(String(results.x!.output)).toMatch(/diff --git a\/a\.txt b\/a\.txt[\s\S]*\+X\n/);
    expect(String(results.x!.output)).not.toContain("left out");
    expect(String(results.y!.output)).toMatch(
      /\+line 0\n[\s\S]*\[… \d+ characters are left out; ask the user for the rest/,
    );
    await engine.endSession("s");
  }
});

test("kept changes are committed to a branch, whose work tree stays until the session is ended", async () => {
  const repo = repository();
  const { engine, results } = inRepository(repo, { main: give("x"), x: writes("a.txt", "X\n") }, {}, "keep");

  await engine.run("go", { sessionId: "s" });

  const { branch, path } = (results.x!.details as { worktree: { branch: string; path: string } }).worktree;
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("X\n");
  await engine.endSession("s");
  expect(existsSync(path)).toBe(false);
  expect(repo.git("show", `${branch}:a.txt`)).toBe("X\n");
  expect(repo.read("a.txt")).toBe(BASE["a.txt"]);
});

test("a sub-agent that changes nothing leaves nothing", async () => {
  const repo = repository();
  const { engine, results } = inRepository(repo, { main: give("x"), x: () => text("looked around") });

  await engine.run("go");

  expect(results.x!.output).toBe("looked around\n\n[It changed no files.]");
  expect(repo.leftovers()).toEqual([]);
});

test("one that waits for an approval goes on in its own work tree, in another engine", async () => {
  const repo = repository();
  const sessions = createMemorySessionStore();
  const roles: Record<string, Role> = {
    main: give("x"),
    x: (_request, step) =>
      step < 2 ? toolCall("write", { name: `${step}.txt`, content: `${step}\n` }) : text("both are written"),
  };
  let asks = 0;
  const more: Partial<EngineOptions> = {
    sessions,
    permissions: {
      decide: ({ tool, input }) =>
        (tool as BaseTool).name === "write" && Reflect.get(input as object, "name") === "1.txt" && ++asks > 0
          ? { behavior: "ask" }
          : { behavior: "allow" },
    },
  };

  const first = await inRepository(repo, roles, more).engine.run("go", { sessionId: "s" });
  const during = repo.leftovers().length;
  const { engine } = inRepository(repo, roles, more);
  const result = await engine.resume("s", { answers: [{ id: first.pending[0]!.id, decision: "allow" }] }).result;

  expect([first.status, during > 0]).toEqual(["needs-approval", true]);
  expect(result.status).toBe("completed");
  expect([repo.read("0.txt"), repo.read("1.txt"), repo.leftovers()]).toEqual(["0\n", "1\n", []]);
});

test("a session that is ended takes its work trees along, and keeps what was only there as a patch", async () => {
  const repo = repository();
  const { engine } = inRepository(
    repo,
    {
      main: give("x"),
      x: (_request, step) => toolCall("write", { name: step === 0 ? "a.txt" : "asked.txt", content: "half\n" }),
    },
    {
      permissions: {
        decide: ({ input }) => ({ behavior: Reflect.get(input as object, "name") === "asked.txt" ? "ask" : "allow" }),
      },
    },
  );
  const { status } = await engine.run("go", { sessionId: "s" });

  await engine.endSession("other");
  const before = repo.leftovers().length;
  await engine.endSession("s");

  expect([status, before]).toEqual(["needs-approval", 4]);
  const [patch, ...more] = repo.leftovers();
  expect(more).toEqual([]);
  expect(readFileSync(join(repo.trees, patch!), "utf8")).toContain("+half");
  expect(repo.read("a.txt")).toBe(BASE["a.txt"]);
});

test("what a crash leaves half made is cleared away with its session", async () => {
  const repo = repository();
  const sessions = createMemorySessionStore();
  const roles = { main: give("x"), x: writes("a.txt", "X\n") };
  const crashing = inRepository(repo, roles, { sessions, permissions: { decide: () => ({ behavior: "ask" }) } });
  const { pending } = await crashing.engine.run("go", { sessionId: "s" });
  // The same call makes the same work tree: it is recorded, its branch is there, its directory is half written.
  const ended = inRepository(repo, roles, { sessions, permissions: { decide: () => ({ behavior: "allow" }) } }, "keep");
  const answers = [{ id: pending[0]!.id, decision: "allow" as const }];
  await ended.engine.resume("s", { answers }).result;
  const [record] = readdirSync(repo.trees).filter((name) => name.endsWith(".json"));
  const { path } = JSON.parse(readFileSync(join(repo.trees, record!), "utf8"));
  rmSync(join(path, ".git"));

  await inRepository(repo, roles, { sessions }).engine.endSession("s");

  expect(existsSync(path)).toBe(false);
  expect(repo.git("worktree", "list").trim().split("\n").length).toBe(1);
});

test("an abort leaves no work tree once the run is idle, and its result names the patch of the half-done work", async () => {
  const repo = repository();
  let abort = () => {};
  const works = (dir: string) =>
    tool("work", (_input, { signal }) => {
      writeFileSync(join(dir, "a.txt"), "half\n");
      setImmediate(() => abort());
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
    });
  const x: Role = () => toolCall("work", {});
  const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, undefined, works);
  const run = engine.stream("go");
  abort = () => run.abort("enough");

  const { status } = await run.result;
  await run.idle;

  const [patch, ...more] = repo.leftovers();
  expect([status, results.x!.status, more]).toEqual(["aborted", "aborted", []]);
  const path = join(repo.trees, patch!);
  expect(readFileSync(path, "utf8")).toContain("+half");
  expect(String(results.x!.output)).toContain(`kept as a patch, if it made any: ${path}.`);
});

test("hooks can make the work tree themselves, and hear of its end", async () => {
  const repo = repository();
  const own = join(temporaryDirectory(), "own");
  const heard: string[] = [];
  const { engine } = inRepository(
    repo,
    { main: give("x"), x: writes("a.txt", "X\n") },
    {
      hooks: {
        WorktreeCreate: [
          {
            run: ({ name }) => {
              heard.push(name.replace(/-[0-9a-f]+$/, ""));
              repo.git("worktree", "add", "-q", "--detach", own);
              return { worktreePath: own };
            },
          },
        ],
        WorktreeRemove: [{ run: ({ worktreePath }) => void heard.push(worktreePath) }],
      },
    },
  );

  await engine.run("go");

  expect(heard).toEqual(["x", own]);
  expect([repo.read("a.txt"), existsSync(own)]).toEqual(["X\n", true]);
});

test("without a repository, or without the option, the sub-agent is not started", async () => {
  const root = temporaryDirectory();
  const bare = { ...repository(), root };
  const { engine, results } = inRepository(bare, { main: give("x"), x: writes("a.txt", "X\n") });

  await engine.run("go");

  expect(results.x).toMatchObject({ isError: true, output: expect.stringContaining("not in a git repository") });
  expect(existsSync(join(root, "a.txt"))).toBe(false);
});
