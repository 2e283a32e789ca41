// Searches answer the same whether the files lie on the disk or are only reached through a workspace's `FileAccess`.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { createMemoryWorkspace } from "loopwright/testing";
import { localMachine } from "loopwright/workspace";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { FileAccess, OpenFile, Workspace } from "../../../src/contracts/workspace.js";
import { createGlobTool } from "../../../src/tools/search/glob.js";
import { createGrepTool } from "../../../src/tools/search/grep.js";
import { createListDirTool } from "../../../src/tools/search/list-dir.js";
import { runs } from "../../runs.js";
import { openMachine } from "../../workspace/machines/open-machine.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

/** How long what is waited for may take on a busy machine. */

/** The files of a workspace as if they were on another machine: reached through their contract only. */
function elsewhere(workspace: Workspace, change: Partial<FileAccess> = {}): Workspace {
  const { files } = workspace;
  const contract: FileAccess = {
    resolve: (path, access) => files.resolve(path, access),
    stat: (path) => files.stat(path),
    open: (path) => files.open(path),
    read: (path) => files.read(path),
    write: (path, content, options) => files.write(path, content, options),
    makeDirectory: (path) => files.makeDirectory(path),
    list: (path) => files.list(path),
    withLock: (path, access, work) => files.withLock(path, access, work),
  };
  return { ...workspace, files: { ...contract, ...change } };
}

const TOOLS = {
  glob: (workspace: Workspace) => createGlobTool(workspace),
  grep: (workspace: Workspace) => createGrepTool(workspace, { ripgrep: false }),
  list_dir: (workspace: Workspace) => createListDirTool(workspace),
};

async function answerOf(workspace: Workspace, name: keyof typeof TOOLS, input: JsonValue): Promise<unknown> {
  const answer = await callTool(TOOLS[name](workspace), input).then(
    // When a file was made is not what is compared.
    ({ text, details }) => ({ details, text: name === "glob" ? text.split("\n").sort() : text }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  );
  return JSON.parse(JSON.stringify(answer).replaceAll(workspace.root, "ROOT"));
}

const CONTENTS: readonly (string | Uint8Array)[] = [
  "",
  "needle\n",
  "one\r\nneedle two\r\nthree",
  "a\nb\nc needle\nd\nneedle e\nf\ng\n",
  `${"x".repeat(3_000)} needle ${"y".repeat(3_000)}`,
  "éa😀 needle\n",
  Buffer.from("needle\0binary"),
  Buffer.from("\ufeffneedle in UTF-16\n", "utf16le"),
  Buffer.from([0xff, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]),
  `${"line\n".repeat(2_500)}needle\0 after`,
];
const IGNORES = ["*.log\n", "build/\n!keep.log\n", "/a\n", "*\n!*.ts\n", "!x.log\n", "# nothing\n", "b/*\n!b/c\n"];
const directory = fc.constantFrom("", "a/", "b/", "a/b/", "build/", "node_modules/x/", ".hidden/", "b/c/", "dist/");
const file = fc.tuple(
  fc
    .tuple(directory, fc.constantFrom("x.ts", "x.log", "keep.log", "[id].ts", "ü.txt", ".env", "a b"))
    .map((p) => p.join("")),
  fc.constantFrom(...CONTENTS),
);
const ignoreFile = fc.tuple(
  directory.map((path) => `${path}.gitignore`),
  fc.constantFrom(...IGNORES),
);
const tree = fc
  .tuple(fc.array(file, { minLength: 6, maxLength: 20 }), fc.array(ignoreFile, { maxLength: 3 }))
  .map(([files, ignores]) => Object.fromEntries([...files, ...ignores]));

const SEARCHES: readonly [keyof typeof TOOLS, JsonValue][] = [
  ["glob", { pattern: "**/*" }],
  ["glob", { pattern: "*.{ts,log}", path: "a" }],
  ["glob", { pattern: "node_modules/**/*.ts" }],
  ["glob", { pattern: "b/x.ts" }],
  ["grep", { pattern: "needle" }],
  ["grep", { pattern: "needle", output_mode: "content", "-C": 1 }],
  ["grep", { pattern: "needle|line", output_mode: "count", glob: "*.ts" }],
  ["grep", { pattern: "e\\r?\\n", output_mode: "content", multiline: true, head_limit: 3 }],
  ["grep", { pattern: "needle", path: "a/x.ts", output_mode: "content" }],
  ["grep", { pattern: "needle", path: "build", head_limit: 1 }],
  ["list_dir", { depth: 4 }],
  ["list_dir", { path: "a/b" }],
];

test("every search answers the same over a disk, over its contract alone, over a machine, and over memory", async () => {
  const property = fc.asyncProperty(tree, async (files) => {
    const { workspace, root } = await temporaryWorkspace();
    const machine = await openMachine(localMachine(), { root, spares: 0 });
    const memory = await createMemoryWorkspace({ files });
    for (const [path, content] of Object.entries(files)) await workspace.files.write(path, Buffer.from(content));

    for (const [name, input] of SEARCHES) {
      const onDisk = await answerOf(workspace, name, input);
      const label = `${name} ${JSON.stringify(input)}`;
      expect(await answerOf(elsewhere(workspace), name, input), label).toEqual(onDisk);
      expect(await answerOf(machine, name, input), label).toEqual(onDisk);
      expect(await answerOf(memory, name, input), label).toEqual(onDisk);
    }
  });

  await fc.assert(property, { numRuns: runs(2, 10, 300) });
});

test("a search of files elsewhere does not look at this machine", async () => {
  const { workspace: here, root } = await temporaryWorkspace();
  await here.files.write("secret.txt", Buffer.from("needle"));
  await here.files.write(".gitignore", Buffer.from("*"));
  const memory = await createMemoryWorkspace({ files: { "visible.txt": "needle" } });
  const there = (path: string) => path.replace(root, memory.root);
  // Another machine, which has the same paths and other files.
  const resolve = async (path: string) => (await memory.resolve(there(path), "read")).replace(memory.root, root);
  const other: Workspace = {
    ...elsewhere(memory, {
      resolve,
      stat: (path) => memory.files.stat(there(path)),
      list: (path) => memory.files.list(there(path)),
      open: async (path) => ({ ...(await memory.files.open(there(path))), path }),
    }),
    root,
    resolve,
  };

  expect((await callTool(createGrepTool(other), { pattern: "needle" })).text).toBe("visible.txt");
  expect((await callTool(createGlobTool(other), { pattern: "*" })).text).toBe("visible.txt");
  expect((await callTool(createListDirTool(other), {})).text).toBe("./\n  visible.txt  6 B");
});

test("a file larger than what is read at once is searched to its end, by pieces of any size", async () => {
  const { workspace } = await temporaryWorkspace();
  await workspace.files.write("big.txt", Buffer.from(`${"some line\n".repeat(300_000)}the needle\n`));
  let isOpen = 0;
  const open = async (path: string): Promise<OpenFile> => {
    const opened = await workspace.files.open(path);
    isOpen++;
    return {
      ...opened,
      read: (target, position) => opened.read(target.subarray(0, 100_001), position),
      close: async () => {
        isOpen--;
        await opened.close();
      },
    };
  };
  const remote = elsewhere(workspace, { open });

  const { text } = await callTool(createGrepTool(remote), { pattern: "needle", output_mode: "content" });

  expect(text).toBe("big.txt:300001:the needle");
  await expect.poll(() => isOpen).toBe(0);
});

test("a search ends by its time and by abort, also when the files do not answer", async () => {
  const memory = await createMemoryWorkspace({ files: { "a/b": "x" } });
  const forever = () => new Promise<never>(() => {});
  const [unlisted, unopened] = [elsewhere(memory, { list: forever }), elsewhere(memory, { open: forever })];
  const stop = new AbortController();
  const { signal } = stop;

  for (const workspace of [unlisted, unopened]) {
    const search = callTool(createGrepTool(workspace, { timeBudgetMs: 50 }), { pattern: "x" });
    await expect(search).rejects.toMatchObject({ code: "SEARCH_TIMEOUT" });
  }
  const searches = [
    callTool(createGrepTool(unlisted), { pattern: "x" }, { signal }),
    callTool(createGrepTool(unopened), { pattern: "x" }, { signal }),
    callTool(createGlobTool(unlisted), { pattern: "**" }, { signal }),
  ];
  stop.abort(new Error("stopped"));

  expect(await Promise.allSettled(searches)).toEqual(
    searches.map(() => ({ status: "rejected", reason: new Error("stopped") })),
  );
});

test("a failure that is none of the sandbox's ends the search with that failure", async () => {
  const memory = await createMemoryWorkspace({ files: { a: "x" } });
  const fail = () => Promise.reject(new TypeError("connection lost"));

  for (const part of [{ list: fail }, { open: fail }, { stat: fail }]) {
    const search = callTool(createGrepTool(elsewhere(memory, part)), { pattern: "x" });
    await expect(search).rejects.toThrow("connection lost");
  }
  const search = callTool(createGlobTool(elsewhere(memory, { list: fail })), { pattern: "*" });
  await expect(search).rejects.toThrow("connection lost");
});

test("ignore rules that are a pipe or a link are not", async () => {
  const { workspace, root, outside } = await temporaryWorkspace();
  writeFileSync(`${outside}/rules`, "*.txt\n");
  mkdirSync(`${root}/linked`);
  mkdirSync(`${root}/piped`);
  symlinkSync(`${outside}/rules`, `${root}/linked/.gitignore`);
  execFileSync("mkfifo", [`${root}/piped/.gitignore`]);
  for (const directory of ["linked", "piped"]) writeFileSync(`${root}/${directory}/a.txt`, "needle");

  for (const each of [workspace, elsewhere(workspace)]) {
    expect((await callTool(createGrepTool(each), { pattern: "needle" })).text).toBe("linked/a.txt\npiped/a.txt");
  }
});

test("each path of an answer is one line, whatever its name", async () => {
  const { workspace } = await temporaryWorkspace();
  await workspace.files.write("a\nsrc/fake.ts", Buffer.from("needle"));

  expect((await callTool(createGrepTool(workspace), { pattern: "needle" })).text).toBe('"a\\nsrc/fake.ts"');
  expect((await callTool(createGlobTool(workspace), { pattern: "**" })).text).toBe('"a\\nsrc/fake.ts"');
});

test("a grep's glob may be absolute, with ripgrep and without", async () => {
  const { root, workspace } = await temporaryWorkspace();
  for (const path of ["d/a.ts", "d/a.js", "a.ts"]) await workspace.files.write(path, Buffer.from("needle"));

  for (const ripgrep of [undefined, false] as const) {
    const grep = createGrepTool(workspace, { ripgrep });
    expect((await callTool(grep, { pattern: "needle", glob: `${root}/d/*.ts` })).text).toBe("d/a.ts");
    expect((await callTool(grep, { pattern: "needle", glob: `!${root}/d/**` })).text).toBe("a.ts");
    expect((await callTool(grep, { pattern: "needle", path: "d", glob: `${root}/d/*.js` })).text).toBe("d/a.js");
  }
});

test("a glob that is the directory itself finds nothing, and looks at nothing above it", async () => {
  const { workspace } = await temporaryWorkspace();

  expect((await callTool(createGlobTool(workspace), { pattern: "." })).text).toMatch(/^No file matches "\."/);
});
