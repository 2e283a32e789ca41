// A workspace that is not on this machine's disk: its own listing decides, and what it does not say asks.
import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { viewOf } from "../../../src/permissions/lookup/workspace-view.js";
import { createMemoryWorkspace } from "../../../src/testing/index.js";
import { bash, behaviorOf } from "../kit.js";

const workspace = await createMemoryWorkspace({
  files: { "a.txt": "a", "secret.txt": "s", "src/b.txt": "b", "src/keys/c.txt": "c", "docs/d.md": "d" },
});

test("its directories are listed through its own files", async () => {
  const view = await viewOf(workspace);
  const at = (path: string) => `${workspace.root}/${path}`;

  expect(
    view
      .entriesOf(at("src"))
      ?.map(({ name, kind }) => `${kind} ${name}`)
      .sort(),
  ).toEqual(["directory keys", "file b.txt"]);
  expect([view.kindOf(at("a.txt")), view.kindOf(at("src")), view.kindOf(at("none/x")), view.kindOf("/etc")]).toEqual([
    "file",
    "directory",
    null,
    "unknown",
  ]);
  expect([view.realPathOf(at("src/b.txt")), view.realPathOf("/etc")]).toEqual([at("src/b.txt"), null]);
  expect([view.entriesOf(at("none")), view.entriesOf("/etc"), view.contentOf(at("a.txt"), 9)]).toEqual([
    [],
    null,
    null,
  ]);
});

test.each([
  ["cat *", "deny"],
  ["cat s*", "deny"],
  ["head -1 ./*.txt", "deny"],
  ['for f in *.txt; do cat "$f"; done', "deny"],
  ["cat src/*", "allow"],
  ["cat docs/*.md", "allow"],
  ["cat a.txt", "allow"],
  ["cat src/keys/*", "deny"],
  ["ls *", "allow"],
  ["grep -r x docs", "allow"],
  ["cat /etc/*", "ask"],
  ["git status", "ask"],
])("deny rules hold for what wildcards match there: %s: %s", async (line, expected) => {
  const rules = { deny: ["Read(secret.txt)", "Read(src/keys/**)"] };
  expect(await behaviorOf(createPermissionChecker({ workspace, rules }), bash(line))).toBe(expected);
});

test.each([
  ["cat *", "allow"],
  ["find src -name '*.txt' | xargs wc -l", "allow"],
  ["cat docs/../src/b.txt", "allow"],
])("without rules its wildcards need no question: %s", async (line, expected) => {
  expect(await behaviorOf(createPermissionChecker({ workspace }), bash(line))).toBe(expected);
});
