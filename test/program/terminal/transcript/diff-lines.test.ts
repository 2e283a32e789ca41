import { expect, test } from "vitest";
import { loadCodeColors } from "../../../../src/program/terminal/screen/code-colors.js";
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

test("changed and kept lines have the colours of their language once those are loaded, removed ones are red", async () => {
  const colors = createTheme({});
  const diff = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n const a = 1;\n-const b = 1;\n+const b = 2;";
  await loadCodeColors();

  expect(diffLines(diff, colors, (line) => line)).toEqual([
    "\x1b[2m   1\x1b[22m   \x1b[35mconst\x1b[39m a = \x1b[33m1\x1b[39m;",
    "\x1b[31m   2 - const b = 1;\x1b[39m",
    "\x1b[32m   2 +\x1b[39m \x1b[35mconst\x1b[39m b = \x1b[33m2\x1b[39m;",
  ]);
  expect(diffLines(diff.replaceAll(".ts", ".unknown"), colors, (line) => line).at(-1)).toBe(
    "\x1b[32m   2 + const b = 2;\x1b[39m",
  );
});

test("a long diff is cut, and says by how much", () => {
  const long = `@@ -0,0 +1,50 @@\n${Array.from({ length: 50 }, (_, n) => `+${n}`).join("\n")}`;

  const lines = diffLines(long, theme, (line) => line, 10);

  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("   … 41 more lines");
});
