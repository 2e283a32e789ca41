import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DiskSource } from "../../../../src/tools/search/walk/disk-source.js";
import { walkFiles } from "../../../../src/tools/search/walk/walk-files.js";
import { runs } from "../../../runs.js";
import { temporaryDirectory } from "../../../workspace/temporary-workspace.js";

const NAMES = ["a", "b", "build", "Build", "x.log", "keep.log", "a b", "#c", "!d", "-e", "[f]", "g*", "h\\", ".i"];
const DIRECTORIES = ["a", "b", "build", "sub", ".i", "foo"];

const name = fc.constantFrom(...NAMES);
const path = fc
  .tuple(fc.array(fc.constantFrom(...DIRECTORIES), { maxLength: 3 }), name)
  .map(([directories, last]) => [...directories, last].join("/"));
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...DIRECTORIES, ...NAMES) },
  fc.constantFrom(
    "*",
    "**",
    "*.log",
    "?",
    "[ab]",
    "[!a]",
    "[^b]*",
    "b*",
    "*d",
    "\\#c",
    "\\!d",
    "\\[f\\]",
    "g\\*",
    "h\\\\",
    "a\\ b",
  ),
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "#"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "/**", "/*", " ", "\\ ", "\r"),
  )
  .map(([mark, start, parts, end]) => mark + start + parts.join("/") + end);
const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
const tree = fc.record({
  paths: fc.uniqueArray(path, { minLength: 3, maxLength: 25 }),
  // Without one at the top, the usual noise is skipped, too.
  top: ignoreFile,
  deeper: fc.dictionary(fc.constantFrom("a/", "b/", "a/b/", "sub/"), ignoreFile, { maxKeys: 3 }),
});

function writeTree(
  root: string,
  { paths, top, deeper }: { paths: string[]; top: string; deeper: Record<string, string> },
) {
  const ignoreFiles = Object.entries({ "": top, ...deeper }).map(
    ([directory, text]) => [`${directory}.gitignore`, text] as const,
  );
  for (const [file, content] of [...paths.map((each) => [each, ""] as const), ...ignoreFiles]) {
    try {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
    } catch (error) {
      // A file where another path needs a directory, or the reverse: the tree does without.
      if (!["EEXIST", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code!)) throw error;
    }
  }
}

test("what is skipped is what git ignores", async () => {
  const root = await temporaryDirectory();
  execFileSync("git", ["init", "-q"], { cwd: root });
  const listFiles = "-c core.excludesFile=/dev/null ls-files --others --exclude-standard -z".split(" ");
  const source = new DiskSource(root);
  const property = fc.asyncProperty(tree, async (files) => {
    for (const entry of readdirSync(root)) if (entry !== ".git") rmSync(join(root, entry), { recursive: true });
    writeTree(root, files);

    const found = [...walkFiles(source, await source.rules(root, new Set()), () => true)];

    const wanted = execFileSync("git", listFiles, { cwd: root }).toString().split("\0").filter(Boolean);
    expect(found.flatMap((file) => (file && "path" in file ? [file.path] : [])).sort()).toEqual(wanted.sort());
  });

  await fc.assert(property, { numRuns: runs(15, 60, 3_000) });
});
