// A work tree that is in use stays with who uses it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tool } from "../../engine/kit.js";
import { give, inRepository, repository, writes } from "./kit.js";

test("a work tree that another process works in stays when the session is ended here", async () => {
  const repo = repository();
  // With an owner of its own, as in another process.
  const other = inRepository(repo, { main: () => [] });
  const works = (dir: string) =>
    tool("write", async () => {
      await other.engine.endSession("s");
      writeFileSync(join(dir, "a.txt"), "X\n");
      return "wrote";
    });
  const { engine, results } = inRepository(repo, { main: give("x"), x: writes("a.txt", "X\n") }, {}, undefined, works);

  await engine.run("go", { sessionId: "s" });

  expect(results.x!.details).toMatchObject({ worktree: { merged: true, files: ["a.txt"] } });
  expect([repo.read("a.txt"), repo.leftovers()]).toEqual(["X\n", []]);
});
