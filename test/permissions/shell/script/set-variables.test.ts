import { expect, test } from "vitest";
import { analyze, fileEffects, texts } from "../kit.js";

test.each([
  "env -u $x echo touch new; x=1",
  "for x in a; do :; done | cat; env -u $x echo touch new",
  "(x=1); env -u $x echo touch new",
  "x=1 | cat; env -u $x echo touch new",
  "x=1 & env -u $x echo touch new",
  "true || x=1; env -u $x echo touch new",
  "true || x=1 && env -u $x echo touch new",
  "if false; then x=1; fi; env -u $x echo touch new",
  "y=$(x=1); env -u $x echo touch new",
  "x=1 env -u $x echo touch new",
  "x=1; unset x; env -u $x echo touch new",
  "env -u$x echo touch new; x=1",
  'env -u"$x" echo touch new; x=1',
  "env -u $(git describe) echo touch new",
  'env -u"$(git tag)" echo touch new',
])("without a value for a word those behind it mean something else: %s", (line) => {
  expect(texts(line)).toContain("touch new");
});

test.each([
  "x=1; env -u $x echo touch new",
  "x=1 && env -u $x echo touch new",
  "true && x=1 && env -u $x echo touch new",
  "for x in a b; do env -u $x echo touch new; done",
  "x=1; { env -u$x echo touch new; }",
  'env -u "$x" echo touch new; x=1',
])("a value that is surely there keeps its place: %s", (line) => {
  expect(texts(line)).not.toContain("touch new");
});

test("a path that starts with a variable starts at the root before it is set", () => {
  expect(fileEffects("cat $d/etc/x; d=src")).toEqual(["read /project/src/etc/x", "read /etc/x"]);
  expect(fileEffects("d=src; cat $d/etc/x")).toEqual(["read /project/src/etc/x"]);
  expect(fileEffects("d=; cat $d/etc/x")).toContain("read null");
});

test("the words of a test are read with and without what may be empty", () => {
  expect(analyze("test $x -v 'a[$(touch new)]'; x=!").opaque).toBe(true);
});

test("a test of find is not an action before a variable is set", () => {
  expect(texts("find src -name $x -name -delete; x=-name")).toHaveLength(2);
});
