// What a project's rules deny, by every other way a hostile reader could think of: in the modes people work in, and where all else is allowed.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DISGUISED, PROJECT_RULES } from "./corpus/texts.js";
import { type Files, filesIn } from "./files-kit.js";

let files: Files;
beforeAll(async () => {
  files = await filesIn(".env", "secrets/key.txt", ".github/workflows/ci.yml", "src/a.ts", "package.json", "list");
  appendFileSync(join(files.root, ".gitignore"), ".env\nsecrets\n");
  files.git("init");
  files.git("add", "-A");
  files.git("commit", "-m", "all");
});
afterAll(() => files.close());

test.each(["default", "acceptEdits", "plan"] as const)(
  "under a project's rules none runs in mode %s",
  async (mode) => {
    expect(await files.others(["ask", "deny"], DISGUISED, PROJECT_RULES, mode)).toEqual([]);
  },
  120_000,
);

test("where all else is allowed none runs", async () => {
  const rules = { ...PROJECT_RULES, allow: ["Bash", "Read", "Edit", "WebFetch"] };
  expect(await files.others(["ask", "deny"], DISGUISED, rules)).toEqual([]);
});

test("what is only to be asked about is asked about all the same", async () => {
  const rules = { allow: ["Bash", "Read", "Edit", "WebFetch"], ask: PROJECT_RULES.deny ?? [] };
  expect(await files.others(["ask", "deny"], DISGUISED, rules)).toEqual([]);
});

test("what unpacks may write whatever a rule denies to write, and reads nothing", async () => {
  const lines = ["tar xf x.tar", "unzip x.zip", "jar xf a.jar", "git apply x.patch", "patch -p1 < x.patch"];
  expect(await files.others("ask", lines, { allow: ["Bash"], deny: ["Edit(.github/**)"] })).toEqual([]);
  expect(await files.others("allow", lines, { allow: ["Bash"], deny: ["Read(secrets/**)"] })).toEqual([]);
  const named = { allow: ["Bash(unzip:*)", "Bash(git apply:*)"], deny: ["Edit(.github/**)"] };
  expect(await files.others("allow", ["unzip x.zip", "git apply x.patch"], named)).toEqual([]);
});

test("a name that is known only at run time asks while a rule is about files, in every mode", async () => {
  const lines = ['cat "$X"', 'for f in .*; do cat "$f"; done', "zip -@ x < list", "cpio -o < list"];
  expect(await files.others("ask", lines, { deny: ["Read(.env)"] }, "bypassPermissions")).toEqual([]);
  expect(await files.others("allow", lines, { allow: ["Bash"], deny: ["Bash(rm:*)"] })).toEqual([]);
});

test("a program that names the directory it serves, packs or checks is not asked about another", async () => {
  const lines = [
    "python3 -m http.server -d src",
    "npx http-server src -p 8080",
    "python3 -m zipfile -c a.zip src",
    "tsc -p .",
    "npx eslint .",
    "make",
    "git add -A",
    "git commit -am x",
    "docker compose config --services",
  ];
  expect(await files.others("allow", lines, { ...PROJECT_RULES, allow: ["Bash"] })).toEqual([]);
});

test.each([
  ["Bash(git:*)", "ask"],
  ["Bash(git add:*)", "allow"],
])("where git does not ignore what is denied, %s answers the whole directory with %s", async (rule, answer) => {
  const others = await filesIn(".env", "src/a.ts");
  others.git("init");
  const lines = ["git add -A", "git add .", "git add :/", "git add --pathspec-from-file=src/a.ts"];
  expect(await others.others(answer, lines, { allow: [rule], deny: ["Read(.env)"] })).toEqual([]);
  await others.close();
});
