// A tree with what makes searches differ, and the searches whose answers are compared over a disk and over a machine.
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { Workspace } from "../../../src/contracts/workspace.js";
import { createGlobTool } from "../../../src/tools/search/glob.js";
import { createGrepTool } from "../../../src/tools/search/grep.js";
import { createListDirTool } from "../../../src/tools/search/list-dir.js";
import { callTool } from "../call-tool.js";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nneedle\n";

/** Writes some `count` files below `root`, with links to `outside`. */
export function writeSearchTree(root: string, outside: string, count = 300): void {
  const files: Record<string, string | Uint8Array> = {
    ".gitignore": "*.log\n/ignored/\n!keep.log\nodd/*.tmp\n",
    ".git/info/exclude": "excluded.txt\n",
    ".git/config": "needle",
    "excluded.txt": "needle",
    "a.log": "needle",
    "keep.log": "needle",
    "ignored/a.txt": "needle",
    "sub/.gitignore": "!a.log\nb.txt\nlocal/\n!local/x.txt\n",
    "sub/a.log": "needle",
    "sub/b.txt": "needle",
    "sub/local/x.txt": "needle",
    "sub/deep/.gitignore": "# nothing\n",
    "sub/deep/b.txt": "needle",
    "node_modules/p/index.js": "needle",
    "node_modules/p/dist/index.js": "needle",
    "packages/p/dist/out.js": "needle",
    "packages/q/build/out.js": "needle",
    "nested/.git/HEAD": "ref: refs/heads/main",
    "nested/a.log": "needle",
    "utf16.txt": Buffer.from("\ufeffone\nneedle in UTF-16\n", "utf16le"),
    "utf16be.txt": Buffer.from("\ufeffneedle\n", "utf16le").swap16(),
    "bom.txt": "\ufeffneedle\n",
    "binary.dat": Buffer.from("needle\0binary"),
    "late.txt": `${"line\n".repeat(2_500)}needle\0 after`,
    "latin.txt": Buffer.from([0xff, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]),
    "crlf.txt": "one\r\nneedle two\r\nthree",
    "empty.txt": "",
    "long.txt": `${"x".repeat(3_000)} needle ${"y".repeat(3_000)}`,
    ".env": "NEEDLE=needle",
    "config/.env.local": "needle",
    "keys/real.pem": KEY,
    "keys/public.pem": "-----BEGIN CERTIFICATE-----\nneedle\n",
    "keys/large.key": `${KEY}${"needle\n".repeat(20_000)}`,
    "big.txt": `${"some line\n".repeat(200_000)}the needle\n`,
    [`odd/${"n".repeat(200)}.txt`]: "needle",
    "odd/a.tmp": "needle",
  };
  const odd = ["line\nbreak.txt", " lead.txt", "tail .txt", "-rf", "[id].ts", "ü😀.ts", "a'b.ts", 'a"b.ts', "$(id).ts"];
  const more = ["back\\slash\\n.ts", "*.ts", "{a,b}.ts", "tab\t.ts", "#1", "=x", "^y", "+z", "!w", "%y.ts"];
  for (const name of [...odd, ...more]) files[`odd/${name}`] = "needle odd\n";
  files["odd/dir\nwith break/file"] = "needle";
  files["odd/ dir %s/\\x"] = "needle";
  const left = count - Object.keys(files).length;
  for (let index = 0; index < left; index++) {
    const text = index % 10 === 0 ? `const needle = ${index};\n` : "const other = 1;\n";
    files[`src/part-${index % 12}/module-${index}.ts`] = text.repeat(20);
  }
  const names = Object.entries(files);
  for (const [index, [path, content]] of names.entries()) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, 1_700_000_000, 1_700_000_000 + ((index * 7_919) % names.length) + index / 1_000);
  }
  writeFileSync(join(outside, "secret.txt"), "needle outside");
  const links = {
    "to-file": "a.log",
    "to-dir": "sub",
    out: outside,
    "out-file": `${outside}/secret.txt`,
    loop: "loop",
  };
  for (const [name, target] of Object.entries({ ...links, dangling: "nothing", "sub/up": "../crlf.txt" })) {
    symlinkSync(target, join(root, name));
  }
  mkdirSync(join(root, "linked"));
  symlinkSync("../sub/.gitignore", join(root, "linked/.gitignore"));
  writeFileSync(join(root, "linked/b.txt"), "needle");
  linkSync(join(root, "crlf.txt"), join(root, "hard.txt"));
  linkSync(join(root, "crlf.txt"), join(root, "hard-2.txt"));
  mkdirSync(join(root, "empty"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  writeFileSync(join(root, "large.bin"), "needle in what is too large\n");
  truncateSync(join(root, "large.bin"), 65 * 1024 * 1024);
  writeFileSync(join(root, "unreadable.txt"), "needle");
  chmodSync(join(root, "unreadable.txt"), 0);
}

export const TOOLS = {
  glob: (workspace: Workspace) => createGlobTool(workspace),
  grep: (workspace: Workspace) => createGrepTool(workspace, { timeBudgetMs: 120_000 }),
  list_dir: (workspace: Workspace) => createListDirTool(workspace),
};

type Search = readonly [keyof typeof TOOLS, { readonly [name: string]: JsonValue }];

export const SEARCHES: readonly Search[] = [
  ...["**/*", "*", "**/*.ts", "src/**/*.{ts,tsx}", "*.txt", "odd/*", "**/.gitignore", "node_modules/**/*.js"].map(
    (pattern) => ["glob", { pattern }] as const,
  ),
  ...["**/dist/*.js", "odd/[id].ts", "to-dir/*", "to-file", "**/.git/*", "packages/**", "nothing/**", "."].map(
    (pattern) => ["glob", { pattern }] as const,
  ),
  ["glob", { pattern: "*", path: "sub" }],
  ["glob", { pattern: "*.pem", path: "keys" }],
  ["glob", { pattern: "../*.txt", path: "sub" }],
  ["grep", { pattern: "needle" }],
  ["grep", { pattern: "needle", head_limit: 3 }],
  ["grep", { pattern: "needle", output_mode: "content", "-C": 1, head_limit: 500 }],
  ["grep", { pattern: "needle", output_mode: "count" }],
  ["grep", { pattern: "NEEDLE", "-i": true, output_mode: "content", glob: "*.txt" }],
  ["grep", { pattern: "^const needle", type: "ts" }],
  ["grep", { pattern: "e\\r?\\n", multiline: true, output_mode: "content", head_limit: 20 }],
  ["grep", { pattern: "(?<=const )needle", output_mode: "count" }],
  ["grep", { pattern: "nowhere at all" }],
  ["grep", { pattern: "needle", path: "sub", output_mode: "content" }],
  ["grep", { pattern: "needle", path: "sub/local" }],
  ["grep", { pattern: "needle", path: "ignored" }],
  ["grep", { pattern: "needle", path: "crlf.txt", output_mode: "content" }],
  ["grep", { pattern: "needle", path: "to-dir" }],
  ["grep", { pattern: "needle", path: "keys" }],
  ["grep", { pattern: "needle", path: "odd" }],
  ["grep", { pattern: "needle", path: "node_modules" }],
  ["grep", { pattern: "needle", glob: "node_modules/**/*.js" }],
  ["grep", { pattern: "needle", glob: "packages/**/*.js" }],
  ["grep", { pattern: "needle", glob: "!*.ts" }],
  ["grep", { pattern: "needle", path: "nested" }],
  ["grep", { pattern: "needle", path: "out" }],
  ["grep", { pattern: "(", path: "." }],
  ["list_dir", {}],
  ["list_dir", { depth: 4 }],
  ["list_dir", { path: "sub", depth: 3 }],
  ["list_dir", { path: "odd" }],
  ["list_dir", { path: "nothing" }],
];

/** What a tool answers, or the error; places of files are named alike. */
export async function answerOf(
  workspace: Workspace,
  name: keyof typeof TOOLS,
  input: { readonly [name: string]: JsonValue },
): Promise<unknown> {
  const answer = await callTool(TOOLS[name](workspace), input).then(
    ({ text, details }) => ({ details, text }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  );
  return JSON.parse(JSON.stringify(answer).replaceAll(workspace.root, "ROOT"));
}

/** Each search answers the same over both; `machine` counts the round trips of the second. */
export async function expectSameAnswers(
  here: Workspace,
  there: Workspace,
  {
    machine,
    searches = SEARCHES,
  }: { readonly machine: { readonly trips: number }; readonly searches?: typeof SEARCHES },
): Promise<void> {
  for (const [name, input] of searches) {
    const label = `${name} ${JSON.stringify(input)}`;
    const before = machine.trips;
    const answer = await answerOf(there, name, input);
    const trips = machine.trips - before;
    expect.soft(answer, label).toEqual(await answerOf(here, name, input));
    // Links that are followed together take two trips where a second shell becomes free in between.
    expect.soft(trips, label).toBeLessThanOrEqual(name === "list_dir" ? 8 : 5);
  }
}
