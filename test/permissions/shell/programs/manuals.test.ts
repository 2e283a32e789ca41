// What programs do beyond reading, as their manuals say. Each line ran without a rule when it was found.
import { expect, test } from "vitest";
import { analyzeCommand, isReadOnlyCommand } from "../../../../src/permissions/index.js";

test.each([
  ["ps -eo pid,environ", "a format shows what other programs have in their environment"],
  ["ps --format=environ", "the same"],
  ["git log --show-signature", "signatures are checked by another program, which makes files in the home directory"],
  ["git log --format=%G?", "the same"],
  ["git show --pretty=format:%GK", "the same"],
  ["git verify-commit HEAD", "the same"],
  ["git reflog drop main", "it deletes"],
  ["kubectl version", "it connects to a cluster"],
])("%s asks: %s", (line) => {
  expect(isReadOnlyCommand(line)).toBe(false);
});

test.each(["ps -eo pid,args", "tar tf a.tar", "git log --format=%H", "git reflog", "kubectl version --client -o json"])(
  "%s only reads",
  (line) => {
    expect(isReadOnlyCommand(line)).toBe(true);
  },
);

test.each([
  ["tar tf a.tar -T ../x", "/x"],
  ["tar tf a.tar -vX../x", "/x"],
  ["tar tf a.tar --files-f=../x", "/x"],
  ["tar tf a.tar --exclude-from ../x", "/x"],
  ["tar tXf list a.tar", "/project/list"],
])("%s reads the list, whose lines messages quote", (line, path) => {
  const { effects } = analyzeCommand(line, { cwd: "/project" });
  expect(effects).toContainEqual(expect.objectContaining({ kind: "read", path }));
});
