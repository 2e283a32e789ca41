import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Workspace } from "../../src/index.js";
import { type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { createCheckpoints, createMemorySessionStore, type FileRewinder } from "../../src/sessions/index.js";
import { createMemoryWorkspace, type MemoryWorkspace } from "../../src/testing/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { directoryWith } from "./kit.js";
import { obedient, type Step, steps } from "./obedient.js";

type Options = Partial<CodingAgentOptions<unknown>>;

async function agentOn(workspace: CodingAgentOptions["workspace"], options: Options = {}) {
  const provider = obedient();
  const approver = () => ({ decision: "allow" as const });
  const agent = await createCodingAgent({ provider, home: null, approver, workspace, ...options });
  onTestFinished(() => agent.close());
  return { agent, provider };
}

const read = (path: string) => ["read_file", { path }] as const;
const write = (path: string, content: string) => ["write_file", { path, content }] as const;
const denying = (path: string) => JSON.stringify({ permissions: { deny: [`Read(./${path})`] } });

const SESSIONS = {
  a: { "notes.txt": "of a\n", "AGENTS.md": "Speak like a.\n", ".claude/settings.json": denying("closed.txt") },
  b: { "notes.txt": "of b\n", "closed.txt": "open here\n" },
} as const;
const filesOf = (id: string): Record<string, string> => ({
  "closed.txt": "closed here\n",
  ...SESSIONS[id as "a" | "b"],
});

interface Place {
  open(session: { id: string }): Promise<Workspace>;
  textOf(id: string, path: string): string | undefined;
}

const PLACES: Record<string, () => Place> = {
  "two directories of this disk": () => {
    const roots = new Map(["a", "b"].map((id) => [id, directoryWith(filesOf(id))]));
    return {
      open: ({ id }: { id: string }) => createWorkspace({ root: roots.get(id)! }),
      textOf: (id: string, path: string) => readFileSync(join(roots.get(id)!, path), "utf8"),
    };
  },
  "two workspaces in memory": () => {
    const opened = new Map<string, MemoryWorkspace>();
    return {
      async open({ id }: { id: string }) {
        opened.set(id, await createMemoryWorkspace({ files: filesOf(id) }));
        return opened.get(id)!;
      },
      textOf: (id: string, path: string) => opened.get(id)!.texts()[path],
    };
  },
};

test.for(Object.entries(PLACES))("sessions in %s have nothing of each other", async ([_, place]) => {
  const { open, textOf } = place();
  const { agent, provider } = await agentOn(open);

  const said = async (sessionId: string, ...list: readonly Step[]) => {
    const result = await agent.engine.run(steps(...list), { sessionId });
    expect(result.status).toBe("completed");
    return result.text;
  };
  // Both at once, so that each call has to find its own.
  const [ofA, ofB] = await Promise.all([
    said("a", read("notes.txt"), write("new.txt", "a was here\n"), read("closed.txt"), write("notes.txt", "A\n")),
    said("b", write("mine.txt", "b was here\n"), read("new.txt"), read("closed.txt"), write("notes.txt", "B\n")),
  ]);

  expect(ofA).toContain("of a");
  expect(textOf("a", "new.txt")).toBe("a was here\n");
  expect(textOf("a", "notes.txt")).toBe("A\n");
  // Its own rule binds a, and b has no such rule.
  expect(ofA).toContain('The rule "Read(./closed.txt)" denies');
  expect(ofA).not.toContain("closed here");
  expect(ofB).toContain("open here");
  expect(ofB).toContain('There is no file "new.txt"');
  // What a has read, b has not: it may not be overwritten until it reads.
  expect(textOf("b", "notes.txt")).toBe("of b\n");
  await said("b", read("notes.txt"), write("notes.txt", "B\n"));
  expect(textOf("b", "notes.txt")).toBe("B\n");

  const systems = provider.requests.map(({ system }) => system.map(({ text }) => text).join("\n"));
  const ofSession = (rootedAt: string) => systems.filter((system) => system.includes(JSON.stringify(rootedAt)));
  const roots = ["a", "b"].map((id) => agent.workspaceOf(id)!.root);
  if (roots[0] !== roots[1]) {
    expect(ofSession(roots[0]!).every((system) => system.includes("Speak like a."))).toBe(true);
    expect(ofSession(roots[1]!).some((system) => system.includes("Speak like a."))).toBe(false);
  }
  expect(new Set(systems.map((system) => system.includes("Speak like a."))).size).toBe(2);
});

test("what a session's machine keeps in asks nothing there, and in no other session", async () => {
  const asked: unknown[] = [];
  const held = {
    machine: "m",
    by: "host",
    network: "none",
    kept: [],
    acceptChanges: false,
    secrets: "unknown",
  } as const;
  const open = async ({ id }: { id: string }): Promise<Workspace> => {
    const workspace = await createMemoryWorkspace({ files: {} });
    return id === "a" ? { ...workspace, contained: async () => held } : workspace;
  };
  const approver = ({ sessionId }: { sessionId: string }) => {
    asked.push(sessionId);
    return { decision: "allow" as const };
  };
  const { agent } = await agentOn(open, { approver });

  for (const sessionId of ["a", "b"]) {
    const result = await agent.engine.run(steps(write("x.txt", "x")), { sessionId });
    expect(result.status).toBe("completed");
  }
  expect(asked).toEqual(["b"]);
});

// ── opening ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test("tools of one moment open one workspace, with the id and the context of the run", async () => {
  const asked: unknown[] = [];
  const { agent } = await agentOn(async (session) => {
    asked.push(session);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return createMemoryWorkspace({ files: { "x.txt": "one\n" } });
  });
  const both = steps([read("x.txt"), ["glob", { pattern: "*" }]], ["task", { prompt: steps(read("x.txt")) }]);
  const { text } = await agent.engine.run(both, { sessionId: "s", context: { user: 7 } });

  expect(text).toContain("x.txt");
  expect(text.match(/one/g)!.length).toBe(2); // The sub-agent has read it, too.
  await agent.engine.run(steps(read("x.txt")), { sessionId: "s", context: { user: 8 } });
  expect(asked).toEqual([{ id: "s", context: { user: 7 }, previous: undefined }]);
});

test("a call outside a run opens it, and its rules are asked", async () => {
  const files = { "x.txt": "one\n", "closed.txt": "two\n", ".claude/settings.json": denying("closed.txt") };
  const { agent } = await agentOn(() => createMemoryWorkspace({ files }));
  const call = (path: string) =>
    agent.engine.execute({ id: "1", name: "read_file", arguments: { path } }, { sessionId: "s" });

  expect(await call("x.txt")).toMatchObject({ status: "success", output: "1\tone" });
  expect(await call("closed.txt")).toMatchObject({ status: "denied" });
});

test("an opening that fails ends the run and loses nothing; the next one tries again", async () => {
  let isBroken = true;
  const { agent } = await agentOn(() => {
    if (isBroken) throw new Error("no disk");
    return createMemoryWorkspace({ files: { "x.txt": "one\n" } });
  });

  const failed = await agent.engine.run(steps(read("x.txt")), { sessionId: "s" });
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "WORKSPACE_FAILED", name: "RunError", details: { sessionId: "s" } },
  });
  expect(failed.error?.message).toBe(
    'The workspace of session "s" could not be opened (no disk). Remove the cause: the next run or resume() of the session tries again, and nothing of it is lost.',
  );
  expect(failed.messages()).toMatchObject([{ role: "user" }]);

  const call = { id: "1", name: "read_file", arguments: { path: "x.txt" } };
  const other = await agent.engine.execute(call, { sessionId: "other" });
  expect(other).toMatchObject({ isError: true, details: { code: "WORKSPACE_FAILED" } });

  isBroken = false;
  const resumed = await agent.engine.resume("s").result;
  expect(resumed).toMatchObject({ status: "completed", text: "1\tone" });
});

test("what is no workspace, and a project whose settings forbid the model, are such openings", async () => {
  const settings = JSON.stringify({ availableModels: ["other/model"] });
  const files = { ".claude/settings.json": settings };
  const { agent } = await agentOn(({ id }) =>
    id === "none" ? (undefined as unknown as Workspace) : createMemoryWorkspace({ files }),
  );

  const none = await agent.engine.run(steps(), { sessionId: "none" });
  expect(none.error).toMatchObject({ code: "WORKSPACE_FAILED", message: expect.stringContaining("no workspace") });
  const forbidden = await agent.engine.run(steps(), { sessionId: "s" });
  expect(forbidden.error).toMatchObject({
    code: "WORKSPACE_FAILED",
    message: expect.stringContaining('The model "scripted"'),
  });
});

// ── which one it is ───────────────────────────────────────────────────────────────────────────────────────────────────

test("a session that would get another workspace ends, unless the host says that it may", async () => {
  const sessions = createMemorySessionStore();
  const files = { "x.txt": "one\n" };
  const first = await agentOn(() => createMemoryWorkspace({ files }), { sessions });
  await first.agent.engine.run(steps(write("new.txt", "1")), { sessionId: "s" });
  await first.agent.close();

  const previous: unknown[] = [];
  const closed: string[] = [];
  const fresh = async ({ previous: id }: { previous?: string | undefined }) => {
    previous.push(id);
    const workspace = await createMemoryWorkspace();
    return { ...workspace, close: async () => void closed.push("fresh") };
  };
  const second = await agentOn(fresh, { sessions });
  const gone = await second.agent.engine.run(steps(read("new.txt")), { sessionId: "s" });
  expect(gone).toMatchObject({ status: "failed", error: { code: "WORKSPACE_GONE" } });
  const { details, message } = gone.error!;
  expect(details).toEqual({ sessionId: "s", previous: previous[0], found: expect.stringContaining("unnamed:") });
  expect(message).toContain("workspaces: { mayReplace }");
  expect(closed).toEqual(["fresh"]);

  const lost: unknown[] = [];
  const mayReplace = (about: unknown) => lost.push(about) > 0;
  const third = await agentOn(fresh, { sessions, workspaces: { mayReplace } });
  const resumed = await third.agent.engine.resume("s").result;
  expect(resumed).toMatchObject({ status: "completed", text: expect.stringContaining('There is no file "new.txt"') });
  expect(lost).toEqual([
    { sessionId: "s", previous: previous[0], found: expect.not.stringContaining(`${previous[0]}`) },
  ]);
  await third.agent.close();

  // From now on that one is the session's.
  const fourth = await agentOn(() => createMemoryWorkspace(), { sessions });
  expect((await fourth.agent.engine.run(steps(), { sessionId: "s" })).error?.code).toBe("WORKSPACE_GONE");
});

test("a workspace that names itself is found again, and so is a directory, until it is another", async () => {
  const sessions = createMemorySessionStore();
  const root = directoryWith({ "x.txt": "one\n" });
  const open = ({ id }: { id: string }) =>
    id === "disk" ? createWorkspace({ root }) : createMemoryWorkspace().then((each) => ({ ...each, id: "user 7" }));
  const statusOf = async (sessionId: string) => {
    const { agent } = await agentOn(open, { sessions });
    const { status, error } = await agent.engine.run(steps(), { sessionId });
    await agent.close();
    return error?.code ?? status;
  };

  for (const id of ["disk", "named", "disk", "named"]) expect(await statusOf(id)).toBe("completed");
  rmSync(root, { recursive: true });
  mkdirSync(root);
  expect(await statusOf("disk")).toBe("WORKSPACE_GONE");
});

// ── how many ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Workspaces on directories, each with how often it was opened and whether it is open. */
function counted() {
  const roots = new Map<string, string>();
  const opened: string[] = [];
  const open = new Set<string>();
  return {
    opened,
    open,
    async workspace({ id }: { id: string }) {
      opened.push(id);
      open.add(id);
      roots.set(id, roots.get(id) ?? directoryWith({ "x.txt": `of ${id}\n` }));
      const workspace = await createWorkspace({ root: roots.get(id)! });
      return {
        ...workspace,
        async close() {
          await workspace.close();
          open.delete(id);
        },
      };
    },
  };
}

test("the workspace unused for longest makes room, and is opened again when its session goes on", async () => {
  const { workspace, open, opened } = counted();
  const { agent } = await agentOn(workspace, { workspaces: { maxOpen: 2 } });
  const run = async (sessionId: string) => {
    const { text } = await agent.engine.run(steps(read("x.txt")), { sessionId });
    expect(text).toBe(`1\tof ${sessionId}`);
    expect(open.size).toBeLessThanOrEqual(2);
  };
  for (const id of ["a", "b", "a", "c", "b"]) await run(id);
  expect(opened).toEqual(["a", "b", "c", "b"]);
  expect([...open].sort()).toEqual(["b", "c"]);

  await agent.engine.endSession("c");
  expect([...open]).toEqual(["b"]);
  await agent.close();
  expect([...open]).toEqual([]);
});

test("while all are in use, a further run ends with a reason, and runs later", async () => {
  const { workspace } = counted();
  const { agent } = await agentOn(workspace, { workspaces: { maxOpen: 1 } });
  const slow = agent.engine.run(steps(["bash", { command: "sleep 1" }]), { sessionId: "a" });
  await expect.poll(() => agent.workspaceOf("a")).toBeDefined();

  const refused = await agent.engine.run(steps(read("x.txt")), { sessionId: "b" });
  expect(refused).toMatchObject({
    status: "failed",
    error: { code: "WORKSPACE_LIMIT", retryable: true, details: { sessionId: "b", maxOpen: 1 } },
  });
  await slow;
  expect(await agent.engine.resume("b").result).toMatchObject({ status: "completed", text: "1\tof b" });
});

test("a command in the background keeps its workspace open", async () => {
  const { workspace, open } = counted();
  const { agent } = await agentOn(workspace, { workspaces: { maxOpen: 1 } });
  await agent.engine.run(steps(["bash", { command: "sleep 60", run_in_background: true }]), { sessionId: "a" });

  expect((await agent.engine.run(steps(), { sessionId: "b" })).error?.code).toBe("WORKSPACE_LIMIT");
  await agent.engine.run(steps(["bash_kill", { task_id: "bash_1" }]), { sessionId: "a" });
  expect((await agent.engine.run(steps(), { sessionId: "b" })).status).toBe("completed");
  expect([...open]).toEqual(["b"]);
});

test("what an answer wanted remembered outlives the closing of the workspace", async () => {
  const { workspace } = counted();
  const asked: string[] = [];
  const { agent } = await agentOn(workspace, {
    workspaces: { maxOpen: 1 },
    approver: ({ sessionId }) => {
      asked.push(sessionId);
      const rules = ["Bash(touch:*)"];
      const remember = [{ type: "addRules", behavior: "allow", rules, destination: "session" }] as const;
      return { decision: "allow", remember };
    },
  });
  const touch = steps(["bash", { command: "touch y" }]);
  await agent.engine.run(touch, { sessionId: "a" });
  await agent.engine.run(touch, { sessionId: "b" });
  await agent.engine.run(touch, { sessionId: "a" });

  expect(asked).toEqual(["a", "b"]);
});

test("a workspace that two sessions share is closed when neither has it", async () => {
  const { workspace, open } = counted();
  let shared: Promise<Workspace> | undefined;
  const { agent } = await agentOn(() => (shared ??= workspace({ id: "shared" })));
  await agent.engine.run(steps(write("y.txt", "one\n")), { sessionId: "a" });
  await agent.engine.run(steps(read("y.txt")), { sessionId: "b" });

  await agent.engine.endSession("a");
  expect([...open]).toEqual(["shared"]);
  expect((await agent.engine.run(steps(read("y.txt")), { sessionId: "b" })).text).toBe("1\tone");
  await agent.engine.endSession("b");
  expect([...open]).toEqual([]);
});

// ── what goes wrong ───────────────────────────────────────────────────────────────────────────────────────────────────

test("an abort while a workspace is being opened leaves none open, and the next run opens it", async () => {
  const { workspace, open } = counted();
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { agent } = await agentOn(async (session) => {
    await gate;
    return workspace(session);
  });
  const run = agent.engine.stream(steps(read("x.txt")), { sessionId: "s" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  run.abort();
  expect((await run.result).status).toBe("aborted");

  letGo();
  await expect.poll(() => open.size).toBe(0);
  expect(await agent.engine.resume("s").result).toMatchObject({ status: "completed", text: "1\tof s" });
});

test("one that does not close is reported to the session that needs its place, and does not stay in the way", async () => {
  const { workspace } = counted();
  const broken = async (session: { id: string }) => ({
    ...(await workspace(session)),
    close: async () => {
      if (session.id === "a") throw new Error("the machine does not answer");
    },
  });
  const { agent } = await agentOn(broken, { workspaces: { maxOpen: 1 } });
  await agent.engine.run(steps(), { sessionId: "a" });

  const failed = await agent.engine.run(steps(), { sessionId: "b" });
  expect(failed.error).toMatchObject({
    code: "WORKSPACE_FAILED",
    message: expect.stringContaining("the machine does not answer"),
  });
  expect((await agent.engine.resume("b").result).status).toBe("completed");
});

test("many sessions that come and go never have more open than may be, and each finds its own files", async () => {
  const { workspace, open } = counted();
  let most = 0;
  const { agent } = await agentOn(
    async (session) => {
      const opened = await workspace(session);
      most = Math.max(most, open.size);
      return opened;
    },
    { workspaces: { maxOpen: 4 } },
  );
  const visit = async (id: string): Promise<void> => {
    const { text, error } = await agent.engine.run(steps(read("x.txt")), { sessionId: id });
    if (error?.code === "WORKSPACE_LIMIT")
      return new Promise((resolve) => setTimeout(resolve, 5)).then(() => visit(id));
    expect(error).toBeUndefined();
    expect(text).toBe(`1\tof ${id}`);
  };
  await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      for (let round = 0; round < 4; round++) await visit(`s${at}`);
    }),
  );
  expect(most).toBeLessThanOrEqual(4);
});

test("checkpoints take back what a session has changed, in its own workspace", async () => {
  const sessions = createMemorySessionStore();
  const opened = new Map<string, MemoryWorkspace>();
  const rewinders = new Map<string, FileRewinder>();
  const { agent } = await agentOn(
    async ({ id }) => {
      const checkpoints = createCheckpoints({ dir: directoryWith(), sessions });
      const workspace = await createMemoryWorkspace({ files: { "x.txt": "before\n" }, journal: checkpoints });
      opened.set(id, workspace);
      rewinders.set(id, await checkpoints.open(workspace));
      return workspace;
    },
    { sessions },
  );
  const change = steps(read("x.txt"), write("x.txt", "after\n"));
  for (const sessionId of ["a", "b"]) await agent.engine.run(change, { sessionId });
  for await (const { id } of sessions.read("a")) {
    await rewinders.get("a")!.rewindFiles("a", id);
    break;
  }

  expect(["a", "b"].map((id) => opened.get(id)!.texts()["x.txt"])).toEqual(["before\n", "after\n"]);
});
