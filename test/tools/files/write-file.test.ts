import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChangeJournal } from "../../../src/contracts/workspace.js";
import { fakeToolContext } from "../../../src/testing/tool/fake-tool-context.js";
import { createEditFileTool } from "../../../src/tools/edit/edit-file.js";
import { encodeText } from "../../../src/tools/files/text-encoding.js";
import { createWriteFileTool } from "../../../src/tools/files/write-file.js";
import { createReadFileTool } from "../../../src/tools/read/read-file.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function setUp(options: { journal?: ChangeJournal } = {}) {
  const { root, outside, workspace } = await temporaryWorkspace(options);
  const [reader, tool] = [createReadFileTool(workspace), createWriteFileTool(workspace)];
  const context = (sessionId: string) => fakeToolContext({ sessionId });
  const read = (path: string, sessionId = "s") => callTool(reader, { path }, context(sessionId));
  const write = (path: string, content: string, sessionId = "s") =>
    callTool(tool, { path, content }, context(sessionId));
  const onDisk = (path: string) => readFile(join(root, path), "utf8");
  return { root, outside, workspace, tool, read, write, onDisk };
}

test("a new file is created with its directories, and answered with one line", async () => {
  const { write, onDisk } = await setUp();

  const { output, details } = await write("src/deep/a.ts", "one\ntwo\n");

  expect(await onDisk("src/deep/a.ts")).toBe("one\ntwo\n");
  expect(output).toBe('Created "src/deep/a.ts": 2 lines, 8 bytes.');
  expect(details).toEqual({ path: "src/deep/a.ts", change: "created", lines: 2, bytes: 8 });
});

test("a file that was read is replaced, keeping its mode and the links to it", async () => {
  const { root, read, write, onDisk } = await setUp();
  await writeFile(join(root, "run.sh"), "old\n");
  await chmod(join(root, "run.sh"), 0o755);
  await symlink("run.sh", join(root, "link"));
  await read("run.sh");

  const { output } = await write("link", "new\n");

  expect(output).toBe('Replaced "link": 1 line, 4 bytes.\n--- link\n+++ link\n@@ -1,1 +1,1 @@\n-old\n+new');
  expect([await onDisk("run.sh"), await readlink(join(root, "link"))]).toEqual(["new\n", "run.sh"]);
  expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o755);
});

test("an existing file is refused until this session has read it, and again when others changed it", async () => {
  const { root, read, write, onDisk } = await setUp();
  const stale = { code: "EDIT_STALE" };
  await writeFile(join(root, "a"), "1");

  await expect(write("a", "x")).rejects.toMatchObject(stale);
  await read("a", "other session");
  await expect(write("a", "x")).rejects.toMatchObject(stale);
  await read("a");
  await writeFile(join(root, "a"), "2");
  await expect(write("a", "x")).rejects.toMatchObject(stale);
  expect(await onDisk("a")).toBe("2");
  await read("a");
  await write("a", "3");
  await write("a", "4");

  expect(await onDisk("a")).toBe("4");
});

test("touching a file without changing it does not make it stale, and ending the session forgets what was read", async () => {
  const { root, read, write, tool } = await setUp();
  await writeFile(join(root, "a"), "1");
  await read("a");
  await writeFile(join(root, "a"), "1");
  await write("a", "2");

  await tool.endSession?.("s");

  await expect(write("a", "3")).rejects.toMatchObject({ code: "EDIT_STALE" });
});

test("a huge file is guarded, too", async () => {
  const { root, read, write } = await setUp();
  const path = join(root, "huge");
  await writeFile(path, "x\n".repeat(9_000_000));
  await expect(write("huge", "x")).rejects.toMatchObject({ code: "EDIT_STALE" });
  await read("huge");
  await writeFile(path, "y\n".repeat(9_000_000));
  await expect(write("huge", "x")).rejects.toMatchObject({
    code: "EDIT_STALE",
    message: expect.stringContaining("changed by others"),
  });
  await read("huge");

  await expect(write("huge", "small\n")).rejects.toMatchObject({
    code: "EDIT_STALE",
    message: expect.stringMatching(/read only in part.*begins at line 2001 was not read/),
  });
});

test("nothing is left behind when a file cannot be written", async () => {
  const { root, write } = await setUp();
  await mkdir(join(root, "directory"));

  await expect(write("directory", "x")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
  await expect(write("../a", "x")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(write(".git/hooks/pre-commit", "x")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  await expect(write("a", "half \ud800")).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });

  expect(await readdir(root, { recursive: true })).toEqual(["directory"]);
});

test("an aborted call writes nothing", async () => {
  const { root, tool } = await setUp();
  const context = fakeToolContext();
  context.abort();

  await expect(callTool(tool, { path: "a", content: "x" }, context)).rejects.toMatchObject({ code: "RUN_ABORTED" });

  expect(await readdir(root)).toEqual([]);
});

test("the journal is reported what was there before, and can stop the change", async () => {
  const told: unknown[] = [];
  const textOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();
  const journal: ChangeJournal = {
    before: async ({ before, after, ...change }) => {
      told.push({ ...change, before: textOf(before), after: textOf(after!) });
      if (told.length === 3) throw new Error("journal is full");
    },
  };
  const { root, write, onDisk } = await setUp({ journal });

  await write("a", "1");
  await chmod(join(root, "a"), 0o600);
  const { mtimeMs } = await stat(join(root, "a"));
  await write("a", "2");
  await expect(write("a", "3")).rejects.toThrow("journal is full");

  const call = { sessionId: "s", transcriptId: "s", runId: "run-1", turn: 1, toolCallId: "call_1" };
  const change = { ...call, path: join(root, "a"), directories: [] };
  expect(told.slice(0, 2)).toEqual([
    { ...change, before: null, mode: 0, after: "1" },
    { ...change, before: "1", mode: 0o600, mtimeMs: Math.floor(mtimeMs), after: "2" },
  ]);
  expect(await onDisk("a")).toBe("2");
});

test("of a replaced file the model sees the beginning of the diff, and the host more of it", async () => {
  const { write } = await setUp();
  await write("a", "one\ntwo\n");
  const small = await write("a", "one\n2\n");
  const large = await write("a", "some line of text\n".repeat(1_000));

  expect(small.text).toBe('Replaced "a": 2 lines, 6 bytes.\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\n-two\n+2');
  expect(small.details).toMatchObject({ change: "replaced", diff: expect.stringContaining("-two\n+2") });
  expect(large.text.length).toBeLessThan(1_200);
  expect(large.text).toMatch(/\(diff cut: [^)]+\)$/);
  const { diff } = large.details as { diff: string };
  expect(diff.length).toBeGreaterThan(2_500);
  expect(diff.length).toBeLessThan(3_200);
});

const LINES = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}\n`).join("");

test("a file is replaced only after all of it was read, in any order of pages", async () => {
  const { root, workspace, write, onDisk } = await setUp();
  await writeFile(join(root, "a"), LINES);
  const reader = createReadFileTool(workspace);
  const context = fakeToolContext({ sessionId: "s" });
  const page = (offset: number, limit: number) => callTool(reader, { path: "a", offset, limit }, context);
  const refused = (from: string) =>
    expect(write("a", "x")).rejects.toMatchObject({ code: "EDIT_STALE", message: expect.stringContaining(from) });

  await page(1, 10);
  await refused("begins at line 11 was");
  await page(3_000, 2_001);
  await refused("begins at line 11 was");
  await page(5, 2_000);
  await refused("begins at line 2005 was");
  await page(1_000, 2_000);
  await write("a", "x\n");

  expect(await onDisk("a")).toBe("x\n");
});

test("what was read of a file before it changed does not count, nor does an edit of a file that was not read", async () => {
  const { root, workspace, read, write } = await setUp();
  const context = fakeToolContext({ sessionId: "s" });
  const [reader, editor] = [createReadFileTool(workspace), createEditFileTool(workspace)];
  const edit = (path: string, old_text: string, new_text: string) =>
    callTool(editor, { path, old_text, new_text }, context);
  await writeFile(join(root, "a"), LINES);
  await callTool(reader, { path: "a", limit: 2_500 }, context);
  await writeFile(join(root, "a"), LINES.replace("line 1\n", "line one\n"));
  await callTool(reader, { path: "a", offset: 2_501, limit: 3_000 }, context);
  await expect(write("a", "x")).rejects.toMatchObject({ code: "EDIT_STALE" });

  await writeFile(join(root, "b"), "one\ntwo\n");
  await edit("b", "one", "1");
  await expect(write("b", "x")).rejects.toMatchObject({ code: "EDIT_STALE" });
  await read("b");
  await edit("b", "two", "2");
  await write("b", "x");
  await write("b", "y");
});

test("a long line counts as read once its pieces were shown to its end", async () => {
  const { root, workspace, write } = await setUp();
  await writeFile(join(root, "a"), `first\n${"x".repeat(3_000)}\n${"é".repeat(90_000)}\nlast`);
  const reader = createReadFileTool(workspace);
  const context = fakeToolContext({ sessionId: "s" });
  const piece = (offset: number, column: number) => callTool(reader, { path: "a", offset, column }, context);
  const refused = (from: string) =>
    expect(write("a", "x")).rejects.toMatchObject({ code: "EDIT_STALE", message: expect.stringContaining(from) });

  await callTool(reader, { path: "a" }, context);
  await refused("begins at line 2, column 2001 was");
  await piece(2, 2_500);
  await refused("begins at line 2, column 2001 was");
  await piece(2, 2_001);
  await refused("begins at line 3, column 2001 was");
  await piece(3, 1);
  await refused("begins at line 3, column 80001 was");
  await piece(3, 80_001);
  await write("a", "x");
});

test("a replaced file keeps its encoding, byte order mark and line endings", async () => {
  const { root, read, write } = await setUp();
  const bytes = (text: string, name: "utf-8" | "utf-16le" | "utf-16be", hasBom: boolean) =>
    encodeText(text, { name, hasBom });
  const cases = [
    [bytes("a\r\nb\r\n", "utf-8", false), "a\nc\n", bytes("a\r\nc\r\n", "utf-8", false)],
    [bytes("a\r\nb\r\n", "utf-8", true), "\ufeffa\nc\r\n", bytes("a\r\nc\r\n", "utf-8", true)],
    [bytes("a\nb\n", "utf-8", false), "a\r\nc\r\n", bytes("a\nc\n", "utf-8", false)],
    [bytes("a\rb\r", "utf-8", false), "a\nc\n", bytes("a\rc\r", "utf-8", false)],
    [bytes("a\r\nb\n", "utf-8", false), "a\nc\n", bytes("a\nc\n", "utf-8", false)],
    [bytes("a\r\n", "utf-16le", true), "ü\n", bytes("ü\r\n", "utf-16le", true)],
    [bytes("a\n", "utf-16be", true), "ü\n", bytes("ü\n", "utf-16be", true)],
    [bytes("", "utf-8", true), "a\n", bytes("a\n", "utf-8", true)],
    [Buffer.alloc(0), "a\r\n", Buffer.from("a\r\n")],
  ] as const;
  for (const [index, [before, content, after]] of cases.entries()) {
    await writeFile(join(root, `${index}`), before);
    await read(`${index}`);
    await write(`${index}`, content);
    expect(await readFile(join(root, `${index}`)), String(index)).toEqual(after);
  }
});

test("replacement characters do not take the place of bytes that could not be read", async () => {
  const { root, read, write } = await setUp();
  const latin1 = Buffer.from("caf\xe9 = 1\n", "latin1");
  await writeFile(join(root, "a"), latin1);
  await read("a");

  await expect(write("a", "caf\ufffd = 2\n")).rejects.toMatchObject({
    code: "FILE_UNSUPPORTED",
    message: expect.stringContaining("iconv"),
  });
  expect(await readFile(join(root, "a"))).toEqual(latin1);
  expect((await write("a", "café = 2\n")).text).toContain("not valid UTF-8; it is now");
  await writeFile(join(root, "b"), "\ufffd\n");
  await read("b");
  await write("b", "\ufffd\ufffd\n");
});

test("a file that was not text is replaced without a diff", async () => {
  const { root, read, write } = await setUp();
  await writeFile(join(root, "a"), Buffer.from([0, 1, 2]));
  await read("a");

  expect((await write("a", "x")).output).toBe('Replaced "a": 1 line, 1 byte.');
});

test("writing what others run or trust asks first", async () => {
  const { tool } = await setUp();
  const ask = async (path: string) => tool.checkPermission?.({ path, content: "" }, { agentPath: [], sessionId: "s" });

  expect(await ask(".github/workflows/ci.yml")).toMatchObject({
    behavior: "ask",
    reason: expect.stringMatching(/needs approval: .*run or trusted by other programs/),
  });
  expect(await ask("src/a.ts")).toEqual({ behavior: "passthrough" });
  expect(await ask("../.bashrc")).toEqual({ behavior: "passthrough" });
});

test("a path that ends in a slash names a directory and makes no file", async () => {
  const { root, write } = await setUp();

  for (const path of ["new/", "new/."]) {
    await expect(write(path, "x")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
  }
  expect(await readdir(root)).toEqual([]);
});
