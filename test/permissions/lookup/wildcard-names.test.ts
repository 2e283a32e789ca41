// What wildcards represent is looked up when the line is decided: content is one thing, a name or a size another.
import { afterEach, beforeEach, expect, test } from "vitest";
import { processorMs } from "../../processor-time.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;

beforeEach(async () => {
  files = await filesIn("src/a.ts", "src/deep/b.ts", "README.md", "crates/core/Cargo.toml", "secrets/key.txt");
});
afterEach(() => files.close());

const DENY = { deny: ["Read(.env)", "Read(secrets)", "Read(**/*.pem)", "Read(./secrets/**)"] };
const ANY_DENIAL = ["ask", "deny"];

test("what only tells names, kinds and sizes runs beside what a rule denies", async () => {
  files.put(".env", "src/server.pem");
  const lines = [
    ...["ls *", "ls -la *", "ls -d */", "du -sh *", "du -sh ./* | sort -h", "du -sh * .[^.]*", "stat -c '%n %s' *"],
    ...["ls src/*", "ls crates/*/*.toml", "ls -d .[^.]* *", "realpath *", "find . -type f", "tree -a", "ls -R | head"],
  ];
  expect(await files.others("allow", lines, DENY)).toEqual([]);
});

test("a directory that is given to a reader of files is not opened, and says nothing", async () => {
  const lines = ["wc -l *", "head -3 *", "grep -n x *", "cat * | wc -c", "sort *", "file *", "md5sum *"];
  expect(await files.others("allow", lines, DENY)).toEqual([]);
});

test("content that wildcards represent is denied when it is there, and only then", async () => {
  const lines = ["cat crates/*/*", "cat */*", "wc -l src/*", "head -1 crates/*/Cargo*", "sha256sum src/*"];
  expect(
    await files.others("allow", [...lines.filter((line) => !line.includes("*/*")), "cat crates/*/*"], DENY),
  ).toEqual([]);
  expect(await files.others("deny", ["cat */*", "cat s*/*", "cat secret?/key*"], DENY)).toEqual([]);
  files.put("src/server.pem", "crates/core/Cargo.pem");
  expect(await files.others("deny", lines, DENY)).toEqual([]);
});

test("what wildcards spell is as good as named, whether it is there or not", async () => {
  const lines = ["cat .e*", "cat src/.en?", "cat *.pem", "cat sub/*.p?m", "ls *.pem", "ls secret*", "rm *.pem"];
  expect(await files.others("deny", lines, { deny: [...DENY.deny, "Edit(*.pem)"] })).toEqual([]);
});

test("directories count for those that look into them", async () => {
  const lines = [
    "diff * /dev/null",
    "diff -r . docs",
    "grep -r x *",
    "grep -d recurse x *",
    "grep -drecurse x .",
    "tar cf - *",
  ];
  const others = [
    "grep --directories=recurse x .",
    "git diff --no-index src .",
    "tree --fromfile *",
    "vim *",
    "diff src .",
  ];
  expect(await files.others(ANY_DENIAL, [...lines, ...others], DENY)).toEqual([]);
});

test("links that wildcards go through are followed, however many", async () => {
  files.link("src", "lib");
  files.link("deep/er", "aa");
  files.link("../../../outside", "deep/er/l2");
  files.put("src/key.ts");
  expect(
    await files.others("deny", ["cat lib/k*", "cat lib/*", "cat l*/*.ts"], { deny: ["Read(src/key.ts)"] }),
  ).toEqual([]);
  expect(await files.others("ask", ["cat */*/x", "cat aa/*/x", "cat a*/l*/*", "shopt -s globstar; cat **/x"])).toEqual(
    [],
  );
  expect(await files.others("allow", ["cat */*.ts", "cat lib/*"])).toEqual([]);
});

test("a file that needs approval needs it when wildcards, a list or a search by name reach it", async () => {
  files.put(".env", "src/.env.local", ".github/workflows/ci.yml");
  const reads = [
    "find . -type f | xargs cat",
    "find . -exec cat {} +",
    "cat src/.[!.]*",
    "find src -type f -exec cat {} \\;",
  ];
  expect(await files.others("ask", reads)).toEqual([]);
  const writes = ["sed -i s/a/b/ .github/*/ci.yml", "find . -name '*.yml' -exec sed -i s/a/b/ {} +"];
  expect(await files.others("ask", writes, {}, "acceptEdits")).toEqual([]);
  files.git("init", "-q");
  const git = [
    "find . -type f -exec sed -i s/a/b/ {} +",
    "find . -name config | xargs sed -i s/a/b/",
    "sed -i s/a/b/ .g*/config",
  ];
  expect(await files.others("deny", git, {}, "acceptEdits")).toEqual([]);
});

test("brackets and backslashes that may have been quoted represent any text", async () => {
  files.put("[a]secret.txt", "b\\.pem");
  const lines = ['cat "[a]"*', "cat '[a]'s*", "cat 'b\\'*"];
  expect(await files.others("deny", lines, { deny: ["Read(**/*secret*)", "Read(**/*.pem)"] })).toEqual([]);
});

test("what the line itself makes is not there yet, so its wildcards ask", async () => {
  const rules = { allow: ["Bash(tar *)", "Bash(mkdir *)", "Bash(cp *)"], deny: ["Read(secrets)"] };
  const lines = ["tar xf a.tar; cat */*", "mkdir x && cat x*/*", "cp -r src lib && cat l*/*/*"];
  expect(await files.others(ANY_DENIAL, lines, rules)).toEqual([]);
});

test("a name behind wildcards that looks like an option asks", async () => {
  const lines = ["sort *", "rg foo *", "file *", "sort src/* *"];
  expect(await files.others("allow", lines)).toEqual([]);
  expect(lines.filter((line) => files.isReadOnly(line))).toEqual([]);
  files.put("-oREADME.md");
  expect(await files.others("ask", lines)).toEqual([]);
  expect(await files.others(ANY_DENIAL, lines, { allow: lines.map((line) => `Bash(${line})`) }, "plan")).toEqual([]);
});

const EDITS = [
  "find src -name '*.ts' -exec sed -i 's/a/b/' {} +",
  "find src -name '*.ts' -exec sed -i.bak 's/a/b/' {} \\;",
  "find src -type f | xargs sed -i 's/a/b/'",
  "sed -i 's/a/b/' src/*.ts",
];

test("an edit of all that is found is denied only when a denied file is among it", async () => {
  const rules = { deny: ["Read(.env)", "Edit(keys)"] };
  expect(await files.others("allow", EDITS, rules, "acceptEdits")).toEqual([]);
  expect(await files.others("allow", EDITS, { ...rules, allow: ["Edit(src/**)"] })).toEqual([]);
  expect(await files.others("ask", EDITS, { ...rules, allow: ["Edit(docs/**)"] })).toEqual([]);
  expect(await files.others("ask", EDITS, rules)).toEqual([]);

  files.put("src/keys/c.ts");
  expect(await files.others("deny", EDITS.slice(0, 3), rules, "acceptEdits")).toEqual([]);
});

test("an edit of what leads out of the workspace asks", async () => {
  files.link("../../outside/x", "src/link.ts");
  expect(await files.others("ask", EDITS, {}, "acceptEdits")).toEqual([]);
});

test("what deletes all that it finds is denied only when a denied file is among it", async () => {
  const rules = {
    allow: ["Bash(find *)", "Bash(find * -delete)", "Bash(rm *)", "Bash(find * rm *)"],
    deny: ["Edit(.env)", "Edit(./src/keys/**)"],
  };
  const lines = [
    "find . -name '*.log' -delete",
    "find . -name '*.log' -exec rm {} +",
    "find src -name '*.ts' -exec rm {} \\;",
  ];
  expect(await files.others(["allow", "ask"], lines, rules)).toEqual([]);
  files.put("src/keys/a.ts", "src/keys/a.log");
  expect(await files.others("deny", [...lines, "rm -rf sr*", "find . -type f -delete"], rules)).toEqual([]);
});

test("what ls tells of wildcards is a list of names, unless it opens a directory", async () => {
  const lines = [
    "ls src/*.ts | xargs wc -l",
    "ls -1t src/*.ts | head -1 | xargs cat",
    'for f in $(ls src/*.ts); do cat "$f"; done',
  ];
  expect(await files.others("allow", [...lines, "ls -d src/* | xargs wc -l", "ls | xargs wc -l"], DENY)).toEqual([]);
  const others = [
    "ls src | xargs cat",
    "ls -a | xargs cat",
    "ls src/* | xargs cat",
    "ls 'src/*.ts' | xargs cat",
    "ls -R | xargs cat",
  ];
  const more = [
    "ls .* | xargs cat",
    "ls */ | xargs cat",
    "ls ../*.ts | xargs cat",
    "ls -l src/*.ts | xargs cat",
    "ls $x*.ts | xargs cat",
  ];
  expect(await files.others("ask", [...others, ...more])).toEqual([]);
  for (const name of ["src/x /etc/passwd.ts", "src/-n.ts", "src/it's.ts", "src/directory.ts/x"]) {
    if (!name.includes("passwd")) files.put(name);
    else files.link("../README.md", "src/x passwd.ts");
    expect(await files.others("ask", lines), name).toEqual([]);
    files.remove(name.includes("passwd") ? "src/x passwd.ts" : name.split("/").slice(0, 2).join("/"));
  }
});

test("a protected file among others is asked about, and one that is named is denied", async () => {
  files.put("src/id_rsa");
  const maybe = [
    "find . -type f -newer README.md | xargs wc -l",
    "find . -type f | head -3 | xargs cat",
    "find . -size +1k -exec cat {} +",
  ];
  expect(await files.others("ask", maybe)).toEqual([]);
  expect(await files.others("ask", ["find . -type f | xargs wc -l", "cat src/*", "cat src/id_*"])).toEqual([]);
  expect(await files.others("deny", ["cat src/id_rsa", "head -1 ./src/../src/id_rsa"])).toEqual([]);
  expect(
    await files.others("allow", [
      "find . -maxdepth 1 -type f | xargs wc -l",
      "ls -l src/*",
      "find src -name '*.ts' | xargs cat",
    ]),
  ).toEqual([]);
  expect(await files.others("ask", ["find . -maxdepth 2 -type f | head -9 | xargs wc -l"])).toEqual([]);
});

test("thousands of names under a hundred rules are compared at once", async () => {
  for (let at = 0; at < 3_000; at++) files.put(`src/d${at % 30}/file${at}.ts`);
  const deny = Array.from({ length: 100 }, (_, at) => [`Read(**/*.key${at})`, `Edit(name${at})`][at % 2]!);
  const started = processorMs();
  expect(await files.others("allow", ["cat src/*/*", "find . -type f | xargs wc -l"], { deny })).toEqual([]);
  expect(processorMs() - started).toBeLessThan(5_000);
});
