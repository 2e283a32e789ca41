// What a sub-agent writes where git ignores it: not handed over, and not without a word.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import type { WorktreeOptions } from "../../../src/subagents/index.js";
import { tool } from "../../engine/kit.js";
import type { Role } from "../kit.js";
import { give, inRepository, repository } from "./kit.js";

/** The result of a sub-agent that has written files. */
async function afterWriting(names: readonly string[], changes?: WorktreeOptions["changes"]) {
  const repo = repository();
  writeFileSync(join(repo.root, ".git", "info", "exclude"), "*.log\nout/\n");
  const writing = (dir: string) =>
    tool("write", async () => {
      for (const name of names) {
        mkdirSync(dirname(join(dir, name)), { recursive: true });
        writeFileSync(join(dir, name), "new\n");
      }
      return "wrote";
    });
  const x: Role = (_request, step) => (step === 0 ? toolCall("write", {}) : text("x is done"));
  const { engine, results } = inRepository(repo, { main: give("x"), x }, {}, changes, writing);
  await engine.run("go", { sessionId: "s" });
  return { repo, output: String(results.x!.output) };
}

test("files that git ignores are named in the result, a directory of them by its name alone", async () => {
  const { repo, output } = await afterWriting(["new.txt", "out/a.md", "out/b.md", "sub/x.log"]);

  expect(output).toBe(
    "x is done\n\n[Its changes are in your files now: new.txt.]\n\n[Git ignores out/, sub/x.log: they are not handed over, and go with its work tree.]",
  );
  expect([repo.git("status", "--porcelain"), repo.leftovers()]).toEqual(["?? new.txt\n", []]);
});

test("a sub-agent that wrote nothing else is not said to have changed no files", async () => {
  const { output } = await afterWriting(["out/a.md"]);

  expect(output).toBe("x is done\n\n[Git ignores out/: they are not handed over, and go with its work tree.]");
});

test("kept changes name them too, the first ten of them", async () => {
  const { output } = await afterWriting(["a.txt", ...Array.from({ length: 12 }, (_, n) => `${10 + n}.log`)], "keep");

  expect(output).toContain("are committed to the branch");
  expect(output).toContain("[Git ignores 10.log, 11.log, ");
  expect(output).toContain(", 19.log and 2 more: they are not handed over");
});
