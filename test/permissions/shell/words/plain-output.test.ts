import { expect, test } from "vitest";
import { plainOutput } from "../../../../src/permissions/shell/words/plain-output.js";

const printed = (pipe: string) => {
  const output = plainOutput(pipe.split(" | ").map((command) => command.split(" ")));
  return output && `${output.isOne ? "one " : ""}${output.kind}`;
};

test.each([
  ["nproc", "one number"],
  ["cat a | wc -l", "one number"],
  ["grep -ci x a", "one number"],
  ["date +%s", "one number"],
  ["seq 1 5", "number"],
  ["git rev-list --count HEAD", "one number"],
  ["git rev-list --all -n 3", "commit"],
  ["git log -5 --format=%h -- src", "commit"],
  ["git log --pretty=format:%H --no-merges main..HEAD | head -1", "one commit"],
  ["git merge-base a b", "one commit"],
  ["git rev-parse --short HEAD", "one commit"],
  ["git rev-parse --abbrev-ref HEAD", "one ref"],
  ["git describe --tags --abbrev=0", "one ref"],
  ["git branch --format=%(refname:short) --merged", "ref"],
  ["git tag --sort=-v:refname | grep v1 | sort -r | head -n 1", "one ref"],
  ["git for-each-ref --format=%(refname) refs/heads", "ref"],
])("prints plain words: %s", (pipe, kind) => {
  expect(printed(pipe)).toBe(kind);
});

test.each([
  "wc -l a",
  "grep -c x a b",
  "grep -rc x a",
  "date +%Z",
  "seq -3 3",
  "seq 3 -1 -3",
  "git log --format=%s",
  "git log --format=%h -p",
  "git log --format=%h --format=%s",
  "git rev-list --objects HEAD",
  "git rev-list --boundary HEAD",
  "git show -s --format=%h v1",
  "git for-each-ref --format=%(refname:short)",
  "git tag -n",
  "git tag | sed s/^/-/",
  "git tag | head a",
  "git tag | sort a",
  "git tag | grep -f a",
  "cat a | head -1",
])("may print anything: %s", (pipe) => {
  expect(printed(pipe)).toBe(null);
});

test("a word with spaces is one word, and one that is not known is none", () => {
  expect(plainOutput([["git", "log", "--since=2 weeks -p", "--format=%h"]])).toEqual({ kind: "commit", isOne: false });
  expect(plainOutput([["git", "log", null, "--format=%h"]])).toBe(null);
  expect(plainOutput([["git", "log", "", "--format=%h"]])).toBe(null);
});
