import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { fakeToolContext } from "../../../src/testing/tool/fake-tool-context.js";
import { createEditFileTool } from "../../../src/tools/edit/edit-file.js";
import { encodeText } from "../../../src/tools/files/text-encoding.js";
import { createReadFileTool } from "../../../src/tools/read/read-file.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function setUp() {
  const { root, workspace } = await temporaryWorkspace();
  const [tool, reader] = [createEditFileTool(workspace), createReadFileTool(workspace)];
  const path = join(root, "a.txt");
  return {
    path,
    tool,
    put: (content: string | Uint8Array) => writeFile(path, content),
    onDisk: () => readFile(path),
    read: () => callTool(reader, { path: "a.txt" }),
    edit: (old_text: string, new_text: string, replace_all = false) =>
      callTool(tool, { path: "a.txt", old_text, new_text, replace_all }),
    edits: (...edits: { old_text: string; new_text: string }[]) => callTool(tool, { path: "a.txt", edits }),
  };
}

test("an edit says where it matched, how, and a unified diff", async () => {
  const { put, edit, onDisk } = await setUp();
  await put("one\n  two\n  three\nfour\n");

  const { output, details } = await edit("two\nthree\n", "2\n3\n");

  expect((await onDisk()).toString()).toBe("one\n  2\n  3\nfour\n");
  expect(output).toBe(
    [
      'Edited "a.txt": at line 2 (old_text matched except for indentation).',
      "--- a.txt",
      "+++ a.txt",
      "@@ -1,4 +1,4 @@",
      " one",
      "-  two",
      "-  three",
      "+  2",
      "+  3",
      " four",
    ].join("\n"),
  );
  expect(details).toMatchObject({ edits: [{ level: 4, occurrences: 1, startLine: 2 }] });
});

test("a diff shows the whitespace at the end of its last line, and the blank line that a file begins with", async () => {
  const { put, edit } = await setUp();
  await put("\none\ntwo\n \t\n");

  const { output } = await edit("one", "1  ");

  expect(output).toBe(
    [
      'Edited "a.txt": at line 2.',
      "--- a.txt",
      "+++ a.txt",
      "@@ -1,4 +1,4 @@",
      " ",
      "-one",
      "+1  ",
      " two",
      "  \t",
    ].join("\n"),
  );
});

test.each(["utf-8", "utf-16le"] as const)(
  "texts copied with the byte order mark of %s match, and the file keeps it",
  async (name) => {
    const { put, edit, onDisk } = await setUp();
    await put(encodeText("one\ntwo\n", { name, hasBom: true }));

    await edit("\ufeffone", "\ufeff1");

    expect(await onDisk()).toEqual(encodeText("1\ntwo\n", { name, hasBom: true }));
  },
);

test("the diff of a small edit in a large file has the right line numbers", async () => {
  const { put, edit } = await setUp();
  await put(Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}\n`).join(""));

  const { text } = await edit("line 15000\n", "changed\n");

  expect(text).toContain(
    "@@ -14997,7 +14997,7 @@\n line 14997\n line 14998\n line 14999\n-line 15000\n+changed\n line 15001",
  );
});

test("the diff of a file whose lines end with CR alone has its lines", async () => {
  const { put, edit, onDisk } = await setUp();
  await put("one\rtwo\rthree\r");

  const { text } = await edit("two", "2");

  expect((await onDisk()).toString()).toBe("one\r2\rthree\r");
  expect(text).toMatch(/@@ -1,3 \+1,3 @@\n one\n-two\n\+2\n three$/);
});

test("no message and no diff has half a character, wherever it is cut", async () => {
  const { put, read, edit } = await setUp();
  const emoji = (count: number) => "😀".repeat(count);
  for (const shift of ["", "x"]) {
    await put(`${shift}${emoji(3_000)}\nend\n`);
    await read();
    const miss = await edit(`${shift}${emoji(3_000)}!`, "y").catch((error: Error) => error.message);
    const none = await edit("nothing of the kind", "y").catch((error: Error) => error.message);
    const { text } = await edit(shift + emoji(3_000), `z${shift}`);
    for (const shown of [miss, none, text]) expect(shown).not.toMatch(/\p{Surrogate}/u);
  }
});

test("several edits are made in order, all or none", async () => {
  const { put, edits, onDisk } = await setUp();
  await put("a\nb\n");

  await edits({ old_text: "a", new_text: "b1" }, { old_text: "b1\nb", new_text: "c" });
  expect((await onDisk()).toString()).toBe("c\n");

  const failing = edits({ old_text: "c", new_text: "d" }, { old_text: "nowhere", new_text: "e" });
  await expect(failing).rejects.toMatchObject({
    code: "EDIT_NOT_FOUND",
    message: expect.stringMatching(
      /^Edit 2 of 2 failed, so none was made\. What follows shows the file as it would be after edit 1, which is not on disk: nothing was changed\. old_text was not found.*\nd\n$/s,
    ),
    details: { edit: 2 },
  });
  const first = edits({ old_text: "nowhere", new_text: "e" }, { old_text: "c", new_text: "d" });
  await expect(first).rejects.toMatchObject({
    message: expect.stringMatching(/^Edit 1 of 2 failed, so none was made\. old_text was not found/),
  });
  await expect(edits({ old_text: "c", new_text: "d" }, { old_text: "d", new_text: "c" })).rejects.toMatchObject({
    code: "EDIT_NO_CHANGE",
  });
  expect((await onDisk()).toString()).toBe("c\n");
});

test("edits that change nothing are skipped, and the result says so", async () => {
  const { put, edits, onDisk } = await setUp();
  await put("  a\n  b\n");

  const { text, details } = await edits(
    { old_text: "a", new_text: "a" },
    { old_text: "b", new_text: "c" },
    { old_text: "a\nc\n", new_text: "  a\n  c\n" },
  );

  expect(text).toMatch(
    /: edit 1 changes nothing and was skipped; at line 2; edit 3 changes nothing and was skipped\.\n/,
  );
  expect(details).toMatchObject({ edits: [{ skipped: true }, { level: 1, startLine: 2 }, { skipped: true }] });
  expect((await onDisk()).toString()).toBe("  a\n  c\n");
  await expect(edits({ old_text: "a", new_text: "a" }, { old_text: "c", new_text: "c" })).rejects.toMatchObject({
    code: "EDIT_NO_CHANGE",
    message: expect.stringContaining("None of the edits changes"),
  });
});

test("an empty old_text fills an empty file, and no other", async () => {
  const { put, edit, onDisk } = await setUp();
  await put("");
  expect((await edit("", "a\n")).text).toMatch(/^Edited "a.txt": at line 1\./);
  await expect(edit("", "b\n")).rejects.toMatchObject({ code: "EDIT_INVALID" });
  expect((await onDisk()).toString()).toBe("a\n");
});

test("a placeholder for code that is not repeated is refused unless the file has it there", async () => {
  const { put, edit, onDisk } = await setUp();
  await put("f() {\n  a();\n  // ... existing code ...\n}\n");
  for (const line of ["// ... rest unchanged", "# ... existing code ...", "/* ... rest of the file ... */"]) {
    await expect(edit("  a();", `  b();\n  ${line}`)).rejects.toMatchObject({
      code: "EDIT_INVALID",
      message: expect.stringContaining(line),
    });
  }
  await edit("  a();\n  // ... existing code ...", "  b(...rest);\n  // ... existing code ...");
  expect((await onDisk()).toString()).toBe("f() {\n  b(...rest);\n  // ... existing code ...\n}\n");
});

test("encoding, byte order mark and line endings are kept", async () => {
  const { put, read, edit, onDisk } = await setUp();
  const encodings = [
    { name: "utf-8", hasBom: false },
    { name: "utf-8", hasBom: true },
    { name: "utf-16le", hasBom: true },
    { name: "utf-16be", hasBom: true },
  ] as const;

  for (const encoding of encodings) {
    await put(encodeText("é\r\n😀\r\n", encoding));
    await read();
    await edit("é\n😀", "ü\n😀\n漢");
    expect(await onDisk()).toEqual(encodeText("ü\r\n😀\r\n漢\r\n", encoding));
  }
});

test("other encodings and binary files are refused with the bytes untouched", async () => {
  const { put, edit, onDisk } = await setUp();
  const contents = [
    Buffer.from("caf\xe9 text\n", "latin1"),
    Buffer.from("text", "utf16le"),
    Buffer.from([0xff, 0xfe, 0x74, 0x00, 0x65]),
    Buffer.from([0xff, 0xfe, 0x00, 0x00, 0x74, 0x00, 0x00, 0x00]),
    Buffer.from([0xff, 0xfe, 0x74, 0x00, 0x00, 0xd8]),
    Buffer.from("te\0xt"),
    Buffer.from([0x74, 0xed, 0xa0, 0x80]),
    Buffer.from([0x74, 0xc0, 0x80]),
  ];

  for (const content of contents) {
    await put(content);
    await expect(edit("t", "x")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
    expect(await onDisk()).toEqual(content);
  }
});

test("no earlier read is needed, but a change by others after one is refused until the next", async () => {
  const { put, edit, read, onDisk } = await setUp();
  await put("one\n");
  await edit("one", "two");
  await edit("two", "three");
  await put("three, by others\n");

  await expect(edit("three", "four")).rejects.toMatchObject({ code: "EDIT_STALE" });
  expect((await onDisk()).toString()).toBe("three, by others\n");
  await read();
  await edit("three", "four");

  expect((await onDisk()).toString()).toBe("four, by others\n");
});

test("errors carry the code of their cause, and the file stays byte for byte", async () => {
  const { tool, put, edit, onDisk } = await setUp();
  const before = Buffer.from("\ufeffa\r\na\nb", "utf8");
  await put(before);

  await expect(edit("a", "x")).rejects.toMatchObject({ code: "EDIT_AMBIGUOUS" });
  await expect(edit("nowhere", "x")).rejects.toMatchObject({ code: "EDIT_NOT_FOUND" });
  await expect(edit("", "x")).rejects.toMatchObject({ code: "EDIT_INVALID" });
  await expect(edit("b", "b")).rejects.toMatchObject({ code: "EDIT_NO_CHANGE" });
  await expect(edit("b", "\udc00")).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  await expect(edit("b", "\0")).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  const missing = callTool(tool, { path: "none", old_text: "a", new_text: "b" });
  await expect(missing).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });

  expect(await onDisk()).toEqual(before);
});

test("a huge file is refused by its size, without being read", async () => {
  const { path, put, edit } = await setUp();
  await put("a");
  await truncate(path, 4 * 1024 ** 3);
  const before = process.memoryUsage().rss;

  await expect(edit("a", "b")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED", details: { bytes: 4 * 1024 ** 3 } });

  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 ** 2);
});

test("half a character in old_text is refused, so that no whole one is cut", async () => {
  const { put, edit, onDisk } = await setUp();
  await put("a😀b");

  await expect(edit("\ud83d", "x")).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });

  expect((await onDisk()).toString()).toBe("a😀b");
});

test("a change by others while the edit is worked out is not overwritten", async () => {
  const { root, workspace } = await temporaryWorkspace({
    journal: { before: ({ path }) => writeFile(path, "by others") },
  });
  const tool = createEditFileTool(workspace);
  await writeFile(join(root, "a"), "one");

  const call = callTool(tool, { path: "a", old_text: "one", new_text: "two" });

  await expect(call).rejects.toMatchObject({ code: "EDIT_STALE" });
  expect(await readFile(join(root, "a"), "utf8")).toBe("by others");
});

test("the journal is reported before the change, while the file is locked", async () => {
  const log: string[] = [];
  let read: Promise<unknown> | undefined;
  const { root, workspace } = await temporaryWorkspace({
    journal: {
      before: async ({ path, before }) => {
        log.push(`journal: ${Buffer.from(before ?? []).toString()}`);
        read = workspace.files.withLock(path, "read", async () => log.push(`reader: ${await readFile(path, "utf8")}`));
      },
    },
  });
  await writeFile(join(root, "a"), "one");

  await callTool(createEditFileTool(workspace), { path: "a", old_text: "one", new_text: "two" });
  await read;

  expect(log).toEqual(["journal: one", "reader: two"]);
});

test("one edit or a list, not both and not neither", async () => {
  const { tool, put } = await setUp();
  await put("a");
  const one = { old_text: "a", new_text: "b" };
  const wrong: JsonObject[] = [
    {},
    { old_text: "a" },
    { new_text: "a" },
    { edits: [] },
    { ...one, edits: [one] },
    { old_text: "a", edits: [one] },
  ];

  for (const args of wrong) {
    const call = callTool(tool, { path: "a.txt", ...args });
    await expect(call, JSON.stringify(args)).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  }
});

test("fifty edits of one file at once lose none", async () => {
  const { put, edit, onDisk } = await setUp();
  const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);
  await put(names.join("\n"));

  await Promise.all(names.map((name) => edit(name, `${name} done`)));

  expect((await onDisk()).toString()).toBe(names.map((name) => `${name} done`).join("\n"));
});

test("an aborted edit leaves the file as it is", async () => {
  const { tool, put, onDisk } = await setUp();
  await put("a");
  const context = fakeToolContext();
  context.abort();

  const call = callTool(tool, { path: "a.txt", old_text: "a", new_text: "b" }, context);

  await expect(call).rejects.toMatchObject({ code: "RUN_ABORTED" });
  expect((await onDisk()).toString()).toBe("a");
});

test("replace_all says how many places changed", async () => {
  const { put, edit } = await setUp();
  await put("a\nb\na\n");

  expect((await edit("a", "x", true)).text).toMatch(/^Edited "a.txt": 2 places from line 1 on\.\n/);
});

test.each([20_000, 400_000])("of a change on each of %i lines the beginning is shown", async (count) => {
  const { put, edit } = await setUp();
  await put(Array.from({ length: count }, (_, index) => `old ${index}\n`).join(""));

  const { text } = await edit("old", "new", true);

  expect(text).toContain("\n-old 0\n-old 1\n");
  expect(text).toMatch(/\n\(diff cut: the rest of a large change\)$/);
  expect(text.length).toBeLessThan(3_200);
});
