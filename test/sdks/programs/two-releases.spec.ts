// A program that waits for an answer under one release of Node.js goes on under another one.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { bundled } from "../../sessions/kit.js";

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("../../programs/suspended-program.ts", import.meta.url));
});

async function life(release: string, ...args: readonly string[]) {
  // Within another npx its settings would count here, too.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { stdout } = await promisify(execFile)("npx", ["-y", "-p", `node@${release}`, "node", program, ...args], {
    env,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

test.each([
  ["20", "24"],
  ["24", "20"],
])("a program suspended on Node %s and continued on Node %s does what it had done", async (before, after) => {
  const dir = mkdtempSync(join(tmpdir(), "two-releases-"));

  const first = await life(before, dir);
  const last = await life(after, dir, first.asked.id);

  expect([first, last].map(({ node }) => node.split(".")[0])).toEqual([before, after]);
  expect([first, last].map(({ status }) => status)).toEqual(["needs-approval", "completed"]);
  const { start, paid, end } = JSON.parse(last.output);
  expect(paid).toEqual(first.asked.input);
  expect([paid.n, start[2], end[0]]).toEqual([[3, 1, 2], "100,25,5", true]);
  rmSync(dir, { recursive: true });
});
