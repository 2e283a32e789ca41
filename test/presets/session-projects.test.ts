// What lies in a session's own workspace counts for that session alone, and what does not count is listed.
import { expect, onTestFinished, test } from "vitest";
import { createRunHub } from "../../src/http/index.js";
import { type CodingAgentOptions, createCodingAgent, createReadOnlyAgent } from "../../src/presets/index.js";
import { tryGit } from "../../src/subagents/worktrees/git.js";
import { createMemoryWorkspace } from "../../src/testing/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { directoryWith, PROJECT } from "./kit.js";
import { obedient, type Step, steps } from "./obedient.js";

/** An agent whose session `plain` has no project files. */
async function agentOn(files: Readonly<Record<string, string>>, options: Partial<CodingAgentOptions> = {}) {
  const asked: string[] = [];
  const provider = obedient();
  const agent = await createCodingAgent({
    provider,
    home: null,
    approver: ({ tool, sessionId }) => {
      asked.push(`${sessionId}: ${tool}`);
      return { decision: "allow" };
    },
    workspace: ({ id }) => createMemoryWorkspace({ files: id === "plain" ? { "x.txt": "one\n" } : files }),
    ...options,
  });
  onTestFinished(() => agent.close());
  const run = async (sessionId: string, ...list: readonly Step[]) => {
    const { text, error } = await agent.engine.run(steps(...list), { sessionId });
    return error?.code ?? text;
  };
  return { agent, run, asked, provider };
}

const settings = (of: object) => ({ "x.txt": "one\n", ".claude/settings.json": JSON.stringify(of) });
const write = ["write_file", { path: "new.txt", content: "new\n" }] as const;
const listed = (list: readonly { part: string; what: string; sessionId?: string | undefined }[]) =>
  list.map(({ part, what, sessionId }) => `${sessionId}: ${part} ${what.split(" ").slice(0, 2).join(" ")}`);

test("trust lets a session's skills speak; what would start or allow something is listed for it", async () => {
  const { agent, run, provider } = await agentOn(PROJECT, { trustProject: true });
  expect(await run("plain", ["skill", { name: "haiku" }])).toContain('There is no skill "haiku"');
  expect(await run("own", ["skill", { name: "haiku" }])).toContain("haiku");
  expect(provider.requests.at(-1)!.messages.some((each) => JSON.stringify(each).includes("Five, seven, five."))).toBe(
    true,
  );

  expect(listed(agent.untrusted)).toEqual([
    'own: settings permissions.allow[0]: "Bash(node',
    'own: settings hooks.Stop[0].hooks[0]: {"type":"command","command":"touch',
    "own: subagents critic",
    `own: mcp modern: ${process.execPath}`,
  ]);
  expect(agent.subagents).toEqual([]);
  expect(agent.connections).toEqual([]);
});

test("a directory of this disk is no more trusted than another machine", async () => {
  const rules = settings({ permissions: { allow: ["Bash(touch:*)"] }, hooks: {} });
  const root = directoryWith({ ...PROJECT, ...rules });
  const { agent, run, asked } = await agentOn({}, { workspace: () => createWorkspace({ root }), trustProject: true });
  await run("s", ["bash", { command: "touch y" }]);

  expect(asked).toEqual(["s: bash"]);
  expect(listed(agent.untrusted).map((line) => line.split(" ")[1])).toEqual(["settings", "subagents", "mcp"]);
});

const anything = { decide: () => ({ behavior: "allow" }) as const };

test.for([
  ["the preset's checker", undefined],
  ["a gate of the host's own", anything],
] as const)(
  "a server of the user's that a session's settings refuse is refused there, by %s",
  async ([_, permissions]) => {
    const server = PROJECT[".mcp.json"]!;
    const home = directoryWith({ ".loopwright/.mcp.json": server });
    const refusing = settings({ deniedMcpServers: [{ serverName: "modern" }] });
    const { agent, run } = await agentOn(refusing, { home, permissions });
    await run("plain");
    await agent.connections[0]!.ready;
    const name = agent.connections[0]!.tools()[0]!.name;
    const call = (sessionId: string) => agent.engine.execute({ id: "1", name, arguments: {} }, { sessionId });
    await run("own");

    expect(await call("own")).toMatchObject({ status: "denied", output: expect.stringContaining("mcp__modern") });
    expect((await call("plain")).status).not.toBe("denied");
  },
);

test("ask rules and a stricter mode of a session bind it alone", async () => {
  const ofOwn = settings({ permissions: { ask: ["Read(./x.txt)"], defaultMode: "plan" } });
  const { run, asked } = await agentOn(ofOwn);
  const read = ["read_file", { path: "x.txt" }] as const;

  expect(await run("plain", read, write)).toContain("Created");
  expect(asked.splice(0)).toEqual(["plain: write_file"]);
  expect(await run("own", read)).toContain("one");
  expect(asked.splice(0)).toEqual(["own: read_file"]);
  expect(await run("own", write)).toContain("plan");
  expect(asked).toEqual([]);
});

test("the same holds beside a gate of the host's own", async () => {
  const modes: unknown[] = [];
  const permissions = {
    decide({ mode }: { mode?: string }) {
      modes.push(mode);
      return { behavior: "allow" } as const;
    },
  };
  const { run } = await agentOn(settings({ permissions: { deny: ["Read(./x.txt)"], defaultMode: "plan" } }), {
    permissions,
  });
  const read = ["read_file", { path: "x.txt" }] as const;

  expect(await run("plain", read)).toContain("one");
  expect(await run("own", read)).toContain("Read(./x.txt)");
  expect(modes).toEqual([undefined, "plan"]);
});

test("a session in which nobody may be asked is not asked", async () => {
  const { run, asked } = await agentOn(settings({ permissions: { denyInsteadOfPrompting: true } }));

  expect(await run("own", write)).toContain("permissions.denyInsteadOfPrompting");
  expect(await run("own", ["ask_user", { question: "Shall I?" }])).toContain("permissions.denyInsteadOfPrompting");
  expect(asked).toEqual([]);
  expect(await run("plain", write)).toContain("Created");
});

test("what nothing enforces keeps the session from opening", async () => {
  const { run } = await agentOn(settings({ permissions: { blockReadsOutsideWorkingDirectories: true } }));
  expect(await run("own")).toBe("WORKSPACE_FAILED");
  expect(await run("plain")).toBe("Nothing to do.");
});

test("a read-only agent reads in each session's own workspace and writes in none", async () => {
  const agent = await createReadOnlyAgent({
    provider: obedient(),
    home: null,
    workspace: ({ id }) => createMemoryWorkspace({ files: { "x.txt": `of ${id}\n` } }),
  });
  onTestFinished(() => agent.close());
  const { text } = await agent.engine.run(steps(["read_file", { path: "x.txt" }], write), { sessionId: "a" });
  expect(text).toMatch(/of a\n---\nThere is no tool "write_file"/);
});

// ── sub-agents, hub ───────────────────────────────────────────────────────────────────────────────────────────────────

test("a sub-agent has its session's workspace, or a work tree of it where git of this machine may make one", async () => {
  const root = directoryWith({ "x.txt": "one\n" });
  const git = (...args: string[]) => tryGit(root, [...args]);
  await git("init", "-q");
  await git("add", ".");
  await git("commit", "-qm", "first");
  const { run } = await agentOn(
    { "x.txt": "in memory\n" },
    {
      workspace: ({ id }) =>
        id === "disk" ? createWorkspace({ root }) : createMemoryWorkspace({ files: { "x.txt": "in memory\n" } }),
    },
  );
  const inherit = ["task", { prompt: steps(["read_file", { path: "x.txt" }]) }] as const;
  const apart = ["task", { prompt: steps(["read_file", { path: "x.txt" }], write), isolation: "worktree" }] as const;

  expect(await run("disk", inherit)).toContain("one");
  expect(await run("disk", apart)).toContain("Its changes are in your files now: new.txt");
  expect(await run("memory", inherit)).toContain("in memory");
  expect(await run("memory", apart)).toContain(
    'There are no work trees in this workspace: "/loopwright-memory" is not a directory of this machine\'s disk, nor of a machine with a shell.',
  );
});

test("a hub's answer reaches the session's own workspace, opened with the context it is given", async () => {
  const contexts: unknown[] = [];
  const first = await agentOn(
    {},
    {
      approver: undefined,
      async workspace({ context }) {
        contexts.push(context);
        return { ...(await createMemoryWorkspace()), id: "one" };
      },
    },
  );
  const { sessions } = first.agent;
  const asked = createRunHub({ engine: first.agent.engine }).start(steps(write), {
    sessionId: "s",
    context: { user: 1 },
  });
  const { pending } = await asked.result;
  await first.agent.close();

  const second = await agentOn(
    {},
    {
      sessions,
      approver: undefined,
      async workspace({ context }) {
        contexts.push(context);
        return { ...(await createMemoryWorkspace()), id: "one" };
      },
    },
  );
  const hub = createRunHub({ engine: second.agent.engine, contextFor: () => ({ user: 2 }) });
  const answered = await hub.answer({ id: pending[0]!.id, decision: "allow" }, { sessionId: "s" });

  expect(await answered.result).toMatchObject({ status: "completed", text: expect.stringContaining("Created") });
  expect(contexts).toEqual([{ user: 1 }, { user: 2 }]);
});

// ── options ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test("what would be said in vain is refused", async () => {
  const provider = obedient();
  const workspace = () => createMemoryWorkspace();
  for (const more of [{ root: "/x" }, { sandbox: true }, { env: { A: "b" } }, { readRoots: ["/x"] }]) {
    await expect(createCodingAgent({ provider, workspace, ...more })).rejects.toThrow(
      "nothing, where each session has a workspace",
    );
  }
  const beside = await createMemoryWorkspace();
  for (const more of [
    { readRoots: ["/x"] },
    { writeRoots: ["/x"] },
    { protectedPaths: ["x"] },
    { sandbox: true },
    { env: { A: "b" } },
    { journal: { before: async () => {} } },
  ]) {
    await expect(createCodingAgent({ provider, workspace: beside, ...more })).rejects.toThrow(
      "nothing beside workspace: give it to the function that opens the workspace",
    );
  }
  await expect(createCodingAgent({ provider, root: "/", workspaces: {} })).rejects.toThrow(
    "unless workspace is a function",
  );
  await expect(createCodingAgent({ provider, workspace, workspaces: { maxOpen: 0 } })).rejects.toThrow(
    "workspaces.maxOpen",
  );
});

test("the agent's own workspace is none, and says so", async () => {
  const { agent } = await agentOn({});
  await expect(agent.workspace.files.read("x.txt")).rejects.toThrow("agent.workspaceOf(sessionId)");
  expect(agent.workspaceOf("s")).toBeUndefined();
  const decided = await agent.permissions.decide({ tool: "read_file", input: { path: "x.txt" }, sessionId: "s" });
  expect(decided).toMatchObject({ behavior: "deny", reason: expect.stringContaining('session "s" is not open') });
});
