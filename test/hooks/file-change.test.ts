import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changeOf } from "../../src/hooks/file-change.js";
import { unifiedDiff } from "../../src/tools/edit/unified-diff.js";
import { runs } from "../runs.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

const line = fc.constantFrom("a", "b", "", "  c", "+x", "-y", "\\\\", "@@ -1 +1 @@");
const textOf = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean(), fc.constantFrom("\n", "\r\n"))
  .map(([lines, ends, ending]) => lines.join(ending) + (ends && lines.length > 0 ? ending : ""));

test("the file as it was comes back from what it is and the diff, or is left out", async () => {
  const file = join(await temporaryDirectory(), "a.txt");
  let whole = 0;
  const check = async (before: string, after: string) => {
    await writeFile(file, after);
    const { originalFile } = changeOf(file, await unifiedDiff({ path: "a.txt", before, after }), false);
    if (originalFile === undefined) return;
    whole++;
    // Which of its lines ended otherwise than the others is not in the diff.
    expect(String(originalFile).replaceAll("\r\n", "\n")).toBe(before.replaceAll("\r\n", "\n"));
  };

  await fc.assert(fc.asyncProperty(textOf, textOf, check), { numRuns: runs(150, 2_000, 50_000) });
  expect(whole).toBeGreaterThan(75);
});

test("hunks have the shape of the public types", async () => {
  const file = join(await temporaryDirectory(), "a.txt");
  await writeFile(file, "one\n2\nthree\n");
  const diff = await unifiedDiff({ path: "a.txt", before: "one\ntwo\nthree\n", after: await readFile(file, "utf8") });

  expect(changeOf(file, diff, false)).toEqual({
    structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" one", "-two", "+2", " three"] }],
    originalFile: "one\ntwo\nthree\n",
  });
  expect(changeOf(file, "", true)).toEqual({ structuredPatch: [], originalFile: null });
});

test("of a change that is cut, a file that has gone on, or one that is elsewhere, the original is left out", async () => {
  const file = join(await temporaryDirectory(), "a.txt");
  const [before, after] = ["x\n".repeat(3_000), "y\n".repeat(3_000)];
  await writeFile(file, after);
  const cut = changeOf(file, await unifiedDiff({ path: "a.txt", before, after }), false);
  const diff = await unifiedDiff({ path: "a.txt", before: "one\n", after: "two\n" });

  expect(cut).not.toHaveProperty("originalFile");
  expect(changeOf(file, diff, false)).not.toHaveProperty("originalFile");
  expect(changeOf(join(file, "none"), diff, false)).not.toHaveProperty("originalFile");
});
