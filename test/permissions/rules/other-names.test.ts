// A deny holds for a program by any name it has: git's own programs, versions, packages, modules of Python.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeAll(async () => {
  files = await filesIn(".env", "a.ts");
});
afterAll(() => files.close());

const CORE = "/usr/lib/git-core";

test.each<readonly [rule: string, lines: readonly string[]]>([
  [
    "git push",
    [
      "git-push origin main",
      `${CORE}/git-push --force origin main`,
      `sudo ${CORE}/git-push`,
      `${CORE}/git-send-pack x`,
      "bun exec 'git push'",
      "bun --silent exec 'cd src && git push' x",
    ],
  ],
  ["git cliff", ["git-cliff --bump"]],
  ["git clean", ["git-clean -fdx", `echo x | xargs ${CORE}/git-clean -f`]],
  [
    "pip install",
    [
      "python3 -mpip install x",
      "python3 -Im pip install x",
      "python3 -m pip.__main__ install x",
      "python3 -Impip install x",
      "python3 -X dev -W ignore -mpip install x",
      "python3.11 -I -m pip install x",
      "pypy3 -m pip install x",
      "pip3.11 install x",
      "/opt/3.11.7/bin/pip3.11 --quiet install x",
      "pipx run pip==24.0 install x",
    ],
  ],
  ["pytest", ["python3 -mpytest", "python -Bm pytest a.py"]],
  ["twine upload", ["python -mtwine upload x", "uvx twine@5 upload x"]],
  [
    "npm install",
    ["npx npm@latest install x", "npx -y npm@10 i x", "pnpm dlx npm@9 install x", "npx npm@npm:npm@9 install x"],
  ],
  ["npm publish", ["bunx npm@9 publish", "corepack npm@9 publish", "npm exec -- npm@9 publish"]],
  ["gem push", ["gem3.1 push x"]],
  ["php", ["php8.2 a.php"]],
])("%s", async (rule, lines) => {
  const rules = { allow: ["Bash"], deny: [`Bash(${rule}:*)`] };
  expect(await files.others("deny", lines, rules)).toEqual([]);
  expect(await files.others("deny", lines, rules, "bypassPermissions")).toEqual([]);
  expect(await files.others("ask", lines, { allow: ["Bash"], ask: rules.deny }, "bypassPermissions")).toEqual([]);
});

test("what git's own program loses or reads counts as for git", async () => {
  const rules = { allow: ["Bash"], deny: ["Read(.env)"] };
  expect(await files.others("deny", ["git-show HEAD:.env", `${CORE}/git-blame .env`], rules)).toEqual([]);
  const lost = [`${CORE}/git-reset --hard`, "git-clean -fdx", "git-push --force", "npx -y npm@10 unpublish x"];
  expect(await files.others("ask", lost, rules)).toEqual([]);
  expect(await files.others("ask", ["git-status", `${CORE}/git-log`, "./git-log", "npm@9 ls", "pip3.11 list"])).toEqual(
    [],
  );
});

test("a rule for the name covers it, and other words of Python's are no module", async () => {
  const allow = "git-clean git-cliff git-lfs gem3.1 npx pip3.11".split(" ").map((name) => `Bash(${name}:*)`);
  const lines = [
    "git-clean -fdx",
    "git-cliff --bump",
    "git-lfs pull",
    "gem3.1 list",
    "npx eslint@8 a.ts",
    "pip3.11 list",
  ];
  expect(await files.others("allow", lines, { allow })).toEqual([]);
  const deny = ["Bash(pip install:*)", "Bash(python:*)"];
  const others = ["python3 a.py -m pip install x", "python3.11 a.py", "python3 -c 'x = 1' -m pip install"];
  expect(await files.others("allow", others, { allow: ["Bash"], deny })).toEqual([]);
});
