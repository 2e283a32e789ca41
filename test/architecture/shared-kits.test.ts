import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const HOOK = /^(?:before|after)(?:Each|All)\(/m;

// One process runs many files and loads what they share once: a hook there would count for the first of them alone.
test("what tests share cleans up with onTestFinished, not with hooks of its own", () => {
  const shared = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/node_modules|\.(?:test|spec)\.ts$/.test(file),
  );
  const hooked = shared.filter((file) => HOOK.test(readFileSync(join(TESTS, file), "utf8")));

  expect(hooked).toEqual([]);
  expect(shared.length).toBeGreaterThan(50);
});
