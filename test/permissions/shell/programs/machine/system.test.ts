import { expect, test } from "vitest";
import { isReadOnly } from "../../kit.js";

test.each(["ps", "ps aux", "ps -ef", "ps -o pid,comm", "ps -p 1", "ps --forest"])("only reads: %s", (line) => {
  expect(isReadOnly(line)).toBe(true);
});

test.each(["ps e", "ps axeww", "ps auxe", "ps -o pid e"])("shows the environment of others: %s", (line) => {
  expect(isReadOnly(line)).toBe(false);
});
