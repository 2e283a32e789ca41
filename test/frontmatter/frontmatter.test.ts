import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrontmatter } from "../../src/frontmatter/frontmatter.js";

const read = async (...lines: string[]) => readFrontmatter(lines.join("\n"), "a.md");

describe("frontmatter that is YAML", () => {
  test("is read with types, in order, with the line of each field", async () => {
    const { fields, body, bodyLine, problems, lineOf } = await read(
      "---",
      "name: reviewer",
      "# a comment",
      'description: "Reads: carefully"',
      "tools: [Read, 'Grep']",
      "maxTurns: 5",
      "deep: { a: [1, true, null, 2026-11-22] }",
      "text: |",
      "  two",
      "   lines",
      "---",
      "",
      "# Body",
    );

    expect(fields).toEqual({
      name: "reviewer",
      description: "Reads: carefully",
      tools: ["Read", "Grep"],
      maxTurns: 5,
      deep: { a: [1, true, null, "2026-11-22"] },
      text: "two\n lines\n",
    });
    expect(Object.keys(fields!)).toEqual(["name", "description", "tools", "maxTurns", "deep", "text"]);
    expect([body, bodyLine, problems]).toEqual(["\n# Body", 12, []]);
    expect(["name", "description", "text", "nothing"].map(lineOf)).toEqual([2, 4, 8, 1]);
  });

  test("may begin after empty lines or a byte order mark, and have any line breaks", async () => {
    const crlf = await readFrontmatter("\uFEFF\r\n---\r\nname: a\r\ntext: b c\r\n---  \r\none\r\ntwo\r\n", "a.md");
    const cr = await readFrontmatter("---\rname: a\r---\rone", "a.md");

    expect(crlf).toMatchObject({ fields: { name: "a", text: "b c" }, body: "one\ntwo\n", bodyLine: 6, problems: [] });
    expect(cr).toMatchObject({ fields: { name: "a" }, body: "one" });
  });

  test("may be empty, and may end with three dots", async () => {
    expect(await read("---", "---", "x")).toMatchObject({ fields: {}, body: "x", problems: [] });
    expect(await read("---", "# only a comment", "...", "x")).toMatchObject({ fields: {}, body: "x" });
  });

  test("cannot name the prototype, and a tag makes nothing but data", async () => {
    const { fields } = await read("---", "__proto__: { isAdmin: true }", "a: !!js/function 'x'", "---");

    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect(Object.keys(fields!)).toEqual(["__proto__", "a"]);
    expect(fields!.a).toBe("x");
  });
});

describe("text without frontmatter", () => {
  test.each([
    ["plain text", "# Title\n\nText."],
    ["a rule in the middle", "Text.\n---\nname: a\n---\n"],
    ["a rule at the beginning", "---\n\n# Title\n"],
    ["nothing", ""],
    ["four dashes", "----\nname: a\n----\n"],
  ])("%s is all body", async (_, text) => {
    expect(await readFrontmatter(text, "a.md")).toMatchObject({ fields: null, body: text, bodyLine: 1, problems: [] });
  });

  test("a frontmatter that is never closed is reported", async () => {
    const { fields, body, problems } = await read("---", "name: a", "", "text");

    expect([fields, body]).toEqual([null, "---\nname: a\n\ntext"]);
    expect(problems).toEqual([{ file: "a.md", line: 1, key: "", message: expect.stringContaining("has no end") }]);
  });

  test("one that is too long is not read", async () => {
    const { fields, problems } = await read("---", `a: ${"x".repeat(70_000)}`, "---");

    expect([fields, problems.length]).toEqual([null, 1]);
  });
});

describe("frontmatter that is not YAML", () => {
  test("with an unquoted colon: that field is text and reported, the others keep their types", async () => {
    const { fields, problems } = await read(
      "---",
      "name: reviewer",
      "description: Use this agent when: code was written. Examples: <example>user: 'hi'</example>",
      "tools:",
      "  - Read",
      "  - Grep",
      "maxTurns: 7",
      "hooks:",
      "  PreToolUse:",
      "    - matcher: Bash",
      "---",
      "Body",
    );

    expect(fields).toEqual({
      name: "reviewer",
      description: "Use this agent when: code was written. Examples: <example>user: 'hi'</example>",
      tools: ["Read", "Grep"],
      maxTurns: 7,
      hooks: { PreToolUse: [{ matcher: "Bash" }] },
    });
    expect(problems).toEqual([{ file: "a.md", line: 3, key: "description", message: expect.stringMatching(/quotes/) }]);
  });

  test("with a dialogue over several lines: the lines belong to the description", async () => {
    const { fields } = await read(
      "---",
      "name: a",
      "description: Use when asked: Examples:",
      "<example>",
      "Context: The user wrote code.",
      'user: "Please check it"',
      'assistant: "I will use the agent"',
      "</example>",
      "model: opus",
      "---",
    );

    expect(Object.keys(fields!)).toEqual(["name", "description", "model"]);
    expect(fields!.description).toBe(
      'Use when asked: Examples:\n<example>\nContext: The user wrote code.\nuser: "Please check it"\nassistant: "I will use the agent"\n</example>',
    );
  });

  test("with a key that occurs twice: the last counts, and both are named", async () => {
    const { fields, problems, lineOf } = await read("---", "name: a", "tools: Read", "name: b", "---");

    expect(fields).toEqual({ tools: "Read", name: "b" });
    expect(lineOf("name")).toBe(4);
    expect(problems).toMatchObject([{ line: 4, key: "name", message: expect.stringContaining("twice") }]);
  });

  test.each([
    ["a star", "tools: *", "*"],
    ["an at sign", "description: @mention first", "@mention first"],
    ["a backquote", "description: `code` first", "`code` first"],
    ["a percent sign", "description: %done", "%done"],
    ["text after a quoted part", `description: "Quoted" and: more`, `"Quoted" and: more`],
    ["a quote that is not closed", `description: "open`, `"open`],
    ["a tab before a list", "tools:\n\t- Read\n\t- Grep", ["Read", "Grep"]],
    ["a broken flow list", "tools: [Read, 'Grep, @x]", ["Read", "'Grep", "@x"]],
    ["a colon in a list item", "tools:\n- Bash(git: *)\n- x: y: z", ["Bash(git: *)", "x: y: z"]],
    ["no space after the colon", "model:opus", "opus"],
    ["a block of text with a wrong indentation", "text: |\n    deep\n  less\nmodel: x", "  deep\nless"],
  ])("with %s: it is taken as it is written", async (_, line, value) => {
    const { fields } = await read("---", "first: 1", line, "---");

    expect(Object.entries(fields!)).toEqual(expect.arrayContaining([[line.slice(0, line.indexOf(":")), value]]));
    expect(fields!.first).toBe(1);
  });

  test("with aliases of aliases: it does not grow", async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}, *l${n}]`);
    const { fields } = await read("---", "name: a", "l0: &l0 [x]", ...levels, "---");

    expect(fields!.name).toBe("a");
    expect(JSON.stringify(fields).length).toBeLessThan(5_000);
  });

  test("with brackets nested without end: it is read as text", async () => {
    const { fields } = await read("---", "name: a", `deep: ${"[".repeat(30_000)}`, "---");

    expect(fields!.name).toBe("a");
  });

  test("with lines that are not fields: they are reported", async () => {
    const { fields, problems } = await read("---", "just text", "more text", "---", "body");

    expect(fields).toEqual({});
    expect(problems).toMatchObject([{ line: 2, key: "" }]);
  });
});

test("no text whatever makes the reader throw, and what it reads is JSON", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "---\n",
      "---",
      "\n",
      ": ",
      "- ",
      "a",
      "name: x\n",
      '"',
      "'",
      "[",
      "]",
      "{",
      "}",
      "|\n",
      "&a ",
      "*a",
      "\t",
      "#",
      "!!",
      "? ",
      "\r\n",
      "%",
      "@",
      "<<: ",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const { fields, problems } = await readFrontmatter(`---\n${pieces.join("")}\n---\nbody`, "a.md");

      expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
      for (const { line } of problems) expect(line).toBeGreaterThan(0);
    }),
    { numRuns: process.env.PROVE ? 20_000 : 500 },
  );
});
