// What git shows of tracked files without naming them, while rules deny some of these.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { type Files, filesIn } from "../files-kit.js";
import { bash } from "../kit.js";

let files: Files;
beforeAll(async () => {
  files = await filesIn(".env", "README.md", "src/a.ts", "src/gen/x.ts", "foo/b.ts");
  files.git("init", "-q", "-b", "main");
  files.git("add", "-A");
  files.git("commit", "-q", "-m", "a");
});
afterAll(() => files.close());

const SHOWING = [
  "git diff",
  "git diff HEAD~1",
  "git diff -- ':!src'",
  "git diff --stat -p",
  "git diff -- . --stat",
  "git diff -S --stat",
  "git grep -e -l",
  "git diff .",
  "git show",
  "git log -p",
  "git log -p -S README.md",
  "git log -p --author src",
  "git grep x",
  "git grep README.md",
  "git grep -e src",
  "git archive HEAD",
  "git archive -o /dev/null HEAD",
  "git format-patch -1 --stdout",
  "git stash show -p",
  "git diff-tree -p HEAD",
  "git -C src diff",
  "git status -v",
  "git stash list -p",
  "git rebase --show-current-patch",
  "git cat-file --batch <<< HEAD:.env",
  "git rev-parse HEAD:.env | xargs git cat-file -p",
];
const PLAIN = [
  "git status",
  "git log --oneline -5",
  "git diff --stat",
  "git diff --name-only HEAD~1",
  "git diff -- src",
  "git diff README.md",
  "git log -p -- src",
  "git grep -l x",
  "git grep x src",
  "git show HEAD:README.md",
  "git cat-file -p HEAD:README.md",
  "git cat-file -t HEAD",
  "git show --stat",
  "git stash list",
  "git stash push -m .env",
  "git status --short",
];

test("a denied file that is tracked is shown by no command that names none", async () => {
  for (const allow of [[], ["Bash"], ["Bash(git:*)"]]) {
    const rules = { allow, deny: ["Read(.env)"] };
    expect(await files.others("ask", SHOWING, rules)).toEqual([]);
    if (allow.length > 0) expect(await files.others("allow", PLAIN, rules)).toEqual([]);
  }
  const whole = { allow: ["Bash"], deny: [`Read(/${join(files.root, ".env")})`] };
  expect(await files.others("ask", SHOWING, whole)).toEqual([]);
});

test("what no rule names, or a rule for the command allows, is shown", async () => {
  const rules = { allow: ["Bash"], deny: ["Read(.env.local)", "Read(./gen/**)"] };
  expect(await files.others("allow", SHOWING, rules)).toEqual([]);
  expect(await files.others("allow", ["git diff"], { allow: ["Bash(git diff:*)"], deny: ["Read(.env)"] })).toEqual([]);
});

test("a part of the repository counts for what lies in it", async () => {
  const rules = { allow: ["Bash"], deny: ["Read(./src/gen/**)"] };
  expect(
    await files.others("ask", ["git diff -- src", "git diff src", "git grep x src", "git -C src diff"], rules),
  ).toEqual([]);
  expect(await files.others("allow", ["git diff -- foo", "git diff README.md", "git grep x foo"], rules)).toEqual([]);
});

test("a work tree of its own has an index of its own", async () => {
  files.git("worktree", "add", "-q", join(files.root, "../tree"));
  const workspace = await createWorkspace({ root: join(files.root, "../tree") });
  const decided = async (deny: string) =>
    (await createPermissionChecker({ workspace, rules: { allow: ["Bash"], deny: [deny] } }).decide(bash("git diff")))
      .behavior;
  expect([await decided("Read(.env)"), await decided("Read(.env.local)")]).toEqual(["ask", "allow"]);
  await workspace.close();
});
