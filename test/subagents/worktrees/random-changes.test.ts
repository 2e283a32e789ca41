// Random changes by several sub-agents at once: each one's are merged whole or not at all, and nothing of the parent's is lost.
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BaseTool } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { tool } from "../../engine/kit.js";
import { runs } from "../../runs.js";
import type { Role } from "../kit.js";
import { BASE, give, inRepository, repository } from "./kit.js";

const FILES = [...Object.keys(BASE), "new.txt", "deep/er/new.txt", "na me ü.txt", "binary"] as const;

interface Change {
  readonly file: string;
  readonly to: "text" | "binary" | "gone" | "link" | "no final newline";
}

const change: fc.Arbitrary<Change> = fc.record({
  file: fc.constantFrom(...FILES),
  to: fc.oneof(
    { weight: 3, arbitrary: fc.constant("text" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("binary" as const, "gone" as const, "link" as const, "no final newline" as const),
    },
  ),
});
const changes = fc.uniqueArray(change, { selector: ({ file }) => file, maxLength: 3 });
const plan = fc.record({ parent: changes, children: fc.array(changes, { minLength: 1, maxLength: 3 }) });

function carryOut(dir: string, who: string, { file, to }: Change): void {
  const path = join(dir, file);
  rmSync(path, { force: true });
  if (to === "gone") return;
  mkdirSync(dirname(path), { recursive: true });
  if (to === "link") symlinkSync(`to-${who}`, path);
  else if (to === "binary") writeFileSync(path, Buffer.from([0, 255, 10, who.charCodeAt(0), 0]));
  else writeFileSync(path, `${who}\n${file}${to === "text" ? "\n" : ""}`);
}

/** What is at a path, in a form that can be compared. */
function stateOf(root: string, file: string): string {
  const path = join(root, file);
  try {
    return lstatSync(path).isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path).toString("hex");
  } catch {
    return "gone";
  }
}

const statesOf = (root: string) => Object.fromEntries(FILES.map((file) => [file, stateOf(root, file)]));

test("random changes of several sub-agents are merged whole or not at all, and leave nothing behind", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ parent, children }) => {
      const repo = repository();
      for (const each of parent) carryOut(repo.root, "parent", each);
      const before = statesOf(repo.root);
      const index = repo.git("diff", "--cached");
      const own = new Map<string, Record<string, string>>();
      const acts = (dir: string): BaseTool =>
        tool("act", async (_input, { agentPath }) => {
          const name = agentPath[0]!;
          for (const each of children[Number(name.slice(1))]!) carryOut(dir, name, each);
          own.set(name, statesOf(dir));
          return "done";
        });
      const role: Role = (_request, step) => (step === 0 ? toolCall("act", {}) : text("done"));
      const names = children.map((_, n) => `c${n}`);
      const roles = { main: give(...names), ...Object.fromEntries(names.map((name) => [name, role])) };
      const { engine, results } = inRepository(repo, roles, {}, "merge", acts);

      const { status } = await engine.run("go");

      const expected = { ...before };
      for (const name of names) {
        const { worktree } = results[name]!.details as { worktree: { merged?: boolean; files: string[] } };
        if (!worktree.merged) continue;
        for (const file of FILES) {
          if (own.get(name)![file] !== before[file]) expected[file] = own.get(name)![file]!;
        }
      }
      expect([status, statesOf(repo.root)]).toEqual(["completed", expected]);
      expect([repo.leftovers(), repo.git("diff", "--cached")]).toEqual([[], index]);
    }),
    { numRuns: runs(3, 10, 100) },
  );
});
