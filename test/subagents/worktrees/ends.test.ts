// The end of a work tree is on record before its directory goes: a call that is entered again says what came of its changes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { ToolResult } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import type { WorktreeOptions } from "../../../src/subagents/index.js";
import { bundled, startChild, temporaryDirectory } from "../../sessions/kit.js";
import type { Role } from "../kit.js";
import { give, inRepository, repository } from "./kit.js";

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./ends-program.ts", import.meta.url));
});

/** A repository, and what the calls say whose session goes on after a process has died in the third of them. */
async function afterCrash(changes: WorktreeOptions["changes"], ...more: readonly ("fails" | "lost" | "recorded")[]) {
  const repo = repository();
  const dir = join(temporaryDirectory(), "sessions");
  const child = startChild(program, [repo.root, repo.trees, dir, changes!, ...more]);
  const line = await child.line();
  await child.ended;
  expect(line).toBe(null);
  const sessions = createFileSessionStore({ dir, durability: "process" });
  const none = () => text("asked again");
  const z: Role = (_request, step) =>
    step < 2 ? toolCall("write", { name: "z.txt", content: "z\n" }) : text("z is done");
  const y: Role = (_request, step) =>
    step < 2 ? toolCall("write", { name: "y.txt", content: "y\n" }) : text("y is done");
  const engineFor = (main = give("x", "y", "z")) =>
    inRepository(repo, { main, x: none, y: more.includes("fails") ? y : none, z }, { sessions }, changes);
  /** The results of the calls, whichever process has recorded them. */
  const resultsOf = async () => {
    const found: Record<string, ToolResult> = {};
    for await (const entry of sessions.read("s"))
      if (entry.type === "tool-result") found[entry.result.toolCallId] = entry.result;
    return found;
  };
  return { repo, engineFor, resultsOf };
}

interface End {
  readonly merged: boolean;
  readonly files: readonly string[];
  readonly code?: string;
  readonly patch: string;
  readonly branch: string;
  readonly path: string;
}
const endIn = ({ details }: { readonly details?: unknown }) => (details as { readonly worktree: End }).worktree;

test.each(["lost", "recorded"] as const)(
  "changes that were merged, and those that conflict, are so for a call whose session goes on in a later process, with the results %s",
  async (records) => {
    const { repo, engineFor, resultsOf } = await afterCrash("merge", records);
    expect(repo.read("a.txt")).toBe("from x\ntwo\nthree\n");
    const { engine } = engineFor();

    const { status } = await engine.resume("s").result;
    const results = await resultsOf();

    expect(status).toBe("completed");
    expect(results.x!.output).toBe("x is done\n\n[Its changes are in your files now: a.txt.]");
    expect(endIn(results.x!)).toEqual({ merged: true, files: ["a.txt"] });
    const { patch, ...conflict } = endIn(results.y!);
    expect(conflict).toEqual({ merged: false, code: "WORKTREE_CONFLICT", files: ["a.txt"] });
    expect(String(results.y!.output)).toMatch(/^y is done\n\n\[Its changes conflict with yours \(WORKTREE_CONFLICT\)/);
    expect(String(results.y!.output)).toContain(`kept as a patch: ${patch}.`);
    expect(readFileSync(patch, "utf8")).toContain("+from y");
    expect([repo.read("a.txt"), repo.read("z.txt")]).toEqual(["from x\ntwo\nthree\n", "z\n"]);
    expect(repo.leftovers().map((name) => join(repo.trees, name))).toEqual([patch]);
  },
);

test.each(["lost", "recorded"] as const)(
  "the patches that were made are those of the calls whose session goes on in a later process, with the results %s",
  async (records) => {
    const { engineFor, resultsOf } = await afterCrash("patch", records);
    const { engine } = engineFor();

    await engine.resume("s").result;
    const results = await resultsOf();

    for (const name of ["x", "y"]) {
      const { patch } = endIn(results[name]!);
      expect(String(results[name]!.output)).toContain(`[Its changes to a.txt are kept as a patch: ${patch}.`);
      expect(readFileSync(patch, "utf8")).toContain(`+from ${name}`);
    }
  },
);

test.each(["lost", "recorded"] as const)(
  "the branches that were kept are those of the calls whose session goes on in a later process, with the results %s",
  async (records) => {
    const { repo, engineFor, resultsOf } = await afterCrash("keep", records);
    const { engine } = engineFor();

    await engine.resume("s").result;
    const results = await resultsOf();

    for (const name of ["x", "y"]) {
      const { branch, path } = endIn(results[name]!);
      expect([results[name]!.status, readFileSync(join(path, "a.txt"), "utf8")]).toEqual([
        "success",
        `from ${name}\ntwo\nthree\n`,
      ]);
      expect(repo.git("show", `${branch}:a.txt`)).toBe(`from ${name}\ntwo\nthree\n`);
    }
  },
);

test("a sub-agent that has failed goes on when its call is entered again, which still names the patch of what it had done", async () => {
  const { repo, engineFor, resultsOf } = await afterCrash("merge", "fails");
  const [patch] = repo.leftovers().filter((name) => name.endsWith(".patch"));
  const { engine } = engineFor();

  await engine.resume("s").result;
  const results = await resultsOf();

  const path = join(repo.trees, patch!);
  expect(String(results.y!.output)).toContain(`[Its changes to a.txt are kept as a patch: ${path}.`);
  expect(String(results.y!.output)).toContain("\n\n[Its changes are in your files now: y.txt.]");
  expect(readFileSync(path, "utf8")).toContain("+from y");
  expect([repo.read("y.txt"), repo.leftovers()]).toEqual(["y\n", [patch]]);
});

test("a session that is ended instead takes the records along, and leaves the patch", async () => {
  const { repo, engineFor } = await afterCrash("merge");

  await engineFor().engine.endSession("s");

  const [patch, ...more] = repo.leftovers();
  expect([readFileSync(join(repo.trees, patch!), "utf8").includes("+from y"), more]).toEqual([true, []]);
});

test("a new prompt instead takes the records along, and leaves the patch", async () => {
  const { repo, engineFor } = await afterCrash("merge");

  await engineFor(() => text("never mind")).engine.run("stop that", { sessionId: "s" });

  const [patch, ...more] = repo.leftovers();
  expect([readFileSync(join(repo.trees, patch!), "utf8").includes("+from y"), more]).toEqual([true, []]);
});
