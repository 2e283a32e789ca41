// Names that one command lists and another reads: what lies on the disk, or in git's index, decides whether that is plain reading.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Workspace } from "../../../src/index.js";
import { createPermissionChecker, type PermissionRules } from "../../../src/permissions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { processorMs } from "../../processor-time.js";
import { bash, behaviorOf } from "../kit.js";

let home: string;
let root: string;
let workspace: Workspace;

/** What `git init` and `git add .` make of the project as it is before each test. */
let index: string;

function makeProject(parent = tmpdir()): void {
  home = realpathSync(mkdtempSync(join(parent, "loopwright-listed-")));
  root = join(home, "app");
  for (const file of ["app/src/a.ts", "app/src/deep/b.ts", "app/README.md", "outside/x"]) put(join(home, file));
}

beforeAll(() => {
  makeProject();
  const template = home;
  index = join(root, ".git");
  git("init", "-q");
  git("add", ".");
  return () => rmSync(template, { recursive: true, force: true });
});
beforeEach(async () => {
  makeProject();
  workspace = await createWorkspace({ root });
});
afterEach(async () => {
  await workspace.close();
  rmSync(home, { recursive: true, force: true });
});

/** For thousands of files. Not for what leads out of the project: below `/dev` that is refused for another reason. */
async function moveToMemory(): Promise<void> {
  await workspace.close();
  rmSync(home, { recursive: true, force: true });
  makeProject(process.env.TEST_MEMORY);
  workspace = await createWorkspace({ root });
}

function put(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "content\n");
}

function git(...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", GIT_TEMPLATE_DIR: "" };
  execFileSync("git", args, { cwd: root, env, stdio: "ignore" });
}

/** Adds all files of a project that is as it was before the test. */
function addPlainProject(): void {
  cpSync(index, join(root, ".git"), { recursive: true });
}

function behavior(command: string, rules: PermissionRules = {}) {
  return behaviorOf(createPermissionChecker({ workspace, rules }), bash(command));
}

const READ = [
  "find . -name '*.ts' | xargs wc -l",
  "find src -type f -print0 | xargs -0 grep -n TODO",
  "find src -name '*.ts' | head -5 | sort | xargs -I{} head -3 {}",
  "grep -rl foo src | xargs grep -n bar",
  "rg -l foo src 2>/dev/null | xargs wc -l",
  "rg --files | grep -v test | xargs wc -l",
  "find . -name node_modules -prune -o -name '*.ts' -print | xargs grep -n foo",
  "find . \\( -name dist -o -path ./out \\) -prune -o -type f -print | xargs sort",
  "find src -name '*.ts' | xargs rg -n foo",
  "find . -type f \\( -name '*.ts' -o -name '*.tsx' \\) -not -path '*/dist/*' | xargs grep -n foo",
  "wc -l $(find src -name '*.ts')",
  'for f in $(find src -type f); do head -1 "$f"; done',
];
const READ_FROM_INDEX = [
  "git ls-files | xargs wc -l",
  "git ls-files -z | xargs -0 wc -l",
  "git ls-files '*.ts' | xargs rg foo",
  "git diff --name-only --diff-filter=AM -- '*.ts' | xargs wc -l",
  "wc -l $(git ls-files '*.ts')",
  "cat $(git ls-files src | head -3)",
  'for f in $(git ls-files); do wc -l "$f"; done',
];

test.each([...READ, ...READ_FROM_INDEX])("what a plain project lists is read without a question: %s", async (line) => {
  addPlainProject();
  expect(await behavior(line)).toBe("allow");
});

test.each([
  ["a line end in the name of a directory", "src/x\n/etc/passwd"],
  ["a blank in the name of a directory", "src/x /etc/passwd"],
  ["a blank before an option", "src/x --files0-from=y"],
  ["a quote", "src/it's"],
  ["a backslash", "src/a\\ b"],
])("%s makes a list of lines ask", async (_, name) => {
  put(join(root, name));
  git("init", "-q");
  git("add", ".");
  const lines = [...READ, ...READ_FROM_INDEX].filter((line) => !line.includes("-0"));

  const answers = await Promise.all(lines.map((line) => behavior(line)));
  expect(lines.filter((_, index) => answers[index] !== "ask")).toEqual([]);
});

test("a name that only git's index holds makes what git lists ask", async () => {
  put(join(root, "x /etc/passwd"));
  git("init", "-q");
  git("add", ".");
  rmSync(join(root, "x "), { recursive: true });

  expect(await behavior("git ls-files | xargs cat")).toBe("ask");
  expect(await behavior("find . -type f | xargs cat")).toBe("allow");
});

test("an index that cannot be read makes what git lists ask", async () => {
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/index"), "DIRC and no more");
  expect(await behavior("git ls-files | xargs wc -l")).toBe("ask");
});

test("a name that starts with a dash asks, however it is passed on", async () => {
  put(join(root, "--files0-from=README.md"));
  git("init", "-q");
  git("add", ".");
  for (const line of ["git ls-files | xargs wc -l", "git ls-files -z | xargs -0 wc -l", "wc -l $(git ls-files)"]) {
    expect(await behavior(line), line).toBe("ask");
  }
});

test("a name that is not text asks, as what lies behind it cannot be looked at", async () => {
  // Some file systems hold no such name.
  const name = Buffer.concat([Buffer.from(join(root, "src/d")), Buffer.from([0xff])]);
  let isMade = true;
  try {
    mkdirSync(name);
    symlinkSync(join(home, "outside/x"), Buffer.concat([name, Buffer.from("/l.ts")]));
  } catch {
    isMade = false;
  }
  git("init", "-q");
  git("add", ".");
  for (const line of [
    "find src -name '*.ts' | xargs cat",
    "cat $(find src -name '*.ts')",
    "git ls-files -z | xargs -0 cat",
  ]) {
    expect(await behavior(line), line).toBe(isMade ? "ask" : "allow");
  }
});

test("a name that git prints in quotes asks", async () => {
  put(join(root, "src/\u00e9.ts"));
  git("init", "-q");
  git("add", ".");
  symlinkSync(join(home, "outside/x"), join(root, "src/\\303\\251.ts"));
  expect(await behavior("git ls-files | xargs cat")).toBe("ask");
  expect(await behavior("cat $(git ls-files)")).toBe("ask");
  expect(await behavior("git ls-files -z | xargs -0 cat")).toBe("allow");
});

test("a directory for git that holds no index asks, as git goes on above it", async () => {
  mkdirSync(join(root, ".git"));
  expect(await behavior("git ls-files | xargs cat")).toBe("ask");
});

test("extended wildcards in a name ask where the shell expands them", async () => {
  put(join(root, "src/@(a|b).ts"));
  expect(await behavior("cat $(find src -name '*.ts')")).toBe("ask");
  put(join(root, "docs/(auth)/page.ts"));
  expect(await behavior("cat $(find docs -name '*.ts')")).toBe("allow");
});

test("a search without names reads where it stands, so an empty list asks when a rule denies something there", async () => {
  put(join(root, "secrets/key.txt"));
  const rules = { allow: ["Bash(grep:*)", "Bash(find:*)"], deny: ["Read(./secrets/**)"] };
  for (const line of [
    "find src -name none | xargs grep -r KEY",
    "grep -r KEY $(find src -name none)",
    "for f in $(find src -name none); do :; done; grep -r KEY $f",
  ]) {
    expect(await behavior(line, rules), line).toBe("ask");
  }
  expect(await behavior("find src -name none | xargs -I{} grep -r KEY {}", rules)).toBe("allow");
  expect(await behavior("find src -name none | xargs grep KEY", rules)).toBe("allow");
});

test("what find asks for behind an action does not narrow what the action is given", async () => {
  put(join(root, ".env"));
  for (const line of ["find . -exec cat {} \\; -name '*.ts'", "find . -type f -exec cat {} + -name '*.ts'"]) {
    expect(await behavior(line, { deny: ["Read(./.env)"] }), line).not.toBe("allow");
  }
  const narrow = "find src -name '*.ts' -exec cat {} +";
  expect(await behavior(narrow, { deny: ["Read(./.env)"] })).toBe("allow");
});

test.each([
  "for PATH in src; do find src; done",
  "for PATH in $(find src -type d); do cat README.md; done",
  "((PATH=1)); find src -name '*.ts'",
  ": $((PATH=1)); cat README.md",
  "exec {PATH}<README.md; cat README.md",
  "coproc PATH { :; }; cat README.md",
  "find src -name '*.ts' | xargs --process-slot-var=PATH cat",
])("a variable that chooses programs asks, however it is set: %s", async (line) => {
  expect(await behavior(line)).toBe("ask");
});

test("wildcards in a name ask where the shell expands them", async () => {
  put(join(root, "src/[id].ts"));
  expect(await behavior("cat $(find src -name '*.ts')")).toBe("ask");
  expect(await behavior("find src -name '*.ts' | xargs cat")).toBe("allow");
});

test.each([
  ["to a file outside", "outside/x", "src/deep/link.ts"],
  ["to a directory outside", "outside", "src/deep/link.ts"],
])("a link %s that may be listed asks", async (_, target, name) => {
  symlinkSync(join(home, target), join(root, name));
  git("init", "-q");
  git("add", ".");
  const answers = await Promise.all([...READ, ...READ_FROM_INDEX].map((line) => behavior(line)));
  expect(new Set(answers)).toEqual(new Set(["ask"]));
});

test("a directory that became a link after its files were added asks", async () => {
  addPlainProject();
  rmSync(join(root, "src"), { recursive: true });
  symlinkSync(join(home, "outside"), join(root, "src"));
  expect(await behavior("git ls-files | xargs cat")).toBe("ask");
});

test("a link inside to what a rule denies is denied", async () => {
  put(join(root, ".env"));
  symlinkSync("../.env", join(root, "src/innocent.ts"));
  expect(await behavior("find src -name '*.ts' | xargs cat", { deny: ["Read(./.env)"] })).toBe("deny");
});

test("what a list may hold of a denied file asks or is denied, and other names do not", async () => {
  put(join(root, ".env"));
  put(join(root, "secrets/key.txt"));
  const rules = { allow: ["Bash"], deny: ["Read(./.env)", "Read(./secrets/**)"] };
  for (const line of [
    "find . -type f | xargs cat",
    "find . -name '.env' | xargs cat",
    "find . -name '*env' | xargs cat",
    "find . -path './.e*' | xargs -n1 cat",
    "find . -not -name '*.md' | xargs cat",
    "find . -name '*.ts' -o -type f | xargs cat",
    "find . -name '*.txt' | xargs head",
    "find secrets -type f | xargs cat",
    "find . -maxdepth 1 | xargs grep -r KEY",
    "find . -name src -o -name secrets | xargs grep -r KEY",
    "grep -rl KEY . | xargs cat",
    "rg --files --hidden | xargs cat",
    "cat $(find . -type f)",
    "for f in $(find . -type f); do cat $f; done",
  ]) {
    expect(await behavior(line, rules), line).not.toBe("allow");
  }
  for (const line of ["find . -name '*.ts' | xargs wc -l", "find src -type f | xargs wc -l"]) {
    expect(await behavior(line, rules), line).toBe("allow");
  }
});

test("what git lists is asked about when a denied file is in its index, and only then", async () => {
  const rules = { deny: ["Read(./.env)", "Read(./secrets/**)"] };
  addPlainProject();
  for (const file of [".env", "secrets/key.ts"]) {
    put(join(root, file));
    expect(await behavior("git ls-files | xargs cat", rules)).toBe("allow");
    git("add", "-f", file);
    expect(await behavior("git ls-files | xargs cat", rules)).toBe("ask");
    expect(await behavior("cat $(git ls-files)", rules)).toBe("ask");
    git("rm", "-q", "--cached", file);
  }
});

test.each([
  "find -L . -name '*.ts' | xargs cat",
  "find . -follow -type f | xargs cat",
  "find . -printf '/etc/passwd' | xargs cat",
  "find . -printf '%l' | xargs cat",
  "find / -name '*.ts' | xargs cat",
  "find .. -name '*.ts' | xargs cat",
  "find src/.. -name '*.ts' | xargs cat",
  "find $DIR -name '*.ts' | xargs cat",
  "find . -name '*.ts' -print -print0 | xargs cat",
  "find . -name '*.ts' -print0 | xargs cat",
  "find . -print -name '*.ts' | xargs cat",
  "find . -print0 -name '*.ts' | xargs -0 cat",
  "find src -newer -name -type f | xargs cat",
  "find . -newer '!' -path './skip/*' | xargs cat",
  "find . -name '!' -path './skip/*' | xargs cat",
  "find . -name '*.ts' | head 5 | xargs cat",
  "find . -name '*.ts' | tail 5 | xargs cat",
  "find . -name '*.ts' | xargs -I{} -n2 cat",
  "find . -name '*.ts' | xargs -I{} -L1 cat",
  "find . -name '*.ts' | xargs -I{} --max-args=2 cat",
  "echo /etc/passwd | xargs -I{} -n2 cat",
  "git ls-files -- -z src | xargs -0 cat",
  "find . -name '*.ts' | xargs -0 cat",
  "find . -name '*.ts' |& xargs cat",
  "find . -name '*.ts' 2>&1 | xargs cat",
  "find . -name '*.ts' | xargs -d a cat",
  "find . -name '*.ts' | xargs -a names cat",
  "find . -name '*.ts' | xargs -I{} cat ../{}",
  "find . -name '*.ts' | xargs -I{} cat {}.bak",
  "find . -name '*.ts' | xargs wc --files0-from",
  "sort --files0-from=README.md",
  "find . -name '*.ts' | xargs rm",
  "find . -name '*.ts' | xargs sed -i s/a/b/",
  "find . -name '*.ts' | xargs sh -c 'cat $1' _",
  "find . -name '*.ts' | xargs tee",
  "find . -name '*.ts' | xargs cp -t /tmp",
  "find . -name '*.ts' | sed 's/.*/.env/' | xargs cat",
  "find . -name '*.ts' | grep -o etc | xargs cat",
  "find . -name '*.ts' | grep -n a | xargs cat",
  "find . -name '*.ts' | sort -o x | xargs cat",
  "find . -name '*.ts' | sort README.md | xargs cat",
  "find . -name '*.ts' | head -5 README.md | xargs cat",
  "find . -name '*.ts' | grep content README.md | xargs cat",
  "find . -name '*.ts' | (cd /etc; xargs cat)",
  "find . -name '*.ts' | { cd src; xargs cat; }",
  "find() { echo /etc/passwd; }; find . -name '*.ts' | xargs cat",
  "find . -name '*.ts' < x | env -C /etc xargs cat",
  "grep -l foo -f list -r . | xargs cat",
  "grep -Rl foo . | xargs cat",
  "grep -r foo . | xargs cat",
  "grep -rl --color=always foo . | xargs cat",
  "rg foo | xargs cat",
  "rg -lL foo | xargs cat",
  "rg -l --pre x foo | xargs cat",
  "git ls-files -o --exclude-standard --format='%(x)' | xargs cat",
  "git ls-files ':(top)' | xargs cat",
  "git ls-files ../x | xargs cat",
  "git -C .. ls-files | xargs cat",
  "git ls-files | xargs xxd",
  "xxd src/*",
  "git ls-files | xargs less",
  "git ls-files | xargs -n2 uniq",
  "git ls-files | xargs rg -f",
  "git ls-files | xargs rg --pre cat x",
  "git ls-files | xargs sort -o",
  "git ls-files | xargs git log --output",
  "git ls-files | xargs timeout 5",
  "git diff --name-only HEAD | xargs cat",
  "git diff --name-only HEAD -- src | xargs cat",
  "git diff --name-only --cached | xargs cat",
  "git diff --name-only main...HEAD | xargs cat",
  "git diff --name-only --relative | xargs cat",
  "git diff --name-only --line-prefix=/etc/ | xargs cat",
  "git diff --name-only -- ../x | xargs cat",
  "cd src && git diff --name-only | xargs cat",
  "git grep -ln content -- src | xargs head -3",
  "git grep -l foo HEAD | xargs cat",
  "git grep -l foo src | xargs cat",
  "git grep -l --untracked foo | xargs cat",
  "cd src && git grep -l foo | xargs cat",
  "find . -name x -prune -o -name '*.ts' | xargs grep -r foo ..",
  "find .. -name x -prune -o -name '*.ts' -print | xargs cat",
  "find . -name x -prune -o -printf /etc/passwd | xargs cat",
  "ls() { echo /etc/passwd; }; \\ls src/*.ts | xargs cat",
  "find() { echo /etc/passwd; }; f''ind . -name '*.ts' | xargs cat",
  "cat $(find . -name '*.ts' -print0)",
  "cat $(find . -name '*.ts'; echo /etc/passwd)",
  "cat $(find . -name '*.ts' | sed s,.*,/etc/passwd,)",
  "f=/etc/passwd; for f in $(find . -name '*.ts'); do :; done; cat $f",
  "for f in $(find . -name '*.ts'); do read f; cat $f; done",
  "for f in $(find . -name '*.ts'); do cat ../$f; done",
  "cd src; for f in $(find . -name '*.ts'); do cd ..; cat $f; done",
  "for f in $(find . -name '*.ts'); do printf -vf /etc/passwd; cat $f; done",
  "for f in $(find . -name '*.ts'); do read -raf <<< /etc/passwd; cat $f; done",
  "for f in $(find . -name '*.ts'); do exec {f}<README.md; cat $f; done",
  "for f in $(find . -name '*.ts'); do coproc f { cat; }; cat $f; done",
  "for f in $(find . -name '*.ts'); do cat $f; trap 'f=/etc/passwd' DEBUG; done",
  "for f in $(find . -name '*.ts'); do cat $f; builtin trap -- 'f=/etc/passwd' DEBUG; done",
  "IFS=/; cat $(find . -name '*.ts')",
  "((IFS=1)); cat $(find . -name '*.ts')",
  "exec {IFS}<README.md; cat $(find . -name '*.ts')",
  "printf -v I''FS 1; cat $(find . -name '*.ts')",
  "for f in $(find . -name '*.ts'); do cat $f; ((IFS=1)); done",
])("what is not a plain list of names, or not read plainly, asks: %s", async (line) => {
  addPlainProject();
  expect(await behavior(line)).not.toBe("allow");
});

test.each([
  "touch 'src/a .env'; find src -type f | xargs cat",
  "touch 'src/a .env' && cat $(find src -type f)",
  "ln -s ../.env src/b.ts; find src -type f | xargs cat",
  "echo x > 'src/a .env'; find src -type f | xargs cat",
  "find src -type f | xargs cat & touch 'src/a .env'",
  "shopt -s expand_aliases\nalias find='echo .env #'\nfind src | xargs cat",
  "hash -p /bin/echo find; find src .env | xargs cat",
  "PATH=src:$PATH; find src | xargs cat",
  "enable -f ./x find; find src | xargs cat",
])("a line that may make files, or another program of a name, asks about what it lists: %s", async (line) => {
  put(join(root, ".env"));
  const allow = ["Bash(touch *)", "Bash(ln *)", "Edit(src/**)"];
  expect(await behavior(line, { allow, deny: ["Read(./.env)"] })).not.toBe("allow");
});

test("a search for one of some names lists files of these names, and no others", async () => {
  put(join(root, ".env"));
  for (const line of [
    "find . \\( -name '*.ts' -o -type f \\) -not -path '*/dist/*' | xargs cat",
    "find . \\( -name '*.ts' -o -name '*.tsx' \\) -o -not -path '*/dist/*' | xargs cat",
    "find . \\( -name '*.ts' -o -not -path '*/src/*' \\) | xargs cat",
    "find . ! ! -path '*/src/*' \\( -name '*.ts' -o -name '.e*' \\) | xargs cat",
    "find . -newer -not -path '*/src/*' \\( -name '*.ts' -o -name x \\) | xargs cat",
    "find . -type f -o -name '*.ts' | xargs cat",
    "find . -name '*.ts' -o ! -name '*.ts' | xargs cat",
    "find . -name '*.ts' -o -name '*v' | xargs cat",
  ]) {
    expect(await behavior(line), line).not.toBe("allow");
  }
  expect(await behavior("find . -name '*.ts' -o -name '*.md' | xargs cat", { deny: ["Read(.env)"] })).toBe("allow");
});

test("only directories that are surely left out are not looked through", async () => {
  put(join(root, "skip/x /etc/passwd"));
  expect(await behavior("find . -type f -not -path './skip/*' | xargs cat")).toBe("allow");
  expect(await behavior("find . -type f ! -path '*/skip/*' | xargs cat")).toBe("allow");
  for (const line of [
    "find . -type f ! ! -path '*/skip/*' | xargs cat",
    "find . -type f -not -path '*/skip/*' -o -name passwd | xargs cat",
    "find . -type f -not ( -path '*/skip/*' ) | xargs cat",
    "find skip -type f -not -path './skip/*' | xargs cat",
    "find . -type f -not -name '*/skip/*' | xargs cat",
    "find . -type f -path '*/skip/*' | xargs cat",
  ]) {
    expect(await behavior(line.replaceAll(/([()])/g, "\\$1")), line).toBe("ask");
  }
  rmSync(join(root, "skip"), { recursive: true });
  symlinkSync(join(home, "outside"), join(root, "skip"));
  expect(await behavior("find . -not -path './skip/*' | xargs cat")).toBe("ask");
});

test("more files than are looked through ask", async () => {
  await moveToMemory();
  for (let directory = 0; directory < 6; directory++) mkdirSync(join(root, `many/${directory}`), { recursive: true });
  for (let file = 0; file < 5_100; file++) writeFileSync(join(root, `many/${file % 6}/${file}.ts`), "");

  expect(await behavior("find . -name '*.ts' | xargs wc -l")).toBe("ask");
  expect(await behavior("find . -name '*.ts' -not -path './many/*' | xargs wc -l")).toBe("allow");
  expect(await behavior("find src -name '*.ts' | xargs wc -l")).toBe("allow");
});

test("a line with many lists is judged at once, and asks", async () => {
  await moveToMemory();
  for (let file = 0; file < 3_000; file++) writeFileSync(join(root, `src/${file}.ts`), "");
  const line = Array.from({ length: 60 }, (_, index) => `find . -name '*${index}.ts' | xargs cat`).join("; ");
  const started = processorMs();
  expect(await behavior(line)).toBe("ask");
  expect(processorMs() - started).toBeLessThan(5_000);
});

test.each(["find . -name '*.ts' -exec cat {} +", "find . -exec cat {} \\;", "find src -execdir cat {} +"])(
  "what find hands to a reader is looked up like a list, so a link out of the workspace asks: %s",
  async (line) => {
    expect(await behavior(line)).not.toBe("deny");
    symlinkSync("/etc/passwd", join(root, "src/deep/c.ts"));
    expect(await behavior(line)).toBe("ask");
  },
);

test("a rule for a name is about what is listed by that name, and about what lies in a directory of that name", async () => {
  const rules = { deny: ["Read(.env)", "Read(secrets)"] };
  const narrow = ["find . -name '*.ts' -exec wc -l {} +", "find . -name '*.ts' | xargs wc -l"];
  const wide = ["find . -type f -exec cat {} +", "find . -type f | xargs cat"];
  put(join(root, ".env"));
  for (const line of narrow) expect(await behavior(line, rules), line).toBe("allow");
  for (const line of wide) expect(await behavior(line, rules), line).toBe("ask");
  put(join(root, "src/secrets/a.ts"));
  for (const line of narrow) expect(await behavior(line, rules), line).not.toBe("allow");
});
