import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChangeJournal } from "../../../src/contracts/workspace.js";
import { fakeToolContext } from "../../../src/testing/fake-tool-context.js";
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

test("a new file is created with its folders, and told with lines, bytes and a diff", async () => {
  const { write, onDisk } = await setUp();

  const { output, details } = await write("src/deep/a.ts", "one\ntwo\n");

  expect(await onDisk("src/deep/a.ts")).toBe("one\ntwo\n");
  expect(output).toBe(
    'Created "src/deep/a.ts": 2 lines, 8 bytes.\n--- /dev/null\n+++ src/deep/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two',
  );
  expect(details).toMatchObject({ path: "src/deep/a.ts", change: "created", lines: 2, bytes: 8 });
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
  await expect(write("huge", "x")).rejects.toMatchObject({ code: "EDIT_STALE" });
  await read("huge");

  await write("huge", "small\n");

  expect(await readFile(path, "utf8")).toBe("small\n");
});

test("nothing is left behind when a file cannot be written", async () => {
  const { root, write } = await setUp();
  await mkdir(join(root, "folder"));

  await expect(write("folder", "x")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
  await expect(write("../a", "x")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(write(".git/hooks/pre-commit", "x")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  await expect(write("a", "half \ud800")).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });

  expect(await readdir(root, { recursive: true })).toEqual(["folder"]);
});

test("an aborted call writes nothing", async () => {
  const { root, tool } = await setUp();
  const context = fakeToolContext();
  context.abort();

  await expect(callTool(tool, { path: "a", content: "x" }, context)).rejects.toMatchObject({ code: "RUN_ABORTED" });

  expect(await readdir(root)).toEqual([]);
});

test("the journal is told what was there before, and can stop the change", async () => {
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
  await write("a", "2");
  await expect(write("a", "3")).rejects.toThrow("journal is full");

  const call = { sessionId: "s", transcriptId: "s", runId: "run-1", turn: 1, toolCallId: "call_1" };
  const change = { ...call, path: join(root, "a"), folders: [] };
  expect(told.slice(0, 2)).toEqual([
    { ...change, before: null, mode: 0, after: "1" },
    { ...change, before: "1", mode: 0o600, after: "2" },
  ]);
  expect(await onDisk("a")).toBe("2");
});

test("a long diff is cut at 3,000 characters", async () => {
  const { write } = await setUp();

  const { text } = await write("a", "some line of text\n".repeat(1_000));

  expect(text.length).toBeLessThan(3_200);
  expect(text).toMatch(/\(diff cut: \d+ more lines\)$/);
});

test("a file that was no text is replaced without a diff", async () => {
  const { root, read, write } = await setUp();
  await writeFile(join(root, "a"), Buffer.from([0, 1, 2]));
  await read("a");

  expect((await write("a", "x")).output).toBe('Replaced "a": 1 line, 1 byte.');
});

test("writing what others run or trust asks first", async () => {
  const { tool } = await setUp();
  const ask = (path: string) => tool.checkPermission?.({ path, content: "" }, { agentPath: [], sessionId: "s" });

  expect(ask(".github/workflows/ci.yml")).toMatchObject({
    behavior: "ask",
    reason: expect.stringMatching(/run by others/),
  });
  expect(ask("src/a.ts")).toEqual({ behavior: "passthrough" });
  expect(ask("../.bashrc")).toEqual({ behavior: "passthrough" });
});

test("a path that ends in a slash names a folder and makes no file", async () => {
  const { root, write } = await setUp();

  for (const path of ["new/", "new/."]) {
    await expect(write(path, "x")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
  }
  expect(await readdir(root)).toEqual([]);
});
