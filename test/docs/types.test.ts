import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundled } from "../bundled.js";

test("every ts block of the docs, and every test of types, compiles under the strict options of the repository", async () => {
  const program = await bundled(new URL("./type-errors-program.ts", import.meta.url));

  const { stdout } = await promisify(execFile)(process.execPath, [program]);

  const { programs, tests, errors } = JSON.parse(stdout);
  expect(programs).toBeGreaterThan(15);
  expect(tests).toBeGreaterThan(1);
  expect(errors).toEqual([expect.stringMatching(/^docs\/wrong\.md:12: Type 'number' is not assignable/)]);
}, 90_000);
