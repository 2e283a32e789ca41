// Where what is looked up and what the shell reaches could part: other letters, other directories, options that stand behind.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;

beforeEach(async () => {
  files = await filesIn("README.md", "sub/README.md", "ok/a.txt", "secrets/a.txt");
});
afterEach(() => files.close());

const DENY = { deny: ["Read(./secrets/**)", "Read(sub/README.md)"] };

test.each(["e\u0301vil", "a\u200bb", "\u{1f600}", "\u00df", "\u0130x", "l\u00e9"])(
  "wildcards reach %j however they count its letters",
  async (name) => {
    files.link("../outside/x", name);
    const first = [...name][0]!;
    const lines = [
      ...["cat ?*", `cat ${first}*`, `cat ${"?".repeat([...name].length)}`, `cat ${"?".repeat(name.length)}`],
      ...[`cat ${"?".repeat(Buffer.byteLength(name))}`, `find . -name '${first}*' -exec cat {} +`],
      `find . -name '${"?".repeat([...name].length)}' -print0 | xargs -0 cat`,
    ];
    expect(await files.others("ask", lines)).toEqual([]);
  },
);

test("a part of a letter reaches it, too", async () => {
  files.link("../outside/x", "l\u00e9");
  expect(await files.others("ask", ["cat $'l\\303'*", "cat $'l\\303'?"])).toEqual([]);
});

test("a rule for a name with other letters holds for wildcards that count them otherwise", async () => {
  files.put("\u00df.txt");
  expect(await files.others("deny", ["cat ?.txt", "cat *.txt"], { deny: ["Read(\u00df.txt)"] })).toEqual([]);
});

test("what find is reported behind its action counts for what it passes on", async () => {
  files.link("../outside", "out");
  files.put("deep/secrets/a.txt");
  const rules = { deny: ["Read(**/secrets/**)"] };
  const lines = [
    "find . -name 'x*' -exec cat {} \\; -follow",
    "find . -name secrets -prune -o -mindepth 2 -type f -name a.txt -print | xargs cat",
    "find . -name secrets -prune -o -name a.txt -exec cat {} + -depth",
    "find . -name secrets -prune -o -name a.txt -exec cat {} + -mindepth 3",
  ];
  expect(await files.others(["ask", "deny"], lines, rules)).toEqual([]);
  expect(await files.others("ask", ["find . -name 'x*' -exec sed -i s/a/b/ {} + -follow"], {}, "acceptEdits")).toEqual(
    [],
  );
  expect(await files.others("allow", ["find . -name secrets -prune -o -name a.txt -print | xargs cat"], rules)).toEqual(
    [],
  );
});

test("the directory find starts in is one of those it may hand to a search", async () => {
  const lines = [
    "find secrets/.. -maxdepth 0 -exec grep -r x {} +",
    "find . -name . | xargs grep -r x ok",
    "find sub -maxdepth 1 -name 's*' -exec grep -r x {} \\;",
    "find sub -name sub | xargs grep -r x ok",
  ];
  expect(await files.others(["ask", "deny"], lines, DENY)).toEqual([]);
  const plain = [
    "find . -path ./secrets -prune -o -path ./sub -prune -o -type f -print | xargs grep x",
    "find . -type f -name '*.json' | xargs rg x ok",
  ];
  expect(await files.others("allow", plain, DENY)).toEqual([]);
  // The list may be empty: `rg` then searches all.
  expect(await files.others("ask", ["find ok -type f | xargs rg x"], DENY)).toEqual([]);
});

test("a search goes below the directories among the names that wildcards match", async () => {
  const own = await filesIn("src/a.ts", "src/sub/.env", "ok/b.ts", "node_modules/x/.env");
  const lines = ["src/*", "*", "src/s*"].flatMap((names) => [
    `grep -r x ${names}`,
    `for d in ${names}; do grep -r x "$d"; done`,
    `for d in ${names}; do rg --hidden x $d; done`,
  ]);
  expect(await own.others("ask", lines)).toEqual([]);
  expect(await own.others("allow", ["grep -r x o*", "ls -R *", "grep x src/*", "grep -r x n*"])).toEqual([]);
  await own.close();
});

test("wildcards that vanish leave a list, or a search, of all that is there", async () => {
  const lines = [
    "shopt -s nullglob; ls *.nope | xargs cat",
    "shopt -s nullglob; rg x *.nope",
    "shopt -s nullglob; grep -r x *.nope",
    "shopt -s null''glob; rg x *.nope",
    "bash -O nullglob -c 'rg x *.nope'",
  ];
  expect(await files.others(["ask", "deny"], lines, { deny: ["Read(secrets)", "Read(./README.md)"] })).toEqual([]);
  const plain = ['shopt -s nullglob; for f in ok/*.txt; do cat "$f"; done', "shopt -s nullglob; wc -l ok/*"];
  const allow = ["Bash(shopt *)", "Bash(cat *)", "Bash(wc *)"];
  expect(await files.others("ask", plain, { ...DENY, allow })).toEqual([]);
});

test("names that are reported in one directory are not taken for those of another", async () => {
  files.git("init", "-q");
  files.git("add", "README.md");
  const lines = [
    "x=$(git ls-files); c''d sub; cat $x",
    "x=$(git ls-files); env -C sub cat $x",
    "env -C sub cat $(git ls-files)",
    "git ls-files | xargs env -C sub cat",
    "find . -name 'R*' -exec env -C sub cat {} +",
    "while read -r f; do break; done < <(git ls-files); c''d sub; cat \"$f\"",
    "for f in $(git ls-files); do env -C sub cat $f; done",
    "env -C sub cat READ*",
    "f() { x=$(git ls-files); }; c''d sub; f; c''d ..; cat $x",
  ];
  expect(await files.others(["ask", "deny"], lines, DENY)).toEqual([]);
  files.put("-oq");
  expect(await files.others("ask", ["env -C ok sort *"])).toEqual([]);
  const plain = [
    "cat $(git ls-files)",
    "cd ok && cat $(find . -name '*.txt')",
    "env -C ok cat a.txt",
    "env LC_ALL=C cat $(git ls-files)",
  ];
  expect(await files.others("allow", plain, DENY)).toEqual([]);
});

test("a loop whose input is exchanged, or read beside another, is not taken for one over names", async () => {
  files.git("init", "-q");
  files.git("add", ".");
  const loop = (body: string) => `git ls-files | while read -r f; do cat "$f"; ${body}; done`;
  const bodies = ["exec < README.md", "command exec < README.md", "head -c 1 3< README.md", "{ exec 0< README.md; }"];
  expect(await files.others("ask", [...bodies, "head -c 1 < README.md"].map(loop))).toEqual([]);
});

test("a name among wildcards that makes a reader open directories, or run code, asks", async () => {
  const lines = ["grep x *", "egrep x *", "sed -n 1p *", "wc *"];
  expect(await files.others("allow", lines, DENY)).toEqual([]);
  files.put("-r");
  expect(await files.others("ask", lines, DENY)).toEqual([]);
});

test("a name that sets a variable is not a file to some readers, so a list with it asks", async () => {
  files.git("init", "-q");
  files.put("a=b.txt");
  files.git("add", ".");
  const lines = ['git ls-files | while read -r f; do awk 1 "$f"; done', "find . -name '*.txt' | xargs awk 1"];
  expect(await files.others("ask", lines)).toEqual([]);
});

test("variables that choose a compiler or where tools come from ask", async () => {
  const lines = [
    ...["RUSTUP_TOOLCHAIN=/x cargo --version", "RUSTUP_HOME=. cargo --version", "GOTOOLCHAIN=go1.99 go version"],
    ...["GOENV=./x go env", "GOAUTH=./x go list ./...", "COREPACK_NPM_REGISTRY=http://x yarn --version"],
  ];
  expect(await files.others("ask", lines)).toEqual([]);
});

test("files that are named in files, and code that names them, ask", async () => {
  const lines = [
    ...["strings @ok/a.txt", "strings -n 3 @ok/a.txt", "strings *"],
    ...[
      'jq -n \'import "./ok/x" as $k {search:"../"}; $k\'',
      "jq -n 'include \"x\"; 1'",
      "jq -n 'import#\n\"x\" as $k;1'",
    ],
    ...['x=\'import "a" as $k; $k\'; jq -n "$x"', 'jq "$(cat ok/a.txt)" ok/a.txt', "jq -f ok/a.txt ok/a.txt"],
    ...["file -f ok/a.txt", "pytest --help", "pytest --version"],
  ];
  expect(await files.others("ask", lines)).toEqual([]);
  const plain = ["jq .include ok/a.txt", 'jq ".$x" ok/a.txt', "jq '{import}' ok/a.txt", "strings ok/a.txt"];
  expect(await files.others("allow", plain)).toEqual([]);
});

test("a file that is shown by a revision which another command tells is as good as named", async () => {
  const lines = [
    "git show $(git rev-parse HEAD):secrets/a.txt",
    'git show "$(git describe)":secrets/a.txt',
    'git show "$(git describe):secrets/a.txt"',
  ];
  expect(await files.others("deny", lines, DENY)).toEqual([]);
  expect(
    await files.others("ask", ["git show $(git describe):sec''rets/a.txt", 'git show "$(git describe):$f"'], DENY),
  ).toEqual([]);
  expect(
    await files.others("allow", ["git show $(git describe):ok/a.txt", "git diff $(git merge-base main HEAD)"], DENY),
  ).toEqual([]);
});

test("links that the line itself takes along are not followed unasked", async () => {
  files.link("../../outside/x", "links/a");
  const lines = [
    ...["cp -r links new; cat new/*", "cp -a links new && cat new/a", "mv links new && head -1 new/a"],
    ...[
      "cp -r links ok; wc -l ok/links/*",
      "cp -r links new; echo x > new/a",
      "cp -a links new && sed -i s/a/b/ new/*",
    ],
  ];
  expect(await files.others("ask", lines, {}, "acceptEdits")).toEqual([]);
  const plain = [
    "cp -r ok new; cat new/*",
    "mv ok new && cat new/a.txt",
    "cp -r ok new && ls -R new",
    "cp -r links new && ls new/*",
  ];
  expect(await files.others("allow", plain, {}, "acceptEdits")).toEqual([]);
});

test("what git shows of files behind wildcards is read, as if they were named", async () => {
  const lines = ["git blame sec*/*", "git diff -- sec*/*", "git log -p sub/R*", "git show HEAD -- s*/*"];
  expect(await files.others("deny", lines, DENY)).toEqual([]);
  expect(await files.others("allow", ["git diff -- ok/*", "git log -p *.md", "git blame ok/a*"], DENY)).toEqual([]);
});

test("a directory that looks like git's own is not trusted as such", async () => {
  expect(await files.others("allow", ["git status", "git log -3"])).toEqual([]);
  const made = "mkdir objects refs; cp ok/a.txt HEAD; git status";
  expect(await files.others("ask", [made], {}, "acceptEdits")).toEqual([]);
  files.put("HEAD", "config", "objects/x", "refs/x");
  expect(await files.others("ask", ["git status", "git log -3", "git ls-files"])).toEqual([]);
  files.git("init", "-q");
  expect(await files.others("allow", ["git status", "git log -3"])).toEqual([]);
  expect(await files.others("allow", ["touch x; git status"], {}, "acceptEdits")).toEqual([]);
});

test("nothing is put into a file that is there, which would lie nowhere", async () => {
  const rules = { allow: ["Bash"] };
  const onto = ["cp", "mv", "install -m 755"].map((line) => `${line} ok/a.txt README.md`);
  expect(await files.others("allow", onto, rules)).toEqual([]);
  // Not where the line puts something else in its place.
  files.link("../outside", "out");
  const replaced = [
    "ln -sfn out README.md && ln -s ok/a.txt README.md/",
    "ln -sfn out README.md; install ok/a.txt README.md",
  ];
  expect(await files.others("ask", replaced, rules)).toEqual([]);
});
