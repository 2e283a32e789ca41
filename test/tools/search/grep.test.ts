import { mkdirSync, writeFileSync } from "node:fs";
import { chmod, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { createGrepTool, type GrepToolOptions } from "../../../src/tools/search/grep.js";
import { findRipgrep } from "../../../src/tools/search/ripgrep.js";
import { withGrowingLimit } from "../../growing-limit.js";
import { openWorkspace, temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

/** Enough files in front that ripgrep is asked for the others: they come first in path order. */
const PADDING = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`!${i}.md`, "~\n"]));

function writeTree(root: string, files: Record<string, string | Uint8Array>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function openFiles(files: Record<string, string | Uint8Array>, options: GrepToolOptions = { ripgrep: false }) {
  const root = await temporaryDirectory({ forThousands: Object.keys(files).length > 1_000 });
  writeTree(root, files);
  const workspace = await openWorkspace({ root });
  const tool = createGrepTool(workspace, options);
  const grep = async (args: JsonObject) => (await callTool(tool, args)).text;
  return { root, workspace, tool, grep };
}

const TREE = {
  "a.ts": "one\ntwo needle\nthree\n",
  "b/c.ts": "Needle\nneedle needle\n\nfour\nfive\nneedle",
  "b/d.js": "needle.x\n",
  "z.txt": "nothing\n",
};

test("by default the answer is the matching files in path order", async () => {
  const { grep } = await openFiles(TREE);

  expect(await grep({ pattern: "needle" })).toBe("a.ts\nb/c.ts\nb/d.js");
});

test("content shows path, line number and line", async () => {
  const { grep } = await openFiles(TREE);

  expect(await grep({ pattern: "needle", output_mode: "content" })).toBe(
    "a.ts:2:two needle\nb/c.ts:2:needle needle\nb/c.ts:6:needle\nb/d.js:1:needle.x",
  );
  expect(await grep({ pattern: "two", output_mode: "content", "-n": false })).toBe("a.ts:two needle");
});

test("context lines carry a dash, and gaps a separator", async () => {
  const { grep } = await openFiles(TREE);
  const args = { pattern: "needle", output_mode: "content", path: "b/c.ts" };

  expect(await grep({ ...args, "-C": 1 })).toBe(
    "b/c.ts-1-Needle\nb/c.ts:2:needle needle\nb/c.ts-3-\n--\nb/c.ts-5-five\nb/c.ts:6:needle",
  );
  expect(await grep({ ...args, "-A": 2 })).toBe(
    "b/c.ts:2:needle needle\nb/c.ts-3-\nb/c.ts-4-four\n--\nb/c.ts:6:needle",
  );
  expect(await grep({ ...args, "-B": 9 })).toBe(
    "b/c.ts-1-Needle\nb/c.ts:2:needle needle\nb/c.ts-3-\nb/c.ts-4-four\nb/c.ts-5-five\nb/c.ts:6:needle",
  );
});

test("count answers matching lines of each file", async () => {
  const { grep } = await openFiles(TREE);

  expect(await grep({ pattern: "needle", output_mode: "count", "-i": true })).toBe("a.ts:1\nb/c.ts:3\nb/d.js:1");
});

test.each([
  [{ glob: "*.js" }, "b/d.js"],
  [{ glob: "b/*.ts" }, "b/c.ts"],
  [{ glob: "**/*.{js,txt}" }, "b/d.js"],
  [{ glob: "!*.ts" }, "b/d.js"],
  [{ glob: "c.*", path: "b" }, "b/c.ts"],
  [{ type: "js" }, "b/d.js"],
  [{ type: "ts", path: "b" }, "b/c.ts"],
  [{ path: "a.ts" }, "a.ts"],
])("%j narrows the search", async (args, answer) => {
  const { grep } = await openFiles(TREE);

  expect(await grep({ pattern: "needle", ...args })).toBe(answer);
});

test("head_limit ends the answer, and it says that there is more", async () => {
  const { grep } = await openFiles(TREE);

  const cut = await grep({ pattern: "needle", output_mode: "content", head_limit: 2 });
  const whole = await grep({ pattern: "needle", head_limit: 3 });

  expect(cut.split("\n").slice(0, 2)).toEqual(["a.ts:2:two needle", "b/c.ts:2:needle needle"]);
  expect(cut.split("\n")[2]).toMatch(/^\[There is more than these 2\./);
  expect(whole).toBe("a.ts\nb/c.ts\nb/d.js");
});

test("a multiline search lets matches span lines", async () => {
  const { grep } = await openFiles({ "a.ts": "x\nfunction f(\n  a,\n) {}\ny\n" });

  const found = await grep({ pattern: "f\\(.*?\\)", output_mode: "content", multiline: true });

  expect(found).toBe("a.ts:2:function f(\na.ts:3:  a,\na.ts:4:) {}");
  expect(await grep({ pattern: "f\\(\\n\\s+a", multiline: true })).toBe("a.ts");
  expect(await grep({ pattern: "^y$", multiline: true, output_mode: "count" })).toBe("a.ts:1");
});

test("flags at the start of a pattern count", async () => {
  const { grep } = await openFiles({ "a.txt": "Needle\n", "b.txt": "needle\n" });

  expect(await grep({ pattern: "(?i)NEEDLE" })).toBe("a.txt\nb.txt");
  expect(await grep({ pattern: "(?im)^needle$" })).toBe("a.txt\nb.txt");
  expect(await grep({ pattern: "(?s)needle" })).toBe("b.txt");
});

test("lookaround, named groups, backreferences and properties work, and see one line at a time", async () => {
  const { grep } = await openFiles({ "a.txt": "foobar\nbar foo\nfoo\n\nabab é\n" });
  const lines = (pattern: string) => grep({ pattern, output_mode: "content" });

  expect(await lines("foo(?=bar)")).toBe("a.txt:1:foobar");
  expect(await lines("foo(?!\\s|bar)")).toBe("a.txt:2:bar foo\na.txt:3:foo");
  expect(await lines("(?<!foo)bar")).toBe("a.txt:2:bar foo");
  expect(await lines("(?<![\\s\\S])foo")).toBe("a.txt:1:foobar\na.txt:3:foo");
  expect(await lines("(?<pair>..)\\k<pair>")).toBe("a.txt:5:abab é");
  expect(await lines("(a)b\\1")).toBe("a.txt:5:abab é");
  expect(await lines("\\p{L}$")).toBe("a.txt:1:foobar\na.txt:2:bar foo\na.txt:3:foo\na.txt:5:abab é");
});

test.each(["files_with_matches", "content", "count"])(
  "a match never spans lines unless asked for (%s)",
  async (mode) => {
    const { grep } = await openFiles({ "a.txt": "foo\nbar\n", "b.txt": "foo\r\nbar\r\n" });
    const args = { output_mode: mode };

    for (const pattern of ["foo\\s+bar", "foo[^a]bar", "foo\\s", "foo[^a]"]) {
      expect(await grep({ ...args, pattern }), pattern).toBe(`Nothing matches "${pattern}" in ".".`);
      const spanning = await grep({ ...args, pattern, multiline: true, head_limit: 1, path: "a.txt" });
      expect(spanning, pattern).toMatch(/^a\.txt/);
    }
  },
);

test("lines that end in CRLF begin and end like others, and a pattern that names the return finds it", async () => {
  const { grep } = await openFiles({ "crlf.txt": "foo\r\nbar\r\n\r\nend \r\n", "lf.txt": "foo\nbar\n\nend \n" });
  const count = (pattern: string) => grep({ pattern, output_mode: "count" });

  for (const pattern of ["foo$", "^bar", "^$", "^bar$", "\\s$", "[^a-z ]?$(?<=d )"]) {
    expect(await count(pattern), pattern).toBe("crlf.txt:1\nlf.txt:1");
  }
  for (const pattern of ["\\r$", "\\x0D$", "\\u000d$", "\\u{d}$", "\\cM$", "[\\r]$"]) {
    expect(await count(pattern), pattern).toBe("crlf.txt:4");
  }
  expect(await count("\\\\r|o$")).toBe("crlf.txt:1\nlf.txt:1");
});

test.each(["\\s+foo", "^\\s*foo", "\\s*\\{", "[^a]+foo", "\\W+foo", "\\D+foo"])(
  "%s takes no longer in lines of white space than in others",
  async (pattern) => {
    const blank = `${"\n".repeat(60_000)}${`${" ".repeat(80)}\n`.repeat(1_000)}`;
    const files = { "blank.txt": blank, "found.txt": "b  foo {\n foo\n" };
    const { grep } = await openFiles(files, { ripgrep: false, timeBudgetMs: 3_000 });
    expect(await grep({ pattern })).toBe("found.txt");
  },
);

test("what cannot be read in one sense is refused with what to write, with and without ripgrep", async () => {
  const program = await findRipgrep();
  const { workspace, tool } = await openFiles(TREE);
  const withRipgrep = createGrepTool(workspace, { ripgrep: program! });

  const refusals = await Promise.all(
    [tool, withRipgrep].map((each) => callTool(each, { pattern: "a++" }).catch((error) => error)),
  );

  expect(refusals[0]).toMatchObject({ code: "PATTERN_INVALID", message: expect.stringContaining('write "+"') });
  expect(refusals[1].message).toBe(refusals[0].message);
});

test.each(["(?:a|b)*c", `${"(?:".repeat(14)}ab?${"){3}".repeat(14)}`])(
  "%s, which is too much for V8 in a long text, is refused with what to write",
  async (pattern) => {
    const files = { "a.txt": "ab".repeat(20_000_000) };
    const { tool } = await openFiles(files, { ripgrep: false, timeBudgetMs: Number.POSITIVE_INFINITY });

    await expect(callTool(tool, { pattern })).rejects.toMatchObject({
      code: "PATTERN_INVALID",
      message: expect.stringContaining("too much for the engine"),
    });
  },
);

test("a bracket in a class may be escaped, or come first", async () => {
  const { grep } = await openFiles({ "a.ts": "abc\na1\n[x]\n" });
  const lines = (pattern: string) => grep({ pattern, output_mode: "content", "-n": false });

  expect(await lines("^[^[:digit:]]+$")).toBe("a.ts:abc\na.ts:[x]");
  expect(await lines("[\\[\\]]")).toBe("a.ts:[x]");
  expect(await lines("[]-]")).toBe("a.ts:[x]");
});

test.each([2 ** 40, Number.POSITIVE_INFINITY])("a time budget of %d ms is not over at once", async (timeBudgetMs) => {
  const { workspace } = await openFiles({ "a.ts": "needle" });
  const tool = createGrepTool(workspace, { ripgrep: false, timeBudgetMs });

  expect((await callTool(tool, { pattern: "needle" })).text).toBe("a.ts");
});

test.each(["", "x"])("of a long line no half character is shown, after %j", async (lead) => {
  const { grep } = await openFiles({ "a.txt": `${lead}${"😀".repeat(400)}needle${"😀".repeat(400)}x` });

  expect(await grep({ pattern: "needle", output_mode: "content" })).not.toMatch(/\p{Surrogate}/u);
  expect(await grep({ pattern: "needlex|x$", output_mode: "content" })).not.toMatch(/\p{Surrogate}/u);
});

test("a line neither begins nor ends inside a character of two units", async () => {
  const { grep } = await openFiles({ "a.ts": "a 😀 b\n\n😀\n  \n" });

  expect(await grep({ pattern: "^$", output_mode: "content" })).toBe("a.ts:2:");
  expect(await grep({ pattern: "^\\s*$", output_mode: "count" })).toBe("a.ts:2");
  expect(await grep({ pattern: "^$", output_mode: "count", multiline: true })).toBe("a.ts:1");
  expect(await grep({ pattern: "^😀$", output_mode: "content" })).toBe("a.ts:3:😀");
});

test("binary files are skipped, encodings with a mark are read", async () => {
  const { grep } = await openFiles({
    binary: "needle\0needle",
    "late-nul": `${"needle\n".repeat(2_000)}\0tail`,
    utf16le: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("é needle\n", "utf16le")]),
    utf16be: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("é needle\n", "utf16le").swap16()]),
    "utf8-bom": "\ufeffneedle first",
    latin1: Buffer.from("caf\xe9 needle\n", "latin1"),
    crlf: "a needle\r\nb\r\n",
    empty: "",
  });

  expect(await grep({ pattern: "needle" })).toBe("crlf\nlate-nul\nlatin1\nutf16be\nutf16le\nutf8-bom");
  expect(await grep({ pattern: "needle$", output_mode: "content", glob: "crlf" })).toBe("crlf:1:a needle");
  expect(await grep({ pattern: "^needle", glob: "utf8-bom" })).toBe("utf8-bom");
  expect(await grep({ pattern: "^$|.*", glob: "empty" })).toContain("Nothing matches");
});

test("a long line is cut to what surrounds its match", async () => {
  const { grep } = await openFiles({ "a.min.js": `${"x".repeat(50_000)}needle${"y".repeat(50_000)}` });

  const found = await grep({ pattern: "needle", output_mode: "content" });

  expect(found).toContain("xneedley");
  expect(found.length).toBeLessThan(600);
});

test("large files are searched in pieces, with right line numbers and context across them", async () => {
  const line = `${"abc ".repeat(24)}\n`;
  const { grep } = await openFiles({
    "big.log": `${line.repeat(60_000)}needle 1\n${line.repeat(40_000)}needle 2\n`,
    "one-line.json": `${"z".repeat(3_000_000)}needle`,
  });

  const found = await grep({ pattern: "needle \\d", output_mode: "content", "-C": 1 });

  const numbers = found.split("\n").map((text) => /^big\.log[:-](\d+)/.exec(text)?.[1] ?? text);
  expect(numbers).toEqual(["60000", "60001", "60002", "--", "100001", "100002"]);
  expect(await grep({ pattern: "needle" })).toBe("big.log\none-line.json");
});

test.each([false, undefined] as const)(
  "a file of more than 64 MB is not searched but named (ripgrep: %s)",
  async (ripgrep) => {
    const text = `needle\n${"x".repeat(8 * 1024)}`;
    const files = { "a.log": text, "b.log": text, binary: "needle\n", "c.log": text };
    const { grep, root } = await openFiles(files, { ripgrep });
    await truncate(join(root, "a.log"), 64 * 1024 * 1024);
    for (const path of ["b.log", "binary"]) await truncate(join(root, path), 64 * 1024 * 1024 + 1);

    const found = await grep({ pattern: "needle" });

    expect(found).toBe("a.log\nc.log\n[Not searched, larger than 64 MB: b.log]");
  },
);

test("a catastrophic pattern is ended, and the answer says how far the search came", async () => {
  const search = async (timeBudgetMs: number) => {
    const files = { "a.txt": `${"a".repeat(60)}!\n`, "b.txt": "b\n" };
    const { tool } = await openFiles(files, { ripgrep: false, timeBudgetMs });
    return callTool(tool, { pattern: "^(a+)+$" }).then(
      () => expect.unreachable(),
      (error: { code: string; message: string }) => error,
    );
  };

  // The thread that searches takes some of the time to start.
  const outcome = await withGrowingLimit(300, search, (outcome) => JSON.stringify(outcome).includes("a.txt"));

  expect(outcome).toMatchObject({
    code: "SEARCH_TIMEOUT",
    message: expect.stringMatching(/0 files had been searched; it stopped at "a\.txt"/),
  });
});

test("an abort ends a search that is lost in a pattern", async () => {
  const { tool } = await openFiles({ "a.txt": `${"a".repeat(60)}!\n` });
  const context = { signal: AbortSignal.timeout(100) };

  await expect(callTool(tool, { pattern: "^(a+)+$" }, context)).rejects.toThrow("aborted due to timeout");
});

test("what is ignored, protected, linked or outside is not searched", async () => {
  const outside = await temporaryDirectory();
  await writeFile(join(outside, "secret.txt"), "needle");
  const root = await temporaryDirectory();
  writeTree(root, {
    ".gitignore": "ignored/\n",
    "ignored/a.txt": "needle",
    ".git/config": "needle",
    "vault/key": "needle",
    ".hidden/a": "needle",
    closed: "needle",
  });
  await chmod(join(root, "closed"), 0o000);
  await symlink(outside, join(root, "directory"));
  await symlink(join(outside, "secret.txt"), join(root, "file"));
  const tool = createGrepTool(await openWorkspace({ root, protectedPaths: ["vault"] }), { ripgrep: false });
  const grep = async (args: JsonObject) => (await callTool(tool, { pattern: "needle", ...args })).text;

  expect((await grep({})).split("\n").filter((path) => path !== "closed")).toEqual([".hidden/a"]);
  expect(await grep({ path: "ignored" })).toBe("ignored/a.txt");
  expect(await grep({ glob: "ignored/*" })).toBe("ignored/a.txt");
  await expect(grep({ path: "directory" })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(grep({ path: ".." })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(grep({ path: "missing" })).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("a ripgrep that does not work makes no difference", async () => {
  const root = await temporaryDirectory({ forThousands: true });
  writeTree(root, { ...PADDING, ...TREE });
  const workspace = await openWorkspace({ root });

  const tool = createGrepTool(workspace, { ripgrep: join(root, "rg") });

  expect((await callTool(tool, { pattern: "needle" })).text).toBe("a.ts\nb/c.ts\nb/d.js");
});

test("bytes that are no UTF-8 match `.` with ripgrep and without", async () => {
  const ripgrep = (await findRipgrep())!;
  const files = { ...PADDING, "a.txt": Buffer.from("caf\xe9 needle\n", "latin1"), "b.txt": "caf\ufffd needle\n" };
  const { workspace, grep } = await openFiles(files);
  const quick = createGrepTool(workspace, { ripgrep });

  for (const pattern of ["caf. needle", "caf[^a] needle", "caf\\W needle", "caf\\ufffd needle"]) {
    expect(await grep({ pattern }), pattern).toBe("a.txt\nb.txt");
    expect((await callTool(quick, { pattern })).text, pattern).toBe("a.txt\nb.txt");
  }
});

test("a glob that ends in a slash means what is in the directory", async () => {
  const { grep } = await openFiles(TREE);

  expect(await grep({ pattern: "needle", glob: "b/" })).toBe("b/c.ts\nb/d.js");
});

test("many long matches come in full, in order, group by group", async () => {
  const line = `needle ${"x".repeat(480)}\n`;
  const { grep } = await openFiles(
    Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`${i}.txt`, line.repeat(50)])),
  );

  const found = (await grep({ pattern: "needle", output_mode: "content", head_limit: 10_000 })).split("\n");

  const names = Array.from({ length: 130 }, (_, i) => `${i}.txt`).sort();
  expect(found.map((text) => text.slice(0, text.indexOf(":")))).toEqual(names.flatMap((name) => Array(50).fill(name)));
});

test.each([false, undefined] as const)(
  "files that hold secrets are searched only by name, and asked for (ripgrep: %s)",
  async (ripgrep) => {
    const { tool, grep } = await openFiles(
      { ".env": "KEY=needle\n", "sub/.env.local": "needle\n", "a.txt": "needle\n" },
      { ripgrep },
    );
    const session = { agentPath: [], sessionId: "s" };
    const input = async (path?: string) => tool.parse!({ pattern: "needle", ...(path && { path }) });

    expect(await grep({ pattern: "needle" })).toBe("a.txt");
    expect(await grep({ pattern: "needle", glob: ".env" })).toBe(
      'Nothing matches "needle" in ".".\n[Not searched, because they usually hold secrets: .env. To search one, name it in path]',
    );
    expect(await grep({ pattern: "nowhere" })).toMatch(/secrets: \.env, sub\/\.env\.local\. To search one/);
    expect(await grep({ pattern: "needle", glob: "*.md" })).toBe('Nothing matches "needle" in ".".');
    expect(await grep({ pattern: "needle", path: ".env" })).toBe(".env");
    expect(await tool.checkPermission!(await input(".env"), session)).toMatchObject({ behavior: "ask" });
    expect(await tool.checkPermission!(await input(), session)).toEqual({ behavior: "passthrough" });
  },
);
