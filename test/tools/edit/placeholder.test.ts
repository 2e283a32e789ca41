// A placeholder is found by what the edit does; edits that only talk about the rest of something pass.
import { expect, test } from "vitest";
import { applyEdit } from "../../../src/tools/edit/apply-edit.js";
import { findPlaceholder } from "../../../src/tools/edit/placeholder.js";

const OLD = "function total() {\n  const a = one();\n  const b = two();\n  return a + b;\n}";
const withLine = (line: string) => `function total() {\n  const a = 1;\n  ${line}\n}`;

test.each([
  "// ... existing code ...",
  "// existing code here",
  "// rest of file",
  "# same as before",
  "{/* existing JSX */}",
  "(rest of methods ...)",
  "// keep the rest",
  "# ...",
  "// ...",
  "//...",
  "// \u2026",
  "/* ... */",
  "<!-- rest of the page -->",
  "-- remaining columns unchanged",
  "; unchanged",
  "% same",
  "... existing code ...",
  "[... rest of the file ...]",
  "[rest of the function unchanged]",
  "# ... (rest of the file unchanged)",
  "// the rest of the file stays unchanged",
  "// remaining methods stay the same",
  "// rest of the code...",
  '"""rest of the docstring"""',
  "REM keep existing lines",
])("%s in place of code is refused", (line) => {
  expect(findPlaceholder(OLD, withLine(line))).toBe(line);
  expect(() => applyEdit(OLD, { oldText: OLD, newText: withLine(line) })).toThrow(
    expect.objectContaining({ code: "EDIT_INVALID", message: expect.stringContaining("Write that code out") }),
  );
});

test.each([
  ["a comment is added and nothing dropped", "a();\nb();", "a();\n// keep the rest for later\nb();"],
  ["a comment is added above code that is rewritten", "x = 1", "// Keep the rest alive.\nx = 2"],
  ["a comment takes the place of another", "// TODO\na();", "// the rest is done elsewhere\na();"],
  ["the file has that line already", "// ... existing code ...\na();\nb();", "// ... existing code ...\nc();"],
  ["code grows", "a();", "// same as before, in two steps\na1();\na2();"],
  ["a value is spread", "a(x);\nb(y);\nc(z);", "a(...rest);\n[...existing]\n(...same)"],
  ["a name in brackets", "a(x);\nb(y);\nc(z);", "(rest)\n{existing}\n[same, keep]"],
  ["code about what exists", "a();\nb();\nc();", "if (existing) keep(same);"],
  ["a stub of Python", "def f():\n    return 1\n    # old", "def f():\n    ..."],
  ["a longer comment", "a();\nb();", "// The remaining part of this work is done by the scheduler, once an hour."],
  ["an include, a selector and an option", "a\nb\nc\nd", "#include <existing.h>\n#rest { color: red }\n--keep"],
  ["text in prose", "One.\nTwo.\nThree.", "The rest is unchanged."],
  ["a list in a document", "- one\n- two\n- three", "* keep one"],
  ["code dropped without a remark", "a();\nb();\nc();", "// done\na();"],
])("a healthy edit passes: %s", (_what, oldText, newText) => {
  expect(findPlaceholder(oldText, newText)).toBeNull();
});
