// Work trees on the machine of a workspace: git runs there, the records are here.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { BaseTool, EngineOptions, Workspace } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore, createMemorySessionStore } from "../../../src/sessions/index.js";
import { createMachineWorkspace, localMachine } from "../../../src/workspace/index.js";
import { bundled, startChild, temporaryDirectory } from "../../sessions/kit.js";
import type { Role } from "../kit.js";
import { BASE, give, inRepository, type Repository, repository, writes } from "./kit.js";

/** A repository on a machine whose user has a home of its own. */
async function onMachine(name = "m") {
  const repo = repository();
  const home = temporaryDirectory();
  return { repo, home, workspace: await machineOf(repo, home, name), there: join(home, ".loopwright", "worktrees") };
}

async function machineOf(repo: Repository, home: string, name = "m"): Promise<Workspace> {
  const machine = localMachine({ prefix: ["env", `HOME=${home}`], name });
  const workspace = await createMachineWorkspace({ machine, root: repo.root });
  onTestFinished(() => workspace.close());
  return workspace;
}

function engineOn(
  repo: Repository,
  workspace: Workspace,
  roles: Record<string, Role>,
  more: Partial<EngineOptions> = {},
) {
  return inRepository(repo, roles, more, undefined, undefined, workspace);
}

test("sub-agents change one repository of a machine side by side, all of it is merged there, and nothing is left behind", async () => {
  const { repo, workspace, there } = await onMachine();
  writeFileSync(join(repo.root, "b.txt"), "uncommitted\n");
  const seen: string[] = [];
  const { engine, results } = engineOn(repo, workspace, {
    main: give("x", "y"),
    x: (request, step) => {
      if (step === 1) seen.push(...readdirSync(there).filter((name) => !name.includes(".")));
      return writes("a.txt", "by x\n")(request, step);
    },
    y: writes("new.txt", "by y\n"),
  });

  await engine.run("go");

  expect(results.x!.output).toContain("[Its changes are in your files now: a.txt.]");
  expect(results.y!.output).toContain("[Its changes are in your files now: new.txt.]");
  expect([repo.read("a.txt"), repo.read("new.txt"), repo.read("b.txt")]).toEqual(["by x\n", "by y\n", "uncommitted\n"]);
  expect(seen.length).toBeGreaterThan(0);
  expect([repo.leftovers(), readdirSync(there), existsSync(join(repo.root, ".git", "RAN"))]).toEqual([[], [], false]);
});

test("changes that conflict are handed back as a patch, and nothing is overwritten", async () => {
  const { repo, workspace, there } = await onMachine();
  const { engine, results, artifacts } = engineOn(repo, workspace, {
    main: give("x"),
    x: (request, step) => {
      if (step === 1) writeFileSync(join(repo.root, "a.txt"), "by somebody else\n");
      return writes("a.txt", "by x\n")(request, step);
    },
  });

  await engine.run("go");

  expect(results.x!.details).toMatchObject({ worktree: { code: "WORKTREE_CONFLICT" } });
  expect(artifacts[0]).toContain("+by x");
  expect([repo.read("a.txt"), repo.leftovers(), readdirSync(there)]).toEqual(["by somebody else\n", [], []]);
});

/** A sub-agent that writes two files, and is asked about the second. */
async function waiting() {
  const made = await onMachine();
  const sessions = createMemorySessionStore();
  const roles: Record<string, Role> = {
    main: give("x"),
    x: (_request, step) =>
      step < 2 ? toolCall("write", { name: `${step}.txt`, content: `${step}\n` }) : text("both are written"),
  };
  const more: Partial<EngineOptions> = {
    sessions,
    limits: { abandonMs: 60_000 },
    permissions: {
      decide: ({ tool, input }) => ({
        behavior:
          (tool as BaseTool).name === "write" && Reflect.get(input as object, "name") === "1.txt" ? "ask" : "allow",
      }),
    },
  };
  const { pending } = await engineOn(made.repo, made.workspace, roles, more).engine.run("go", { sessionId: "s" });
  const resumeOn = async (workspace: Workspace) => {
    const { engine, results } = engineOn(made.repo, workspace, roles, more);
    const answers = [{ id: pending[0]!.id, decision: "allow" as const }];
    return { ...(await engine.resume("s", { answers }).result), x: results.x! };
  };
  return { ...made, resumeOn, engine: engineOn(made.repo, made.workspace, roles, more).engine };
}

test("one that waits for an approval goes on in its work tree, with another workspace on the same machine", async () => {
  const { repo, home, there, resumeOn } = await waiting();
  const { status } = await resumeOn(await machineOf(repo, home));

  expect(status).toBe("completed");
  expect([repo.read("0.txt"), repo.read("1.txt")]).toEqual(["0\n", "1\n"]);
  expect([repo.leftovers(), readdirSync(there)]).toEqual([[], []]);
});

test("on another machine it ends as WORKSPACE_GONE, which says where the work tree was", async () => {
  const { repo, resumeOn, there } = await waiting();
  const [tree] = readdirSync(there);
  const { x, status } = await resumeOn(await machineOf(repo, temporaryDirectory(), "another"));

  expect(status).toBe("completed");
  expect(x.details).toMatchObject({ code: "WORKSPACE_GONE", path: join(there, tree!), machine: `m:${repo.root}` });
  expect(x.output).toContain("Give the work to a new sub-agent.");
  expect(existsSync(repo.trees) ? readdirSync(repo.trees) : []).toEqual([]);
  expect(repo.read("a.txt")).toBe(BASE["a.txt"]);
});

test("where the machine has lost the work tree it ends as WORKSPACE_GONE", async () => {
  const { repo, home, there, resumeOn } = await waiting();
  rmSync(there, { recursive: true });
  const { x } = await resumeOn(await machineOf(repo, home));

  expect(x.details).toMatchObject({ code: "WORKSPACE_GONE" });
});

test("a session that is ended takes its work trees along, and keeps what was only there as a patch on this disk", async () => {
  const { repo, there, engine } = await waiting();
  await engine.endSession("s");

  expect(readdirSync(there)).toEqual([]);
  expect(readdirSync(repo.trees)).toEqual([expect.stringMatching(/\.patch$/)]);
});

test("a machine that goes while the sub-agent works ends the call as WORKSPACE_GONE", async () => {
  const { repo, workspace, there } = await onMachine();
  const { engine, results } = engineOn(repo, workspace, {
    main: give("x"),
    x: (request, step) => {
      if (step === 1) rmSync(there, { recursive: true });
      return writes("a.txt", "by x\n")(request, step);
    },
  });

  await engine.run("go");

  expect(results.x!.details).toMatchObject({ code: "WORKSPACE_GONE" });
});

test("a session whose process was killed in a work tree goes on in it, and leaves nothing behind", async () => {
  const { repo, home, there, workspace } = await onMachine();
  const dir = join(temporaryDirectory(), "sessions");
  const child = startChild(await bundled(new URL("./crash-program.ts", import.meta.url)), [
    repo.root,
    repo.trees,
    dir,
    "written",
    home,
  ]);
  await child.ended;
  const trees = () => readdirSync(there).filter((name) => !name.includes("."));
  expect(trees().length).toBe(1);

  const { engine, results } = engineOn(
    repo,
    workspace,
    {
      main: give("x"),
      x: (_request, step) =>
        step < 3 ? toolCall("write", { name: "second.txt", content: "by the heir\n" }) : text("x is done"),
    },
    { sessions: createFileSessionStore({ dir, durability: "process" }) },
  );
  const result = await engine.resume("s").result;

  expect([result.status, results.x!.status]).toEqual(["completed", "success"]);
  expect([repo.read("first.txt"), repo.read("second.txt")]).toEqual(["by the child\n", "by the heir\n"]);
  expect([repo.leftovers(), trees()]).toEqual([[], []]);
});
