import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ToolRegistry } from "../../../src/engine/tools/tool-registry.js";
import { fakeToolContext } from "../../../src/testing/tool/fake-tool-context.js";
import { builtinTools } from "../../../src/tools/builtin-tools.js";
import { createWorkspace } from "../../../src/workspace/create-workspace.js";
import { temporaryDirectory } from "../../workspace/temporary-workspace.js";

const PYTHON = "def f(x):\n    if x:\n        return 1\n    return 2\n";
const GO = "func main() {\n\tif ok {\n\t\trun()\n\t}\n}\n";
const MAKE = "all: x\n\tgcc x.c\n\techo ok\n\nclean:\n\trm x\n";
const YAML = "x:\n- a: 1\n  b: 2\n- a: 3\n  b: 4\n";

interface Case {
  readonly before: string;
  readonly old: string;
  readonly by: string;
  readonly all?: boolean;
}

/** Runs one call in a directory of its own, as an engine would. */
async function edit({ before, old: old_text, by: new_text, all: replace_all }: Case) {
  const root = await temporaryDirectory();
  await writeFile(join(root, "file"), before);
  const workspace = await createWorkspace({ root });
  const tools = new ToolRegistry(builtinTools(workspace, { names: ["edit_file"] }));
  const args = { path: "file", old_text, new_text, ...(replace_all && { replace_all }) };
  const { output, details } = await tools.execute({ id: "1", name: "edit_file", arguments: args }, fakeToolContext());
  await workspace.close();
  const { code } = details as { code?: string };
  return { after: await readFile(join(root, "file"), "utf8"), code, message: String(output) };
}

test.each<[string, Case, string]>([
  [
    "whitespace for the tabs of Go",
    { before: GO, old: "  if ok {\n    run()\n  }", by: "  if ok {\n    if b {\n      run()\n    }\n  }" },
    "func main() {\n\tif ok {\n\t\tif b {\n\t\t\trun()\n\t\t}\n\t}\n}\n",
  ],
  [
    "whitespace for the tabs of a Makefile",
    { before: MAKE, old: "all: x\n    gcc x.c\n    echo ok", by: "all: x y\n    gcc x.c\n    gcc y.c\n    echo ok" },
    "all: x y\n\tgcc x.c\n\tgcc y.c\n\techo ok\n\nclean:\n\trm x\n",
  ],
  [
    "tabs for the whitespace of Python",
    { before: PYTHON, old: "\tif x:\n\t\treturn 1\n\treturn 2", by: "\tif x:\n\t\treturn 9\n\telse:\n\t\treturn 2" },
    "def f(x):\n    if x:\n        return 9\n    else:\n        return 2\n",
  ],
  [
    "a block moved to the left margin",
    { before: PYTHON, old: "if x:\n    return 1\nreturn 2", by: "if x:\n    return 1\nelse:\n    return 3" },
    "def f(x):\n    if x:\n        return 1\n    else:\n        return 3\n",
  ],
  [
    "a YAML list indented below its key",
    { before: YAML, old: "  - a: 3\n    b: 4", by: "  - a: 3\n    c: 5\n    b: 4" },
    "x:\n- a: 1\n  b: 2\n- a: 3\n  c: 5\n  b: 4\n",
  ],
  [
    "whitespace lost behind a line of JSON",
    { before: '{\n  "a": 1, \n  "b": 2\n}\n', old: '"a": 1,\n  "b": 2', by: '"a": 1,\n  "b": 3' },
    '{\n  "a": 1, \n  "b": 3\n}\n',
  ],
  [
    "the whitespace of an empty line lost",
    { before: "a()\n    \nb()\nc()\n", old: "a()\n\nb()", by: "x()\n\ny()" },
    "x()\n    \ny()\nc()\n",
  ],
  [
    "an empty line in front of both texts",
    { before: "x\n  a()\n  b()\ny\n", old: "\na()\nb()\n", by: "\nc()\nb()\n" },
    "x\n  c()\n  b()\ny\n",
  ],
  [
    "straight quotes for typographic ones",
    { before: "# It’s “fine”\nb\n", old: '# It\'s "fine"', by: '# It\'s "good"' },
    '# It\'s "good"\nb\n',
  ],
  [
    "a decomposed letter for a composed one",
    { before: "caf\u00e9 = 1\n", old: "cafe\u0301 = 1", by: "caf\u00e9 = 2" },
    "caf\u00e9 = 2\n",
  ],
  ["a whole file without its last newline", { before: "a\nb\n", old: "a\nb", by: "x\ny" }, "x\ny\n"],
  ["all of a file", { before: "a\nb\n", old: "a\nb\n", by: "" }, ""],
  ["a last line without a newline", { before: "a\nb", old: "b\n", by: "c\n" }, "a\nc"],
  ["a line taken out of CRLF", { before: "a\r\nb\r\nc\r\n", old: "b\n", by: "" }, "a\r\nc\r\n"],
  ["lines of CRLF joined", { before: "a\r\nb\r\n", old: "a\nb", by: "a b" }, "a b\r\n"],
  ["patterns of String.replace", { before: "a a\n", old: "a", by: "$1$&$$", all: true }, "$1$&$$ $1$&$$\n"],
  ["a string within an emoji sequence", { before: "👨‍👩‍👧\n", old: "👩", by: "👨" }, "👨‍👨‍👧\n"],
  ["escapes that are in the file", { before: 's = "a\\nb"\n', old: '"a\\nb"', by: '"a\\tb"' }, 's = "a\\tb"\n'],
  ["entities that are in the file", { before: "<p>a &lt; b\n", old: "a &lt; b", by: "a &gt; b" }, "<p>a &gt; b\n"],
  [
    "what resolves a conflict",
    { before: "<<<<<<<\na\n=======\nb\n>>>>>>>\n", old: "<<<<<<<\na\n=======\nb\n>>>>>>>\n", by: "b\n" },
    "b\n",
  ],
  [
    "lines that are the same indented otherwise",
    {
      before: "if a:\n  log(x)\n  end\nif b:\n      log(x)\n      end\n",
      old: "log(x)\nend",
      by: "log(y)\nend",
      all: true,
    },
    "if a:\n  log(y)\n  end\nif b:\n      log(y)\n      end\n",
  ],
])("%s is edited in its place", async (_, given, after) => {
  expect(await edit(given)).toMatchObject({ after, code: undefined });
});

test.each<[string, Case, string, RegExp]>([
  [
    "an ellipsis for lines",
    { before: PYTHON, old: "def f(x):\n    ...\n    return 2", by: "" },
    "EDIT_NOT_FOUND",
    /lines 1-4/,
  ],
  ["a newline written as \\n", { before: "a()\nb()\n", old: "a()\\nb()", by: "" }, "EDIT_NOT_FOUND", /a\(\)/],
  ["escaped quotes", { before: 'say("hi");\n', old: 'say(\\"hi\\");', by: "" }, "EDIT_NOT_FOUND", /say\("hi"\)/],
  [
    "entities for characters",
    { before: "if (a < b && c) {\n", old: "if (a &lt; b &amp;&amp; c) {", by: "" },
    "EDIT_NOT_FOUND",
    /a < b && c/,
  ],
  ["a fence around the text", { before: "x = 1\n", old: "```\nx = 1\n```", by: "" }, "EDIT_NOT_FOUND", /x = 1/],
  ["the marks of a diff", { before: "one()\ntwo()\n", old: "-one()\n+three()", by: "" }, "EDIT_NOT_FOUND", /one\(\)/],
  ["letters that only look alike", { before: "сat()\n", old: "cat()", by: "" }, "EDIT_NOT_FOUND", /сat/],
  ["another letter case", { before: "Foo()\n", old: "foo()", by: "" }, "EDIT_NOT_FOUND", /only in letter case/],
  [
    "other whitespace within a line",
    { before: "| a   | b |\n", old: "| a | b |", by: "" },
    "EDIT_NOT_FOUND",
    /only in whitespace/,
  ],
  ["a line that is missing in between", { before: "a()\n\nb()\n", old: "a()\nb()", by: "" }, "EDIT_NOT_FOUND", /a\(\)/],
  [
    "Python nested otherwise",
    { before: "if a:\n    x()\n    y()\n", old: "if a:\n    x()\ny()", by: "if a:\n    x()\nz()\ny()" },
    "EDIT_NOT_FOUND",
    /indented differently.*lines 1-3:\n {5}1 {3}if a:\n {5}2 {7}x\(\)\n {5}3 {7}y\(\)\n/s,
  ],
  [
    "a string in two places",
    { before: "x = 1\ny\nx = 1\n", old: "x = 1", by: "x = 2" },
    "EDIT_AMBIGUOUS",
    /lines 1, 3/,
  ],
  ["a string twice in one line", { before: "a a\n", old: "a", by: "b" }, "EDIT_AMBIGUOUS", /line 1/],
  ["a string that overlaps itself", { before: "aaa\n", old: "aa", by: "b" }, "EDIT_AMBIGUOUS", /2 places/],
  [
    "a line that is also the end of another",
    { before: "    x = 1\n  x = 1\n", old: "  x = 1", by: "y" },
    "EDIT_AMBIGUOUS",
    /lines 1, 2/,
  ],
  ["the same text again", { before: "a\n", old: "a", by: "a" }, "EDIT_NO_CHANGE", /same/],
  ["nothing but another line ending", { before: "a\r\nb\r\n", old: "a\nb", by: "a\r\nb" }, "EDIT_NO_CHANGE", /nothing/],
  ["no text", { before: "a\n", old: "", by: "b" }, "EDIT_INVALID", /empty/],
  ["half a character", { before: "😀\n", old: "\ud83d", by: "x" }, "TOOL_INPUT_INVALID", /half a character/],
])("%s is refused with what to do, and the file stays as it is", async (_, given, code, hint) => {
  expect(await edit(given)).toEqual({ after: given.before, code, message: expect.stringMatching(hint) });
});
