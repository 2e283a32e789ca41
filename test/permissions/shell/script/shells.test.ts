import { expect, test } from "vitest";
import { analyze, isReadOnly, texts } from "../kit.js";

test.each([
  "bash -n x.sh",
  "sh -n x.sh",
  "bash -n -e x.sh",
  "bash -lc 'ls src'",
  "bash -c 'cat a | head'",
  "bash --version",
])("only reads: %s", (line) => {
  expect(isReadOnly(line)).toBe(true);
});

test.each([
  "bash x.sh",
  "bash -n +n x.sh",
  "bash -n +o noexec x.sh",
  "bash -ic ls",
  "bash",
  "bash --rcfile x -c ls",
  'bash -c "$x"',
])("may run more: %s", (line) => {
  expect(isReadOnly(line)).toBe(false);
});

test("the script of -c is read like any other, and has to be in the grammar as well", () => {
  expect(texts("bash -c 'a; b'")).toEqual(["bash -c 'a; b'", "a", "b"]);
  expect(analyze("bash -c 'ls'").outsideGrammar).toEqual([]);
  expect(analyze("bash -c 'ls \u0024{x:-y}'").outsideGrammar).toEqual(['"\u0024{x:-y}" is not plain']);
  expect(analyze("echo 'rm \u0024{x:-y}' | bash").outsideGrammar).toEqual(['"\u0024{x:-y}" is not plain']);
});
