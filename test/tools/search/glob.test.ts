import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { builtinTools } from "../../../src/tools/builtin-tools.js";
import { createGlobTool } from "../../../src/tools/search/glob.js";
import { runs } from "../../runs.js";
import { openWorkspace, temporaryDirectory, temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

const FILES = runs(1_100, 2_500, 2_500);

async function openFiles(files: Record<string, string>, parent?: string) {
  const root = parent ?? (await temporaryDirectory());
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const tool = createGlobTool(await openWorkspace({ root }));
  async function glob(pattern: string, path?: string): Promise<string[]> {
    const { text, details } = await callTool(tool, { pattern, ...(path && { path }) });
    return (details as { total: number }).total === 0 ? [] : text.split("\n").sort();
  }
  return { root, tool, glob };
}

const TREE = {
  "a.ts": "",
  "b.js": "",
  ".env.example": "",
  "src/a.ts": "",
  "src/a.tsx": "",
  "src/deep/er/c.ts": "",
  "src/app/[id]/page.tsx": "",
  "src/app/(group)/page.tsx": "",
  ".github/workflows/ci.yml": "",
};

test.each([
  ["*.ts", ["a.ts"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/er/c.ts"]],
  ["src/**/*.ts", ["src/a.ts", "src/deep/er/c.ts"]],
  [
    "**/*.{ts,tsx}",
    ["a.ts", "src/a.ts", "src/a.tsx", "src/app/(group)/page.tsx", "src/app/[id]/page.tsx", "src/deep/er/c.ts"],
  ],
  ["{src,lib}/*.ts", ["src/a.ts"]],
  ["{src/deep,lib}/**", ["src/deep/er/c.ts"]],
  ["**/*.yml", [".github/workflows/ci.yml"]],
  [".env*", [".env.example"]],
  ["src/app/[id]/*.tsx", ["src/app/[id]/page.tsx"]],
  ["src/app/[id]/page.tsx", ["src/app/[id]/page.tsx"]],
  ["src/app/(group)/*", ["src/app/(group)/page.tsx"]],
  ["./src/*.ts", ["src/a.ts"]],
  ["src/../*.ts", ["a.ts"]],
  ["?.js", ["b.js"]],
  ["[ab].js", ["b.js"]],
  ["src", []],
  ["missing/**", []],
  ["!a.ts", []],
])("`%s` finds %j", async (pattern, paths) => {
  const { glob } = await openFiles(TREE);

  expect(await glob(pattern)).toEqual(paths.toSorted());
});

test.each([
  ["j\\*.md", ["j*.md"]],
  ["**/j\\*.md", ["j*.md"]],
  ["a\\*b/*.ts", ["a*b/c.ts"]],
  ["\\[id\\]/*", ["[id]/x.ts"]],
  ["!*", ["!n"]],
  ["[!aj]*", ["!n", "k\\l"]],
  ["k\\\\l", ["k\\l"]],
  ["k\\l", ["k\\l"]],
  ["a*b//*.ts", ["a*b/c.ts", "axb/c.ts"]],
])("`%s` takes what is escaped as it is, and finds %j", async (pattern, paths) => {
  const names = ["j*.md", "jx.md", "a*b/c.ts", "axb/c.ts", "[id]/x.ts", "i/x.ts", "!n", "k\\l"];
  const { glob } = await openFiles(Object.fromEntries(names.map((name) => [name, ""])));

  expect(await glob(pattern)).toEqual(paths);
});

test("a pattern counts from `path`, and may be absolute inside the workspace", async () => {
  const { root, glob } = await openFiles(TREE);

  expect(await glob("*.ts", "src")).toEqual(["src/a.ts"]);
  expect(await glob(`${root}/src/*.ts`)).toEqual(["src/a.ts"]);
  expect(await glob(`${root}/src/a.ts`)).toEqual(["src/a.ts"]);
});

test("the newest come first, at most 100, with the total", async () => {
  const { root, tool } = await openFiles({}, await temporaryDirectory({ forThousands: true }));
  for (let i = 0; i < FILES; i++) {
    writeFileSync(join(root, `f${i}.txt`), "");
    utimesSync(join(root, `f${i}.txt`), i, i);
  }

  const { text, details } = await callTool(tool, { pattern: "*.txt" });

  const lines = text.split("\n");
  expect(lines.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => `f${FILES - 1 - i}.txt`));
  expect(lines.slice(100)).toEqual([`[The newest 100 of ${FILES} files. Use a narrower pattern to see others]`]);
  expect(details).toEqual({ total: FILES });
});

test("what .gitignore files ignore is skipped, the deeper one deciding", async () => {
  const { glob } = await openFiles({
    ".git/info/exclude": "private\n",
    ".gitignore": "*.log\n/out/\n!keep.log\ncache/\n",
    "x.log": "",
    "keep.log": "",
    private: "",
    "out/a.ts": "",
    "src/out/a.ts": "",
    "src/cache/a.ts": "",
    "src/.gitignore": "*.tmp\n!y.log\n/Only",
    "src/y.log": "",
    "src/z.log": "",
    "src/z.tmp": "",
    "src/Only": "",
    "src/only": "",
    "z.tmp": "",
    "node_modules/x/index.js": "",
  });

  expect(await glob("**/*")).toEqual(
    [
      ".gitignore",
      "keep.log",
      "src/.gitignore",
      "src/only",
      "src/out/a.ts",
      "src/y.log",
      "node_modules/x/index.js",
      "z.tmp",
    ].sort(),
  );
});

test("without a .gitignore the usual noise is skipped, and version control always", async () => {
  const noise = ["node_modules", "__pycache__", ".venv", "venv", ".tox", "dist", "build", ".git", ".hg", ".svn"];
  const { glob } = await openFiles({
    "a.txt": "",
    "sub/build.txt": "",
    "sub/dist": "a file",
    ...Object.fromEntries(
      noise.flatMap((name) => [
        [`${name}/a.txt`, ""],
        [`packages/p/${name}/a.txt`, ""],
      ]),
    ),
  });

  expect(await glob("**/*")).toEqual(["a.txt", "sub/build.txt", "sub/dist"]);
});

test.each([
  ["node_modules/**/*.js", undefined, ["node_modules/x/dist/i.js"]],
  ["**/node_modules/x/*/*.js", undefined, ["node_modules/x/dist/i.js"]],
  ["**/*.js", "node_modules/x", ["node_modules/x/dist/i.js"]],
  ["**/*.js", "node_modules", ["node_modules/x/dist/i.js"]],
  [".git/*", undefined, [".git/config"]],
  ["{dist,lib}/*", undefined, ["dist/o.js"]],
  ["dist/o.js", undefined, ["dist/o.js"]],
])("`%s` in %s names what else is skipped", async (pattern, path, paths) => {
  const { glob } = await openFiles({
    ".gitignore": "node_modules\ndist\n",
    ".git/config": "",
    "node_modules/x/dist/i.js": "",
    "dist/o.js": "",
  });

  expect(await glob(pattern, path)).toEqual(paths);
});

test("a search below a repository obeys the repository's .gitignore; a nested repository its own", async () => {
  const top = await temporaryDirectory();
  await mkdir(join(top, ".git"));
  await writeFile(join(top, ".gitignore"), "*.log\n/inner/secret/\n");

  const { glob } = await openFiles(
    { "a.log": "", "a.txt": "", "secret/b": "", "nested/.git/HEAD": "", "nested/c.log": "" },
    join(top, "inner"),
  );

  expect(await glob("**/*")).toEqual(["a.txt", "nested/c.log"]);
});

test("links are shown only when they lead to a file inside, and links to directories are not followed", async () => {
  const outside = await temporaryDirectory();
  await writeFile(join(outside, "secret.txt"), "");
  const { root, glob } = await openFiles({ "real/a.txt": "" });
  await symlink(join(outside, "secret.txt"), join(root, "out.txt"));
  await symlink(outside, join(root, "outside"));
  await symlink("real/a.txt", join(root, "in.txt"));
  await symlink("real", join(root, "inside"));
  await symlink(".", join(root, "loop"));
  await symlink("nowhere", join(root, "dangling.txt"));

  expect(await glob("**/*.txt")).toEqual(["in.txt", "real/a.txt"]);
  expect(await glob("inside/*.txt")).toEqual(["real/a.txt"]);
});

test.each(["../*", "/etc/*", "/etc/passwd", "outside/*"])("`%s` leads out and is refused", async (pattern) => {
  const { root, tool } = await openFiles({});
  await symlink("/etc", join(root, "outside"));

  await expect(callTool(tool, { pattern })).rejects.toMatchObject({ code: expect.stringMatching(/^PATH_/) });
});

test("a `path` that does not exist is an error, a pattern without matches is not", async () => {
  const { tool } = await openFiles({ "a.txt": "" });

  await expect(callTool(tool, { pattern: "*", path: "nope" })).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  await expect(callTool(tool, { pattern: "*", path: "a.txt" })).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  expect((await callTool(tool, { pattern: "*.md" })).text).toContain('No file matches "*.md"');
});

test("what the sandbox protects is not shown", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "vault"));
  await writeFile(join(root, "vault/key.txt"), "");
  await writeFile(join(root, "open.txt"), "");
  const tool = createGlobTool(await openWorkspace({ root, protectedPaths: ["vault"] }));

  expect(await callTool(tool, { pattern: "**/*.txt" })).toMatchObject({ text: "open.txt", details: { total: 1 } });
});

test("an aborted search rejects with the signal's reason", async () => {
  const { tool } = await openFiles(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d${i}/a`, ""])));
  const context = { signal: AbortSignal.abort(new Error("enough")) };

  await expect(callTool(tool, { pattern: "**/*" }, context)).rejects.toThrow("enough");
});

test("names no file can have, and links that lead nowhere, match nothing", async () => {
  const { root, glob } = await openFiles({ "a.txt": "" });
  await symlink("loop", join(root, "loop"));

  for (const pattern of ["*".repeat(3_000), "x".repeat(3_000), "loop", "a.txt/*"]) {
    expect(await glob(pattern), pattern.slice(0, 10)).toEqual(pattern.startsWith("**") ? ["a.txt"] : []);
  }
});

test("files that may be read are shown, however many newer ones may not", async () => {
  const { root, workspace } = await temporaryWorkspace({ protectedPaths: ["hidden"] });
  await mkdir(join(root, "hidden"));
  await writeFile(join(root, "old.txt"), "");
  await utimes(join(root, "old.txt"), 1, 1);
  for (let n = 0; n < FILES; n++) writeFileSync(join(root, "hidden", `${n}.txt`), "");
  const tool = createGlobTool(workspace);

  const { text, details } = await callTool(tool, { pattern: "**/*.txt" });

  expect([text, details]).toEqual(["old.txt", { total: 1 }]);
});

test("names with line breaks, control or direction characters are quoted wherever they are shown", async () => {
  const { root, workspace } = await temporaryWorkspace();
  const name = "a\nb\u202e\u001b[31m.txt";
  const quoted = '"a\\nb\\u202e\\u001b[31m.txt"';
  await mkdir(join(root, "dir\u2028x"));
  await writeFile(join(root, name), "needle\n");
  const tools = builtinTools(workspace, {
    names: ["glob", "grep", "list_dir", "read_file", "edit_file", "write_file", "create_dir"],
  });
  const call = (tool: string, args: JsonObject) =>
    callTool(tools.find((each) => each.name === tool)!, args).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );

  expect(await call("glob", { pattern: "*.txt" })).toBe(quoted);
  expect(await call("grep", { pattern: "needle" })).toBe(quoted);
  expect(await call("grep", { pattern: "needle", output_mode: "content" })).toBe(`${quoted}:1:needle`);
  expect(await call("list_dir", {})).toContain(quoted);
  expect(await call("read_file", { path: "." })).toContain(`\n${quoted}\n"dir\\u2028x/"`.replace('/"', '"/'));
  expect(await call("read_file", { path: `${name}2` })).toContain(`Did you mean ${quoted}?`);
  expect(await call("edit_file", { path: name, old_text: "needle", new_text: "n" })).toMatch(`Edited ${quoted}`);
  const all = [
    await call("write_file", { path: `${name}/x`, content: "" }),
    await call("edit_file", { path: `${name}2`, old_text: "a", new_text: "n" }),
    await call("create_dir", { path: name }),
    await call("list_dir", { path: name }),
    await call("glob", { pattern: "*", path: name }),
    await call("grep", { pattern: "zzz", path: name }),
    await call("grep", { pattern: "zzz", path: `${name}2` }),
    await call("read_file", { path: `${name}2` }),
    await call("read_file", { path: `../${name}` }),
    await call("read_file", { path: "dir\u2028x" }),
  ];
  for (const message of all) {
    for (const raw of ["\u202e", "\u2028", "\u001b", "a\nb"]) expect(message).not.toContain(raw);
  }
});
