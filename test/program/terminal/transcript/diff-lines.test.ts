import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { countChanges, diffLines } from "../../../../src/program/terminal/transcript/diff-lines.js";

const theme = createTheme({ NO_COLOR: "1" });
const DIFF = `--- a.js
+++ a.js
@@ -3,3 +3,3 @@
 one
-two
+2
 three
@@ -20,1 +20,2 @@
 last
+--- not a header`;

test("a diff shows the numbers of its lines", () => {
  expect(diffLines(DIFF, theme, (line) => line)).toEqual([
    "   3   one",
    "   4 - two",
    "   4 + 2",
    "   5   three",
    "   …",
    "  20   last",
    "  21 + --- not a header",
  ]);
  expect(countChanges(DIFF)).toEqual({ added: 2, removed: 1 });
});

test("a long diff is cut, and says by how much", () => {
  const long = `@@ -0,0 +1,50 @@\n${Array.from({ length: 50 }, (_, n) => `+${n}`).join("\n")}`;

  const lines = diffLines(long, theme, (line) => line, 10);

  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("   … 41 more lines");
});
