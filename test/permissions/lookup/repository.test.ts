import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOCAL_DISK } from "../../../src/permissions/lookup/disk-view.js";
import {
  programInSettings,
  readIndex,
  refLikeOption,
  repositoryOf,
} from "../../../src/permissions/lookup/repository.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeEach(async () => {
  files = await filesIn("README.md", "pkg/a.ts", "other/b.ts");
  files.git("init", "-q");
});
afterEach(() => files.close());

const set = (text: string) => appendFileSync(join(files.root, ".git/config"), `\n${text}\n`);

test("git reads in a directory of the same repository like in its root, and in no other", async () => {
  const lines = ["cd pkg && git log", "git -C pkg status", "cd pkg; git diff; cd ..; git status", "git -C . log"];
  expect(await files.others("allow", lines)).toEqual([]);
  files.put("other/.git/HEAD");
  files.link("../outside", "out");
  files.put("bare/HEAD");
  expect(await files.others("ask", ["cd other && git log", "git -C other status", "cd bare && git log"])).toEqual([]);
  expect(await files.others(["ask", "deny"], ["cd out && git log", "git -C out status"])).toEqual([]);
  expect(await files.others(["ask", "deny"], ["git -C pkg diff --no-index ../../outside/x a.ts"])).toEqual([]);
});

test("what is denied below the directory of -C stays denied", async () => {
  const rules = { deny: ["Read(./pkg/**)"] };
  expect(await files.others("deny", ["git -C pkg blame a.ts", "cd pkg && git blame a.ts"], rules)).toEqual([]);
});

test("a directory that is there is entered, so what follows stands in it alone", async () => {
  expect(await files.others("allow", ["cd pkg; ls; cd ..", "cd pkg; cat ../README.md"])).toEqual([]);
  expect(await files.others("ask", ["cd nowhere; cd .."])).toEqual([]);
});

test.each([
  ["[core]\n\tfsmonitor = ./run", "core.fsmonitor"],
  ['[diff "x"]\n\ttextconv = ./run', "diff.x.textconv"],
  ["[diff]\n\texternal=./run", "diff.external"],
  ['[filter "x"]\n\tclean = ./run', "filter.x.clean"],
  ["[core] hooksPath = ~/hooks", "core.hookspath"],
  ["[include]\n\tpath = other", "include.path"],
  ['[man "x"]\n\tcmd = ./run', "man.x.cmd"],
  ["[protocol]\n\tallow = always", "protocol.allow"],
  ['[remote "origin"]\n\tpromisor = true', "remote.origin.promisor"],
  ['[remote "a.b"]\n\tpartialCloneFilter = blob:none', "remote.a.b.partialclonefilter"],
  ["[tool]\n\tcommand = ./run", "tool.command"],
  ['[diff "x"]\n\txfuncname = a\\\n[user]\n\ttextconv = ./run', "xfuncname = a\\"],
  ['[lfs "extension.x"]\n\tclean = ./run', "lfs.extension.x.clean"],
  ["[blame]\n\tignoreRevsFile = ../outside/x", "blame.ignorerevsfile"],
  ["[blame]\n\tignoreRevsFile = README.md", "blame.ignorerevsfile"],
  ["[blame]\n\tignoreRevsFile = ~/revs", "blame.ignorerevsfile"],
  ["[core]\n\tattributesFile = README.md", "core.attributesfile"],
  ['[fetch "fsck"]\n\tskipList = README.md', "fetch.fsck.skiplist"],
  ["[log]\n\tshowSignature = true", "log.showsignature"],
  ["[log]\n\tdiffMerges = remerge", "log.diffmerges"],
  ["[core]\n\tpager = less; ./run", "core.pager"],
  ['[filter "lfs"]\n\tprocess = git-lfs filter-process; ./run', "filter.lfs.process"],
  ['[filter "lfs"]\n\tclean = ./git-lfs clean -- %f', "filter.lfs.clean"],
  ['[lfs "customtransfer.x"]\n\tpath = ./run', "lfs.customtransfer.x.path"],
  ['[merge "x"]\n\tdriver = ./run', "merge.x.driver"],
  ["[hook]\n\tcommand = ./run", "hook.command"],
  ['[core]\n\tbare = false\n"fsmonitor" = ./run', '"fsmonitor" = ./run'],
])("a setting of the repository that names a program makes git ask: %j", async (text, name) => {
  expect(programInSettings(files.root, LOCAL_DISK)).toBe(null);
  set(text);
  expect(programInSettings(join(files.root, "pkg"), LOCAL_DISK)).toBe(name);
  expect(await files.others("ask", ["git status", "git diff", "cd pkg && git log"])).toEqual([]);
  expect(await files.others("allow", ["git status"], { allow: ["Bash(git status)"] })).toEqual([]);
});

test("a hook that git runs while it only looks makes it ask, others do not", async () => {
  files.put(".git/hooks/pre-commit");
  expect(await files.others("allow", ["git status"])).toEqual([]);
  files.put(".git/hooks/post-index-change");
  expect(await files.others("ask", ["git status", "cd pkg && git diff"])).toEqual([]);
});

test("the settings of a submodule count, too, and those of a repository that is not one do not", async () => {
  for (const args of [
    ["init", "-q", "sub"],
    ["-C", "sub", "commit", "-q", "--allow-empty", "-m", "x"],
  ])
    files.git(...args);
  appendFileSync(join(files.root, "sub/.git/config"), "[core]\n\tfsmonitor = ./run\n");
  expect(programInSettings(files.root, LOCAL_DISK)).toBe(null);
  files.git("add", "sub");
  expect(programInSettings(files.root, LOCAL_DISK)).toBe("core.fsmonitor");
  expect(await files.others("ask", ["git status", "git diff"])).toEqual([]);
});

test("another directory for hooks is known, if the one that runs is not in it and the line makes no files", async () => {
  files.put(".husky/pre-commit", ".husky/_/pre-commit", "run.sh");
  for (const path of [".husky", ".husky/_", "/dev/null"]) {
    set(`[core]\n\thooksPath = ${path}`);
    expect([path, await files.others("allow", ["git status", "git diff | head"])]).toEqual([path, []]);
  }
  const lines = ["cp run.sh .husky/post-index-change; git status", "touch a; git status", "git checkout x; git status"];
  expect(await files.others("ask", lines, {}, "acceptEdits")).toEqual([]);
  files.put(".husky/post-index-change");
  expect(programInSettings(files.root, LOCAL_DISK)).toBe("core.hookspath");
  expect(await files.others("ask", ["git status", "git log"])).toEqual([]);
});

test("a submodule's setting for where its files lie is known, if they lie there", () => {
  const modules = join(files.root, ".git/modules/sub");
  files.put("sub/a.ts", ".git/modules/x");
  files.git("-C", "sub", "init", `--separate-git-dir=${modules}`);
  files.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
  for (const [workTree, found] of [
    ["../../../sub", null],
    [join(files.root, "sub"), null],
    ["../../../..", "core.worktree"],
    ["/etc", "core.worktree"],
  ] as const) {
    files.git("config", "--file", join(modules, "config"), "core.worktree", workTree);
    expect([workTree, programInSettings(files.root, LOCAL_DISK)]).toEqual([workTree, found]);
    expect([workTree, programInSettings(join(files.root, "sub"), LOCAL_DISK)]).toEqual([workTree, found]);
  }
});

test("a list of commits that blame leaves out is known by what it holds, not by its name", async () => {
  const write = (text: string) => writeFileSync(join(files.root, ".git-blame-ignore-revs"), text);
  set("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs");
  write(`# formatted\n\n${"a1".repeat(20)} # all\r\n${"B2".repeat(20)}\n`);
  expect(await files.others("allow", ["git blame README.md", "cd pkg && git log"])).toEqual([]);
  for (const text of ["TOKEN=x\n", `${"a1".repeat(20)}\n${"a1".repeat(32)}\n`]) {
    write(text);
    expect(await files.others("ask", ["git blame README.md"])).toEqual([]);
  }
  files.remove(".git-blame-ignore-revs");
  files.link("../outside/x", ".git-blame-ignore-revs");
  expect(await files.others("ask", ["git blame README.md"], { allow: ["Bash"], deny: ["Read(.env)"] })).toEqual([]);
});

test("other settings do not", async () => {
  set(`[core] # of this clone
\tfsmonitor = true\n\tpager = cat\n\tautocrlf = input\n; a note\n[user]\n\tname = a
[remote "origin"]\n\turl = x\n\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "a.b"]\n\tremote = origin\n\tvscode-merge-base = origin/main\n[pull]\n\trebase = true\n[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n[lfs]\n\trepositoryformatversion = 0\n[diff "x"]\n\txfuncname = y`);
  expect(programInSettings(files.root, LOCAL_DISK)).toBe(null);
  expect(await files.others("allow", ["git status"])).toEqual([]);
});

test.each([
  '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n[lfs]\n\tlocksverify = false',
  "[core]\n\tsshCommand = ssh -i ~/.ssh/deploy_key\n\tpager = less -FRX\n[pager]\n\tdiff = delta",
  '[gitflow "branch"]\n\tmaster = main\n[oh-my-zsh]\n\thide-status = 1\n[git-town]\n\tmain-branch = main',
  '[merge "ours"]\n\tdriver = true',
])("what is kept for large files, connections, pagers and other tools is known: %j", async (text) => {
  set(text);
  expect(programInSettings(files.root, LOCAL_DISK)).toBe(null);
  expect(await files.others("allow", ["git status", "git diff"])).toEqual([]);
});

test("the repository of a directory is the nearest one", () => {
  files.put("other/.git/HEAD");
  expect(repositoryOf(join(files.root, "pkg"), LOCAL_DISK)).toBe(files.root);
  expect(repositoryOf(join(files.root, "other"), LOCAL_DISK)).toBe(join(files.root, "other"));
});

const TAKE_REFS = [
  "git log $(git describe --tags)",
  "for t in $(git tag); do git show $t; done",
  'git diff "$(git tag | head -1)"',
];

test("names of branches and tags become words, unless one of them looks like an option", async () => {
  files.git("commit", "-q", "--allow-empty", "-m", "a");
  files.git("tag", "v1");
  expect(await files.others("allow", TAKE_REFS)).toEqual([]);
  files.git("update-ref", "refs/tags/--output=src/new", "HEAD");
  expect(refLikeOption(files.root, LOCAL_DISK)).toBe("--output=src");
  expect(await files.others("ask", TAKE_REFS)).toEqual([]);
  expect(await files.others("ask", TAKE_REFS, { allow: ["Bash(git:*)"] })).toEqual([]);
  expect(await files.others("allow", ["git log $(git rev-parse HEAD)", "git tag"])).toEqual([]);
  expect(files.isReadOnly("git log $(git rev-parse HEAD)")).toBe(true);
  expect(files.isReadOnly(TAKE_REFS[0]!)).toBe(false);
});

test.each(["refs/tags/-x", "refs/heads/--output=new", "refs/remotes/-x/main", "refs/-x"])(
  "a name that looks like an option is found wherever it is kept: %s",
  (name) => {
    files.git("commit", "-q", "--allow-empty", "-m", "a");
    expect(refLikeOption(files.root, LOCAL_DISK)).toBe(null);
    files.git("update-ref", name, "HEAD");
    expect(refLikeOption(files.root, LOCAL_DISK)).toMatch(/^-/);
    files.git("pack-refs", "--all");
    expect(refLikeOption(files.root, LOCAL_DISK)).toMatch(/^-/);
  },
);

test("a branch that looks like an option is found before it has a commit", () => {
  files.git("symbolic-ref", "HEAD", "refs/heads/--output=new");
  expect(refLikeOption(files.root, LOCAL_DISK)).toBe("--output=new");
});

test.each(["2", "4"])("an index of version %s holds the names that git lists", (version) => {
  files.put(
    "a",
    "a.b",
    "link/hyperlink/x",
    "deep/er/x.ts",
    "deep/er/y.ts",
    "deep/z",
    "é/ß 1",
    `${"long/".repeat(60)}name`,
  );
  files.git("add", "-A");
  files.git("commit", "-q", "-m", "a");
  files.git("update-index", "--index-version", version);
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: files.root, encoding: "utf8" });
  expect(readIndex(files.root, LOCAL_DISK)?.names).toEqual(listed.split("\0").filter(Boolean));
});

test("an index that keeps names elsewhere is not known", () => {
  files.git("add", "-A");
  files.git("update-index", "--split-index");
  expect(readIndex(files.root, LOCAL_DISK)).toBe(null);
});
