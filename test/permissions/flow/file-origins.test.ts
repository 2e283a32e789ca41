// Which files count as the user's: what git tracked when the first call was decided, as far as nothing untrusted was written into it.
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject, Label, Workspace } from "../../../src/index.js";
import { createPermissionChecker, type FlowOptions } from "../../../src/permissions/index.js";
import { createWorkspace, localMachine } from "../../../src/workspace/index.js";
import { git, repository } from "../../flow/repository.js";
import { openMachine } from "../../workspace/machines/open-machine.js";

async function opened(root: string): Promise<Workspace> {
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  return workspace;
}

const TRUSTED: Label = { integrity: "trusted", audience: "anyone", sources: [] };
const PAGE: Label = {
  ...TRUSTED,
  integrity: "untrusted",
  sources: [{ kind: "web", name: "x.example", untrusted: true }],
};

/** A checker of its own for the workspace, which says how far the result of a call is trusted: of a line, or of a file that is read. */
function judging(workspace: Workspace, flow: FlowOptions = {}) {
  const checker = createPermissionChecker({ workspace, rules: { allow: ["Bash", "Read", "Write", "Edit"] }, flow });
  const asked = (tool: string, input: JsonObject, context = TRUSTED) => ({ tool, input, context, sessionId: "s" });
  // Without consequences: no line writes for the next.
  const judged = async (tool: string, input: JsonObject) =>
    (await checker.explain(asked(tool, input))).decision.label?.integrity;
  return {
    decide: (tool: string, input: JsonObject, context?: Label) => checker.decide(asked(tool, input, context)),
    file: (path: string, tool = "read_file") => judged(tool, { path }),
    line: (command: string) => judged("bash", { command }),
  };
}

/** The files, or lines, that are trusted, of all. */
async function trusted(
  all: readonly string[],
  judge: (each: string) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  for (const each of all) if ((await judge(each)) === "trusted") found.push(each);
  return found;
}

test("what git tracked when the first call was decided is trusted, changed or not; all else is not", async () => {
  const { root, put, git } = repository(
    "README.md",
    "src/a.ts",
    "node_modules/p/index.js",
    "vendor/v.go",
    ".gitignore",
  );
  put("README.md", "changed before\n");
  put("new.md");
  put("later.md");
  const { file } = judging(await opened(root));

  const all = ["README.md", "src/a.ts", "new.md", "node_modules/p/index.js", "vendor/v.go", "readme.md", "gone.md"];
  expect(await trusted(all, file)).toEqual(["README.md", "src/a.ts"]);
  put("src/a.ts", "changed since\n");
  git("add", "later.md");
  expect(await trusted(["src/a.ts", "later.md"], file)).toEqual(["src/a.ts"]);
  // Another opening is another matter.
  expect(await trusted(["later.md"], judging(await opened(root)).file)).toEqual(["later.md"]);
});

test("a line is trusted when all files that it shows are; a search, when all that it looks into are; names count as the project's", async () => {
  const { root, put } = repository(
    "README.md",
    "src/a.ts",
    "src/b.ts",
    "package.json",
    ".gitignore",
    "scripts/gen.mjs",
  );
  put("new.md");
  put("new.mjs");
  put("lib/c.ts");
  const { line, file } = judging(await opened(root));

  const fine = [
    ...[
      "cat README.md",
      "cat src/*.ts",
      "head -5 src/a.ts | grep x",
      "wc -l < README.md",
      "grep -rn x src",
      "rg x src",
    ],
    ...[
      "ls -la",
      "find . -name '*.md'",
      "git log -3",
      "git diff",
      "git status",
      "date",
      "npm test",
      "node scripts/gen.mjs",
    ],
    ...[
      "cp README.md copy.md",
      "sed -n 1,5p README.md",
      "git ls-files | xargs grep x",
      "for f in src/*; do cat $f; done",
    ],
  ];
  const foul = [
    ...[
      "cat new.md",
      "cat *.md",
      "cat $x",
      "wc -l < new.md",
      "head -5 README.md new.md",
      "grep -rn x .",
      "rg x",
      "node new.mjs",
    ],
    ...[
      "ln -f new.md README.md",
      "dd if=new.md of=README.md",
      "install new.md README.md",
      "cat new.md | tee README.md",
      "patch -p1 < new.md",
      "git apply new.md",
      "rsync -a lib/ src/",
      "tar xf new.md",
      "cat < new.md > README.md",
      "cp new.md README.md",
      "mv new.md README.md",
      "mv lib src",
      "cp -r lib src",
      "sed -n 1p new.md",
      "diff -r lib src",
    ],
    ...[
      "find . -name '*.md' | xargs cat",
      "cat /etc/passwd",
      "cat src/../new.md",
      "ls node_modules",
      "for f in *.md; do cat $f; done",
    ],
  ];
  expect(await trusted(fine, line)).toEqual(fine);
  expect(await trusted(foul, line)).toEqual([]);
  const search = (path: string) => file(path, "grep");
  expect(await trusted(["src", "README.md", "lib", "."], search)).toEqual(["src", "README.md"]);
  expect(await trusted([".", "src", "node_modules"], (path) => file(path, "list_dir"))).toEqual([".", "src"]);
  // An edit that does not fit says how the file is.
  expect(await trusted(["README.md", "new.md"], (path) => file(path, "edit_file"))).toEqual(["README.md"]);
});

test("what git ignores is no part of a search that leaves it out, and no file of the user's", async () => {
  const { root, put } = repository(".gitignore", "src/a.ts");
  put(".gitignore", "dist\n*.log\n");
  put("dist/out.js");
  put("a.log");
  const { line, file } = judging(await opened(root));

  const lines = ["rg x", "rg -g '*.ts' x", "rg -u x", "rg --no-ignore x", "grep -rn x .", "cat a.log", "rg x dist"];
  expect(await trusted(lines, line)).toEqual(["rg x"]);
  expect(await file(".", "grep")).toBe("trusted");
  expect(await file("dist", "grep")).toBe("untrusted");
});

test("a search of more files than are looked through is trusted where git tracks them all", async () => {
  const { root, put, git } = repository("README.md");
  mkdirSync(join(root, "many"));
  for (let at = 0; at < 20_010; at++) writeFileSync(join(root, "many", `${at}.txt`), "");
  git("add", "many");
  const { file } = judging(await opened(root));

  expect(await file(".", "grep")).toBe("trusted");
  put("many/new.txt");
  expect(await file(".", "grep")).toBe("untrusted");
});

test("a workspace that is somebody's vendored directory has files of its own, and packages below it", async () => {
  const { root } = repository("vendor/app/a.ts", "vendor/app/vendor/b.ts", "vendor/lib/c.ts");
  const { file } = judging(await opened(join(root, "vendor/app")));

  expect(await trusted(["a.ts", "vendor/b.ts"], (path) => file(path))).toEqual(["a.ts"]);
});

test("a link is as trusted as what it leads to, and a search that follows links as what all of them lead to", async () => {
  const { home, root, put, git } = repository("src/a.ts");
  writeFileSync(join(home, "outside.md"), "content\n");
  put("new.md");
  symlinkSync("src/a.ts", join(root, "fine.md"));
  symlinkSync("../new.md", join(root, "src/foul.md"));
  symlinkSync("nowhere.md", join(root, "src/later.md"));
  symlinkSync("../outside.md", join(root, "out.md"));
  git("add", "fine.md", "src/foul.md", "src/later.md", "out.md");
  const { line, file } = judging(await opened(root));

  expect(await trusted(["fine.md", "src/foul.md", "src/later.md", "out.md"], file)).toEqual(["fine.md"]);
  const lines = ["cat fine.md", "cat src/foul.md", "cat src/later.md", "cat src/*", "grep -r x src", "grep -R x src"];
  expect(await trusted(lines, line)).toEqual(["cat fine.md", "grep -r x src"]);
});

test("a directory of a repository and a work tree have its index; a submodule and a repository inside have none for the outer one", async () => {
  const { home, root, put, git: inRoot } = repository("README.md", "pkg/a/x.md");
  git(join(home), "clone", "-q", "app", "lib");
  inRoot("submodule", "add", "-q", join(home, "lib"), "sub");
  inRoot("commit", "-q", "-m", "sub");
  git(root, "clone", "-q", join(home, "lib"), "nested");
  inRoot("worktree", "add", "-q", join(home, "tree"), "HEAD~1");
  writeFileSync(join(home, "tree/new.md"), "content\n");
  put("pkg/a/new.md");

  const outer = judging(await opened(root));
  expect(await trusted(["README.md", "sub/README.md", "nested/README.md"], outer.file)).toEqual(["README.md"]);
  const lines = [
    "git log",
    "git -C pkg log",
    "cd pkg && git diff -- a",
    "git -C nested log",
    "cd sub && git show HEAD:README.md",
    "git -C ../lib log",
  ];
  expect(await trusted(lines, outer.line)).toEqual(["git log", "git -C pkg log", "cd pkg && git diff -- a"]);
  const inner = judging(await opened(join(root, "pkg/a")));
  expect(await trusted(["x.md", "new.md", "../../README.md"], inner.file)).toEqual(["x.md"]);
  expect(await trusted(["README.md"], judging(await opened(join(root, "sub"))).file)).toEqual(["README.md"]);
  expect(await trusted(["README.md", "new.md"], judging(await opened(join(home, "tree"))).file)).toEqual(["README.md"]);
});

test("without an index that can be believed no file is trusted, and the question says so", async () => {
  const { home, root, git: inRoot } = repository("README.md");
  const said = async () => {
    const { file, line, decide } = judging(await opened(root));
    const lines = ["cat README.md", "ls", "git log", "npm test", "grep -r x ."];
    expect(await file("README.md")).toBe("untrusted");
    expect(await file(".", "list_dir")).toBe("untrusted");
    expect(await trusted([...lines, "date"], line)).toEqual(["date"]);
    const origin = (target: object) => ({ ...target, known: "unknown" });
    const sources = [{ kind: "workspace", name: "README.md", untrusted: true }];
    const context = { ...PAGE, sources } as Label;
    const answer = await createPermissionChecker({
      workspace: await opened(root),
      rules: { allow: ["Bash"] },
      flow: {},
    }).decide({ tool: "bash", input: { command: "npm test" }, context, origin } as never);
    await decide("bash", { command: "date" });
    return answer.reason;
  };
  const index = join(root, ".git/index");
  const whole = readFileSync(index);

  writeFileSync(index, whole.subarray(0, 40));
  expect(await said()).toContain("No file here counts as yours: git's index is missing, or cannot be read.");
  writeFileSync(index, whole);
  inRoot("update-index", "--split-index");
  expect(await said()).toContain("git's index is missing, or cannot be read");
  inRoot("update-index", "--no-split-index");
  const somebody = vi.spyOn(process as Required<typeof process>, "getuid").mockReturnValue(54_321);
  expect(await said()).toContain("their git repository is somebody else's");
  somebody.mockRestore();
  expect(await judging(await opened(root)).file("README.md")).toBe("trusted");
  rmSync(index);
  expect(await said()).toContain("git's index is missing");
  rmSync(join(root, ".git"), { recursive: true });
  expect(await said()).toContain("they are in no git repository");
  expect(home).not.toBe(root);
});

test("the host may say otherwise of files and lines, and what was written from a page stays the page's", async () => {
  const { root } = repository("README.md");
  rmSync(join(root, ".git"), { recursive: true });
  const { file, line, decide } = judging(await opened(root), { trusted: ["workspace:*", "command:*"] });

  expect(await file("README.md")).toBe("trusted");
  expect(await line("cat README.md")).toBe("trusted");
  await decide("write_file", { path: "README.md", content: "Write to eve." }, PAGE);
  expect(await file("README.md")).toBe("untrusted");
  expect(await line("cat README.md")).toBe("untrusted");
});

test("a new file that a session has written from trusted content alone is trusted, and one that it was only to write is not", async () => {
  const { root, put } = repository("README.md");
  const workspace = await opened(root);
  const { file, decide } = judging(workspace);
  put("asked.md", "Write to eve.");
  await decide("write_file", { path: "asked.md", content: "x" });
  expect(await file("asked.md")).toBe("untrusted");

  await decide("write_file", { path: "own.md", content: "x" });
  put("own.md", "x");
  const how = { access: "write", agentPath: [], at: Date.now(), lines: 1 } as const;
  workspace.fileState.note("s", join(root, "own.md"), "digest", undefined, "all", how);
  expect(await file("own.md")).toBe("trusted");
  await decide("edit_file", { path: "own.md" }, PAGE);
  expect(await file("own.md")).toBe("untrusted");
});

test("on another machine its own git says what is tracked, and keeps the record", async () => {
  const { root, put } = repository("README.md", "src/a.ts");
  put("new.md");
  const there = () => openMachine(localMachine(), { root });
  const first = judging(await there());

  expect(await trusted(["README.md", "src/a.ts", "new.md"], first.file)).toEqual(["README.md", "src/a.ts"]);
  const lines = ["cat README.md", "cat new.md", "grep -rn x src", "grep -rn x .", "cat src/*.ts", "npm test"];
  expect(await trusted(lines, first.line)).toEqual(["cat README.md", "grep -rn x src", "cat src/*.ts", "npm test"]);
  await first.decide("write_file", { path: "src/a.ts", content: "it's" }, PAGE);
  for (const each of [first, judging(await there()), judging(await opened(root))])
    expect(await trusted(["README.md", "src/a.ts"], each.file)).toEqual(["README.md"]);
});

test("the record is read by processes that are open already; a line that nobody understands is about every file", async () => {
  const { root } = repository("README.md", "src/a.ts");
  const [one, other] = [judging(await opened(root)), judging(await opened(root))];
  expect(await other.file("src/a.ts")).toBe("trusted");

  await one.decide("edit_file", { path: "src/a.ts" }, PAGE);
  expect(await trusted(["README.md", "src/a.ts"], other.file)).toEqual(["README.md"]);
  expect(await trusted(["cat README.md", "cat src/a.ts", "npm test"], other.line)).toEqual(["cat README.md"]);
  expect((await other.decide("bash", { command: "rm .git/loopwright-untrusted" })).behavior).toBe("deny");
  expect((await other.decide("bash", { command: "echo > .git/loopwright-untrusted" })).behavior).toBe("deny");

  appendFileSync(join(root, ".git/loopwright-untrusted"), "{cut");
  expect(await other.file("README.md")).toBe("untrusted");
  rmSync(join(root, ".git/loopwright-untrusted"));
  expect(await trusted(["README.md", "src/a.ts"], judging(await opened(root)).file)).toEqual(["README.md", "src/a.ts"]);
});

test("a link in the place of the record is not written through", async () => {
  const { home, root } = repository("README.md");
  const [elsewhere, record] = [join(home, ".bashrc"), join(root, ".git/loopwright-untrusted")];
  writeFileSync(elsewhere, "");
  symlinkSync(elsewhere, record);
  for (const workspace of [await opened(root), await openMachine(localMachine(), { root })]) {
    const { behavior } = await judging(workspace).decide("write_file", { path: "README.md", content: "x" }, PAGE);
    expect(behavior).toBe("deny");
  }
  expect(readFileSync(elsewhere, "utf8")).toBe("");
});

test("where the record cannot be written, a call that writes from untrusted content is denied", async () => {
  const { root } = repository("README.md");
  const { decide } = judging(await opened(root));
  await decide("read_file", { path: "README.md" });
  rmSync(join(root, ".git"), { recursive: true });

  const { behavior, reason } = await decide("write_file", { path: "README.md", content: "x" }, PAGE);
  expect(behavior).toBe("deny");
  expect(reason).toContain("loopwright-untrusted");
});
