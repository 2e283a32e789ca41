// What looks like reading and is not: by settings, variables, formats, languages and files that choose what a program does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EDITS, HIDDEN, HIDDEN_DENIED, HIDDEN_RULES } from "./corpus/texts.js";
import { type Files, filesIn } from "./files-kit.js";

let files: Files;
beforeAll(async () => {
  files = await filesIn(
    "src/a.ts",
    "README.md",
    "package.json",
    ".env",
    "list",
    "docs/a.md",
    "a.zip",
    "x.tar",
    "keys/a.pem",
  );
  files.put("../outside.txt", "../outside/y");
  files.link("../outside", "out");
  files.link("src", "lib");
  files.git("init");
  files.git("add", "src", "README.md");
  files.git("commit", "-m", "a");
});
afterAll(() => files.close());

test.each(["default", "acceptEdits", "plan"] as const)(
  "without rules none of it runs in mode %s",
  async (mode) => {
    expect(await files.others(["ask", "deny"], HIDDEN, {}, mode)).toEqual([]);
  },
  120_000,
);

test("a deny holds against it where all else is allowed", async () => {
  expect(await files.others(["ask", "deny"], HIDDEN_DENIED, HIDDEN_RULES)).toEqual([]);
});

test("edits that are accepted lead nowhere else", async () => {
  expect(await files.others(["ask", "deny"], EDITS, {}, "acceptEdits")).toEqual([]);
});

test("a variable that only tunes what is shown, and a plain format, need no rule", async () => {
  const plain = [
    "LC_ALL=C sort README.md",
    "TZ=Europe/Berlin date",
    "NO_COLOR=1 CI=true npm ls",
    "export CI=1; ls",
    "env LANG=C grep x README.md",
    "printf '%-10s %5.2f %(%F)T\\n' a 1 -1",
  ];
  expect(await files.others("allow", plain)).toEqual([]);
  const asked = ["FOO=1 ls", "export FOO=1; ls", "env FOO=1 ls", "LC_ALL=../x ls", "TZ=../x date"];
  expect(await files.others("ask", asked)).toEqual([]);
  expect(await files.others("allow", ["FOO=1 npm test"], { allow: ["Bash(npm test)"] })).toEqual([]);
});

const STEERED: readonly (readonly [file: string, line: string])[] = [
  [".yarnrc", "yarn why x"],
  [".yarnrc.yml", "yarn --version"],
  [".pnpmfile.cjs", "pnpm ls"],
  ["rust-toolchain.toml", "cargo --version"],
  ["rust-toolchain", "rustc -V"],
  [".cargo/config.toml", "cargo metadata"],
  [".mvn/jvm.config", "mvn --version"],
  [".bundle/config", "bundle -v"],
  ["global.json", "dotnet --version"],
  ["pnpm-workspace.yaml", "pnpm ls"],
  [".npmrc", "npm ls"],
  [".corepack.env", "yarn --version"],
  [".erlang", "elixir --version"],
  [".shellcheckrc", "shellcheck src/a.ts"],
];

test.each(STEERED)("where %s chooses what runs, this asks: %s", async (file, line) => {
  const project = await filesIn("src/a.ts");
  expect(await project.others("allow", [line, `cd src && ${line}`])).toEqual([]);
  project.put(file);
  expect(await project.others("ask", [line, `cd src && ${line}`])).toEqual([]);
  await project.close();
});

test.each([
  ["package.json", '{ "packageManager": "pnpm@9.0.0" }', ["pnpm --version", "pnpm ls", "pnpm why x", "yarn -v"]],
  ["package.json", '{ "package\\u004danager": "pnpm@9.0.0" }', ["pnpm --version", "yarn why x"]],
  ["go.mod", "module x\n\ngo 1.21\n\ntoolchain go1.22.0-mine\n", ["go version", "go list ./...", "go env GOROOT"]],
  ["go.work", "go 1.21\ntoolchain go1.22.0\n", ["go version"]],
] as const)("where %s names the version of a tool, this asks: %j", async (file, text, lines) => {
  const project = await filesIn("src/a.ts");
  const set = (content: string) => writeFileSync(join(project.root, file), content);
  set(file === "package.json" ? '{ "name": "x" }' : "module x // toolchain\n\ngo 1.21\n");
  expect(await project.others("allow", [...lines, `cd src && ${lines[0]}`])).toEqual([]);
  set(text);
  expect(await project.others("ask", [...lines, `cd src && ${lines[0]}`])).toEqual([]);
  await project.close();
});

test("settings of npm steer nothing where all of them are known to be plain", async () => {
  const project = await filesIn("src/a.ts");
  const set = (text: string) => writeFileSync(join(project.root, ".npmrc"), text);
  set("# ours\nsave-exact=true\nengine-strict = true\n\nsave-prefix=''\n");
  expect(await project.others("allow", ["npm ls", "pnpm ls", "cd src && npm root"])).toEqual([]);
  for (const line of ["registry=https://evil.example/", "cache=src", "logs-dir=src", "//x/:_authToken=\u0024{HOME}"]) {
    set(`fund=false\n${line}\n`);
    expect(await project.others("ask", ["npm ls", "npm run", "npm --version", "pnpm ls"])).toEqual([]);
  }
  await project.close();
});

test.each([".ignore", "src/.rgignore", ".gitignore"])("a search that %s leads to hidden files asks", async (file) => {
  const project = await filesIn("src/a.ts", "src/.env", ".env");
  expect(await project.others("allow", ["rg TOKEN"])).toEqual([]);
  writeFileSync(join(project.root, file), "x\n!.env\n");
  expect(await project.others("ask", ["rg TOKEN"])).toEqual([]);
  await project.close();
});
