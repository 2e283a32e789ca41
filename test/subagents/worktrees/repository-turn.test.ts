import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { newLockOwner } from "../../../src/processes/process-lock.js";
import { describeHolder, inTurn } from "../../../src/subagents/worktrees/repository-turn.js";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "repository-turn-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

test("one process at a time changes a repository; another that has waited too long gets its owner", async () => {
  execFileSync("git", ["init", "--quiet"], { cwd: directory });
  const [first, second] = [await newLockOwner(), await newLockOwner()];

  const done = await inTurn(directory, first, async () => {
    return inTurn(directory, second, async () => "both", 1);
  });
  const after = await inTurn(directory, second, async () => "its turn");

  expect(done).toMatchObject({ value: { heldBy: { pid: process.pid } } });
  expect(after).toEqual({ value: "its turn" });
  expect(describeHolder(first)).toMatch(
    /^process \d+ on \S+ has been changing this repository .* Wait for it, or end it\.$/,
  );
});

test("where there is no repository any more it is done at once", async () => {
  const me = await newLockOwner();

  expect(await inTurn(directory, me, async () => 1)).toEqual({ value: 1 });
  expect(await inTurn(join(directory, "gone"), me, async () => 2)).toEqual({ value: 2 });
});
