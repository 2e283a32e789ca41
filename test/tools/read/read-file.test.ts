import { execFileSync } from "node:child_process";
import { mkdir, open, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fakeToolContext } from "../../../src/testing/tool/fake-tool-context.js";
import { encodeText } from "../../../src/tools/files/text-encoding.js";
import { createReadFileTool } from "../../../src/tools/read/read-file.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function setUp() {
  const { root, outside, workspace } = await temporaryWorkspace();
  const tool = createReadFileTool(workspace);
  const read = async (path: string, page: { offset?: number; limit?: number; column?: number } = {}) =>
    (await callTool(tool, { path, ...page })).text;
  const put = (path: string, content: string | Uint8Array) => writeFile(join(root, path), content);
  return { root, outside, workspace, tool, read, put };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\tline ${from + index}`).join("\n");
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("a whole file is its numbered lines and nothing else", async () => {
  const { read, put } = await setUp();
  await put("a.txt", "one\n\n  three");

  expect(await read("a.txt")).toBe("1\tone\n2\t\n3\t  three");
});

test("pages tell which lines they are, the total and how to go on", async () => {
  const { read, put } = await setUp();
  await put("a.txt", lines(5_321));

  expect(await read("a.txt")).toBe(`${numbered(1, 2_000)}\n\n[Lines 1-2000 of 5,321. Continue with offset=2001.]`);
  expect(await read("a.txt", { offset: 11, limit: 2 })).toBe(
    `${numbered(11, 12)}\n\n[Lines 11-12 of 5,321. Continue with offset=13.]`,
  );
  expect(await read("a.txt", { offset: 5_320 })).toBe(
    `${numbered(5_320, 5_321)}\n\n[Lines 5320-5321 of 5,321: the end of the file.]`,
  );
  expect(await read("a.txt", { offset: 5_322 })).toBe(`"a.txt" has 5,321 lines; there is no line 5322.`);
});

test("an empty file says so", async () => {
  const { read, put } = await setUp();
  await put("empty", "");
  await put("bom", "\ufeff");

  expect([await read("empty"), await read("bom")]).toEqual([`"empty" is empty.`, `"bom" is empty.`]);
});

test("long lines are cut with a note, pages at a line's end", async () => {
  const { read, put } = await setUp();
  await put("long.txt", `${"é".repeat(1_999)}🙂${"x".repeat(9_000)}\n${"y".repeat(2_000)}\nend\n`);
  await put("wide.txt", `${"z".repeat(1_000)}\n`.repeat(200));

  expect(await read("long.txt")).toBe(
    `1\t${"é".repeat(1_999)}… [line cut: it has 13,002 bytes; go on with offset=1, column=2000]\n2\t${"y".repeat(2_000)}\n3\tend`,
  );
  const page = await read("wide.txt");
  expect(page.length).toBeLessThan(80_100);
  expect(page).toMatch(/\n79\tz{1000}\n\n\[Lines 1-79 of 200. Continue with offset=80.\]$/);
});

test("byte order marks, CRLF, CR and UTF-16 are read right", async () => {
  const { read, put } = await setUp();
  const text = "á\r\n😀\r\n";
  await put("utf8", encodeText(text, { name: "utf-8", hasBom: true }));
  await put("le", encodeText(text, { name: "utf-16le", hasBom: true }));
  await put("be", encodeText(text, { name: "utf-16be", hasBom: true }));
  await put("cr", "á\r😀\r");

  for (const path of ["utf8", "le", "be", "cr"]) expect(await read(path), path).toBe("1\tá\n2\t😀");
});

test("bytes that are no UTF-8 are shown with a note", async () => {
  const { read, put } = await setUp();
  await put("latin1", Buffer.from("caf\xe9\n", "latin1"));

  expect(await read("latin1")).toMatch(/^1\tcaf\ufffd\n\n\[Some bytes are not UTF-8/);
});

test("binary files are named by type and size", async () => {
  const { read, put } = await setUp();
  await put("a.bin", Buffer.from([1, 2, 0, 3]));
  await put("BM.txt", "BMW is a string, not a bitmap");

  expect(await read("a.bin")).toBe(
    `"a.bin" is not a text file: binary file, 4 bytes. To look into it, use a command that reads this format.`,
  );
  expect(await read("BM.txt")).toBe("1\tBMW is a string, not a bitmap");
});

test("images come as image parts, by their first bytes", async () => {
  const { tool, put } = await setUp();
  const images = {
    "image/png": "89504e470d0a1a0a00",
    "image/jpeg": "ffd8ffe000",
    "image/gif": "47494638396100",
    "image/webp": "52494646000000005745425000",
    "image/bmp": "424d46000000000000003600000028000000",
  };

  for (const [mediaType, hex] of Object.entries(images)) {
    const bytes = Buffer.from(hex, "hex");
    await put("picture.txt", bytes);
    const { output } = await callTool(tool, { path: "picture.txt" });
    expect(output).toEqual([
      { type: "text", text: `"picture.txt": ${mediaType}, ${bytes.length} bytes.` },
      { type: "image", mediaType, data: bytes.toString("base64") },
    ]);
  }
});

test("a PDF document is given to the model, with what to do when it is not seen", async () => {
  const { root, tool, put } = await setUp();
  const bytes = Buffer.from("%PDF-1.7\n\0\x01");
  await mkdir(join(root, "papers"));
  await put("papers/a.txt", bytes);

  const { output } = await callTool(tool, { path: "papers/a.txt" });

  const about = `"papers/a.txt": PDF document, 11 bytes. If you cannot see it, use a command that reads this format.`;
  expect(output).toEqual([
    { type: "text", text: about },
    { type: "file", mediaType: "application/pdf", data: bytes.toString("base64"), name: "a.txt" },
  ]);
});

test("a PDF document that a result cannot hold is named by type and size", async () => {
  const { read, put } = await setUp();
  const bytes = Buffer.alloc(3_932_161);
  bytes.write("%PDF-1.7");
  await put("large.pdf", bytes);

  expect(await read("large.pdf")).toBe(
    `"large.pdf" is not a text file: PDF document, 3,932,161 bytes. To look into it, use a command that reads this format.`,
  );
});

test("a directory says so and lists what is in it", async () => {
  const { root, read, put } = await setUp();
  await mkdir(join(root, "src/deep"), { recursive: true });
  await put("src/a.ts", "");

  expect(await read("src")).toBe(`"src" is a directory, not a file. It contains:\na.ts\ndeep/`);
  expect(await read("src/deep")).toBe(`"src/deep" is a directory, not a file. It is empty.`);
});

test("a missing file names the nearest ones, and nothing outside", async () => {
  const { root, outside, read, put } = await setUp();
  await mkdir(join(root, "src"));
  await put("src/engine.ts", "");
  await writeFile(join(outside, "near.ts"), "");
  const code = "PATH_NOT_FOUND";

  await expect(read("src/enigne.ts")).rejects.toMatchObject({
    code,
    message: expect.stringContaining(`"src/engine.ts"`),
  });
  await expect(read("scr/engine.ts")).rejects.toMatchObject({ code, message: expect.stringContaining(`"src"`) });
  await expect(read("src/ENGINE.js")).rejects.toMatchObject({
    code,
    message: expect.stringContaining(`"src/engine.ts"`),
  });
  await expect(read("../outside/nera.ts")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await symlink("gone.ts", join(root, "dangling.ts"));
  await expect(read("dangling.ts")).rejects.toMatchObject({ code });
});

test("offset and limit start at 1", async () => {
  const { tool, put } = await setUp();
  await put("a", "a");

  await expect(callTool(tool, { path: "a", offset: 0 })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  await expect(callTool(tool, { path: "a", limit: 0 })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});

test("reading what holds secrets asks first; other files are the gate's to judge", async () => {
  const { tool } = await setUp();
  const about = { agentPath: [], sessionId: "s" };

  expect(await tool.checkPermission?.({ path: ".env", offset: 1, limit: 1 }, about)).toMatchObject({ behavior: "ask" });
  expect(await tool.checkPermission?.({ path: "a.ts", offset: 1, limit: 1 }, about)).toEqual({
    behavior: "passthrough",
  });
});

test("calls on one file claim that file, however it is written", async () => {
  const { root, tool } = await setUp();
  const claims = (path: string) => tool.claims?.({ path, offset: 1, limit: 1 });

  expect(claims("src/../a.ts")).toEqual([{ mode: "read", key: `file:${join(root, "a.ts")}` }]);
  expect(claims(join(root, "a.ts"))).toEqual(claims("a.ts"));
});

test("pages of a huge file are right from the front, the middle and the end, with flat memory", async () => {
  const { root, workspace } = await setUp();
  let bytesRead = 0;
  const openCounted = async (path: string) => {
    const file = await workspace.files.open(path);
    const read = async (target: Uint8Array, position: number) => {
      const count = await file.read(target, position);
      bytesRead += count;
      return count;
    };
    return { ...file, read };
  };
  const tool = createReadFileTool({ ...workspace, files: { ...workspace.files, open: openCounted } });
  const read = async (path: string, page: { offset?: number; limit?: number }) =>
    (await callTool(tool, { path, ...page })).text;
  const path = join(root, "huge.log");
  const file = await open(path, "w");
  const block = 250_000;
  for (let first = 0; first < 4 * block; first += block) {
    await file.write(
      Array.from({ length: block }, (_, index) => `line number ${first + index + 1} of a log\n`).join(""),
    );
  }
  await file.close();
  await utimes(path, 1, 1);
  const before = process.memoryUsage();

  const front = await read("huge.log", { limit: 1 });
  const middle = await read("huge.log", { offset: 600_000, limit: 2 });
  bytesRead = 0;
  const next = await read("huge.log", { offset: 600_002, limit: 2 });
  const bytesOfNext = bytesRead;
  const end = await read("huge.log", { offset: 999_999 });
  const beyond = await read("huge.log", { offset: 2_000_000 });
  const after = process.memoryUsage();

  expect(front).toMatch(
    /^1\tline number 1 of a log\n\n\[Lines 1-1 of a file of [\d,]+ bytes. Continue with offset=2.\]$/,
  );
  expect(middle).toMatch(/^600000\tline number 600000 of a log\n600001\tline number 600001 of a log\n/);
  expect(next).toMatch(/^600002\tline number 600002 of a log\n600003\tline number 600003 of a log\n/);
  expect(end).toMatch(/^999999\t.*\n1000000\tline number 1000000 .*\n\n\[Lines 999999-1000000 of 1,000,000: the end/);
  expect(beyond).toBe(`"huge.log" has 1,000,000 lines; there is no line 2000000.`);
  expect(bytesOfNext).toBeLessThan(2 * 1024 * 1024);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 * 1024 * 1024);
});

test("a later page costs that page, and the file is still known by all of its content", async () => {
  const { root, workspace } = await setUp();
  let bytesRead = 0;
  const openCounted: typeof workspace.files.open = async (path) => {
    const file = await workspace.files.open(path);
    const read: typeof file.read = async (target, position) => {
      const count = await file.read(target, position);
      bytesRead += count;
      return count;
    };
    return { ...file, read };
  };
  const tool = createReadFileTool({ ...workspace, files: { ...workspace.files, open: openCounted } });
  const path = join(root, "large.txt");
  await writeFile(path, lines(200_000));
  await utimes(path, 1, 1);
  const context = fakeToolContext();
  const read = async (offset: number) => (await callTool(tool, { path: "large.txt", offset, limit: 2 }, context)).text;
  const known = () => [
    workspace.fileState.get(context.sessionId, path),
    workspace.fileState.how?.(context.sessionId, path)?.lines,
  ];

  await read(99_998);
  const first = known();
  bytesRead = 0;
  const page = await read(100_000);
  const later = known();
  const bytesOfLater = bytesRead;
  const changed = lines(200_000).replaceAll("line", "text");
  await writeFile(path, changed);
  await utimes(path, 1, 1);
  const again = await read(100_000);

  expect(page).toMatch(/^100000\tline 100000\n100001\tline 100001\n\n\[Lines 100000-100001 of 200,000\./);
  expect(bytesOfLater).toBeLessThan(400_000);
  expect(later).toEqual(first);
  expect(later[1]).toBe(200_000);
  expect(again).toMatch(/^100000\ttext 100000\n/);
  expect(known()[0]).not.toBe(first[0]);
});

test("a huge file that changed is not read by what was known of it", async () => {
  const { root, read } = await setUp();
  const path = join(root, "huge.log");
  const content = (word: string) => `${word}\n`.repeat(3_000_000);
  await writeFile(path, content("abcdef"));
  await utimes(path, 1, 1);
  await read("huge.log", { offset: 2_500_000, limit: 1 });

  await writeFile(path, content("abcdefg"));
  await utimes(path, 1, 1);

  expect(await read("huge.log", { offset: 2_500_001, limit: 1 })).toMatch(/^2500001\tabcdefg\n/);
});

test("one line of any length is read with flat memory", async () => {
  const { root, read } = await setUp();
  execFileSync("truncate", ["-s", "200M", join(root, "sparse")]);
  const file = await open(join(root, "sparse"), "r+");
  await file.write("x".repeat(10_000), 0);
  await file.close();

  expect(await read("sparse")).toMatch(
    /^1\tx{2000}… \[line cut: it has 209,715,200 bytes; go on with offset=1, column=2001\]$/,
  );
});

test("an aborted read stops", async () => {
  const { tool, put } = await setUp();
  await put("a", "a");
  const signal = AbortSignal.abort(new Error("stop"));

  await expect(callTool(tool, { path: "a" }, fakeToolContext({ signal }))).rejects.toThrow("stop");
});

test("any page of any text is what splitting it would give", { timeout: 3_600_000 }, async () => {
  const { read, put } = await setUp();
  const unit = fc.constantFrom("a", "é", "😀", "\n", "\n", "\r\n", " ");
  const page = fc.record({ offset: fc.integer({ min: 1, max: 12 }), limit: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 40 }), page, async (text, { offset, limit }) => {
      await put("any", text);
      const all = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
      if (text.endsWith("\n")) all.pop();
      const wanted = all.slice(offset - 1, offset - 1 + limit).map((line, index) => `${offset + index}\t${line}`);

      const shown = await read("any", { offset, limit });

      if (wanted.length === 0) expect(shown).toContain(`there is no line ${offset}`);
      else expect(shown.split("\n\n[Lines")[0]).toBe(wanted.join("\n"));
    }),
    { numRuns: process.env.PROVE ? 20_000 : 300 },
  );
});

/** Reads one line from its first character to its end, as the notes say, and answers the parts. */
async function partsOf(read: (page: { offset: number; column: number }) => Promise<string>, offset: number) {
  const parts: string[] = [];
  for (let column = 1; ; ) {
    const [, number, text, note] = /^(\d+)\t(.*)\n\n\[(.*?)\]/s.exec(await read({ offset, column }))!;
    expect(number).toBe(String(offset));
    parts.push(text!);
    const next = /offset=(\d+), column=(\d+)/.exec(note!);
    if (!next) return { parts, note };
    expect(next[1]).toBe(String(offset));
    column = Number(next[2]);
  }
}

test("a line of any length is read part by part, whole characters each, in every encoding", async () => {
  const { read, put } = await setUp();
  const line = fc
    .array(fc.constantFrom("a", "é", "€", "😀", "\ufffd", "x".repeat(79_990), "😀".repeat(39_999)), { maxLength: 12 })
    .map((pieces) => pieces.join(""));
  const encoding = fc.constantFrom("utf-8", "utf-16le", "utf-16be");

  await fc.assert(
    fc.asyncProperty(
      line,
      encoding,
      fc.boolean(),
      fc.constantFrom("", "\n", "\r\nend"),
      async (text, name, hasBom, end) => {
        fc.pre(text !== "");
        await put("long", encodeText(`first\n${text}${end}`, { name, hasBom: hasBom || name !== "utf-8" }));

        const { parts, note } = await partsOf((page) => read("long", page), 2);

        expect(parts.join("")).toBe(text);
        expect(parts.slice(0, -1).every((part) => part.length >= 79_999 && part.length <= 80_000)).toBe(true);
        expect(parts.some((part) => /\p{Surrogate}/u.test(part))).toBe(false);
        expect(note).toMatch(end === "\r\nend" ? /Continue with offset=3\.$/ : /the end of the file\.$/);
      },
    ),
    { numRuns: process.env.PROVE ? 2_000 : 25 },
  );
});

test("a column in the middle of a character, behind the line, or of a line that is not there", async () => {
  const { read, put } = await setUp();
  await put("a", "x😀y\r\n\nend");
  await put("damaged", Buffer.from([0x61, 0xff, 0x62]));
  await put("empty", "");

  expect(await read("a", { column: 3 })).toBe(
    "1\t😀y\n\n[Line 1, characters 2-4: the end of the line. Continue with offset=2.]",
  );
  expect(await read("a", { column: 5 })).toBe(`Line 1 of "a" has 4 characters; there is no character 5.`);
  expect(await read("a", { offset: 2, column: 1 })).toBe("2\t\n\n[Line 2 is empty. Continue with offset=3.]");
  expect(await read("a", { offset: 4, column: 1 })).toBe(`"a" has 3 lines; there is no line 4.`);
  expect(await read("empty", { column: 1 })).toBe(`"empty" is empty.`);
  expect(await read("damaged", { column: 2 })).toBe(
    "1\t\ufffdb\n\n[Line 1, characters 2-3: the end of the file.]\n[Where it says \ufffd, bytes may not be UTF-8.]",
  );
});

test("a line of 50 MB is read to its end with flat memory, each part reading no more than it shows", async () => {
  const { workspace, put } = await setUp();
  await put("line.json", Buffer.concat([Buffer.from("first\n"), Buffer.alloc(50 * 1024 * 1024, "0123456789é")]));
  let bytesRead = 0;
  let largest = 0;
  const open = async (path: string) => {
    const file = await workspace.files.open(path);
    const read = async (target: Uint8Array, position: number) => {
      largest = Math.max(largest, target.length);
      const count = await file.read(target, position);
      bytesRead += count;
      return count;
    };
    return { ...file, read };
  };
  const tool = createReadFileTool({ ...workspace, files: { ...workspace.files, open } });
  await utimes(await workspace.resolve("line.json", "read"), 1, 1);
  let chars = 0;

  const { parts } = await partsOf(async (page) => (await callTool(tool, { path: "line.json", ...page })).text, 2);

  for (const part of parts) chars += part.length;
  expect(chars).toBe(Math.ceil((50 * 1024 * 1024 * 11) / 12));
  expect(largest).toBeLessThanOrEqual(512 * 1024);
  // Chunks are read ahead, so a part costs a few of them, wherever it lies.
  expect(bytesRead / parts.length).toBeLessThan(1024 * 1024);
});

test("a name that no path can spell is not proposed", async () => {
  const { read, root } = await setUp();
  await writeFile(Buffer.concat([Buffer.from(`${root}/name`), Buffer.of(0xff)]), "x");

  await expect(read("name\ufffd")).rejects.toThrow(/There is no file "name\ufffd"\. Look for it with glob\.$/);
});
