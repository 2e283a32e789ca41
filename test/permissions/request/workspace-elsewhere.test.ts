// A workspace that is not on this machine's disk: what would have to be looked up there asks, or is denied where a rule may be about it.
import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { createMemoryWorkspace } from "../../../src/testing/index.js";
import { bash, behaviorOf } from "../kit.js";

const workspace = await createMemoryWorkspace({
  files: { "a.txt": "a", "secret.txt": "s", "src/b.txt": "b", "src/keys/c.txt": "c", "docs/d.md": "d" },
});

test.each([
  ["cat *", "deny"],
  ["cat s*", "deny"],
  ["head -1 ./*.txt", "deny"],
  ['for f in *.txt; do cat "$f"; done', "deny"],
  ["cat src/keys/*", "deny"],
  ["cat src/*", "deny"],
  ["cat docs/*.md", "ask"],
  ["cat a.txt", "allow"],
  ["ls src", "allow"],
  ["grep -r x docs", "ask"],
  ["cat /etc/*", "ask"],
  ["git status", "ask"],
])("deny rules hold for what wildcards may match there: %s: %s", async (line, expected) => {
  const rules = { deny: ["Read(secret.txt)", "Read(src/keys/**)"] };
  expect(await behaviorOf(createPermissionChecker({ workspace, rules }), bash(line))).toBe(expected);
});

test.each(["cat *", "find src -name '*.txt' | xargs wc -l", "cat docs/../src/b.txt"])(
  "without rules what has to be looked up asks: %s",
  async (line) => {
    expect(await behaviorOf(createPermissionChecker({ workspace }), bash(line))).toBe("ask");
  },
);

test("a directory that a program takes may hold what a rule denies", async () => {
  const rules = { allow: ["Bash"], deny: ["Read(src/keys/**)"] };
  expect(await behaviorOf(createPermissionChecker({ workspace, rules }), bash("zip -r x.zip src"))).toBe("ask");
  expect(await behaviorOf(createPermissionChecker({ workspace, rules }), bash("docker build src"))).toBe("ask");
  expect(await behaviorOf(createPermissionChecker({ workspace, rules }), bash("docker build docs"))).toBe("allow");
});
