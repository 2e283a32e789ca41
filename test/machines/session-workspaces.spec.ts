// An agent whose sessions have workspaces of their own on real machines.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CodingAgentOptions, createCodingAgent } from "loopwright/presets";
import { createMemorySessionStore } from "loopwright/sessions";
import { createMachineWorkspace, dockerMachine, sshMachine } from "loopwright/workspace";
import { expect, inject, onTestFinished, test } from "vitest";
import { obedient, type Step, steps } from "../presets/obedient.js";
import { sharedDirectory } from "../workspace/machines/open-machine.js";

const { host, ssh } = inject("machines");
const DOCKER = { docker: "/usr/bin/docker", host };
const docker = (...args: string[]) =>
  execFileSync(DOCKER.docker, ["--host", host, ...args], { encoding: "utf8" }).trim();

async function agentWith(options: Partial<CodingAgentOptions>) {
  const agent = await createCodingAgent({ provider: obedient(), home: null, mode: "bypassPermissions", ...options });
  onTestFinished(() => agent.close());
  const run = async (sessionId: string, ...list: readonly Step[]) => {
    const { text, error } = await agent.engine.run(steps(...list), { sessionId });
    return error?.code ?? text;
  };
  return { agent, run };
}

const write = (content: string) => ["write_file", { path: "note.txt", content }] as const;
const read = ["bash", { command: "cat note.txt; hostname" }] as const;

test("each session has a container, finds it again after a restart, and goes on in no other", async () => {
  const container = () => docker("run", "-d", "--rm", "--init", "--network", "none", "busybox:1", "sleep", "99999");
  const containers = new Map([
    ["ann", container()],
    ["bob", container()],
  ]);
  onTestFinished(() => void docker("rm", "-f", ...containers.values()));
  const sessions = createMemorySessionStore();
  const workspace: CodingAgentOptions["workspace"] = ({ id }) =>
    createMachineWorkspace({
      machine: dockerMachine({ container: containers.get(id)!, ...DOCKER }),
      root: "/work",
      makeRoot: true,
    });
  const first = await agentWith({ sessions, workspace });

  await Promise.all(["ann", "bob"].map((user) => first.run(user, write(`of ${user}\n`))));
  expect(await first.run("bob", read)).toContain(`of bob\n${containers.get("bob")!.slice(0, 12)}`);
  const inherit = ["task", { prompt: steps(read) }] as const;
  expect(await first.run("bob", inherit)).toContain("of bob");
  expect(await first.run("bob", ["task", { prompt: steps(read), isolation: "worktree" }])).toContain(
    "There are no work trees in this workspace: its commands have no home directory to keep them in. Leave out isolation",
  );
  await first.agent.close();

  const second = await agentWith({ sessions, workspace });
  expect(await second.run("ann", read)).toContain(`of ann\n${containers.get("ann")!.slice(0, 12)}`);
  await second.agent.close();

  docker("rm", "-f", containers.get("ann")!);
  containers.set("ann", container());
  const third = await agentWith({ sessions, workspace });
  expect(await third.run("ann", read)).toBe("WORKSPACE_GONE");
  expect(docker("exec", containers.get("ann")!, "ls", "/work")).toBe("");
});

test("each session has a directory on a host, whose deny rules bind it alone", async () => {
  const roots: Record<string, string> = {};
  for (const user of ["ann", "bob"]) roots[user] = await sharedDirectory(ssh.directory);
  execFileSync("mkdir", [join(roots.bob!, ".claude")]);
  writeFileSync(
    join(roots.bob!, ".claude/settings.json"),
    JSON.stringify({ permissions: { deny: ["Read(note.txt)"] } }),
  );
  const keys = [`IdentityFile=${ssh.directory}/key`, `UserKnownHostsFile=${ssh.directory}/known-hosts`];
  const { agent, run } = await agentWith({
    workspace: ({ id }) =>
      createMachineWorkspace({
        machine: sshMachine({ host: "127.0.0.1", user: ssh.user, port: ssh.port, options: keys }),
        root: roots[id]!,
      }),
  });
  const readFile = ["read_file", { path: "note.txt" }] as const;

  const [ann, bob] = await Promise.all(["ann", "bob"].map((user) => run(user, write(`of ${user}\n`), readFile)));

  expect(ann).toContain("of ann");
  expect(bob).toContain('The rule "Read(note.txt)" denies the path');
  expect(bob).not.toContain("of bob");
  expect(agent.workspaceOf("ann")?.root).toBe(roots.ann);
  await agent.engine.endSession("ann");
  expect(agent.workspaceOf("ann")).toBeUndefined();
});

const REPOSITORY =
  "git init -q . && git config user.name t && git config user.email t@t && echo one > a.txt && git add -A && git commit -qm first";
const inTree = (...list: readonly Step[]) =>
  ["task", { prompt: steps(...list), isolation: "worktree" }] as const satisfies Step;

test("a sub-agent has a work tree inside a container, which is merged there and gone afterwards; without the container it ends as WORKSPACE_GONE", async () => {
  const container = docker("run", "-d", "--rm", "--init", "--network", "none", "debian:1", "sleep", "99999");
  onTestFinished(() => void docker("rm", "-f", container));
  const workspace = await createMachineWorkspace({
    machine: dockerMachine({ container, ...DOCKER }),
    root: "/work",
    makeRoot: true,
  });
  onTestFinished(() => workspace.close());
  const { run, agent } = await agentWith({ workspace });
  const where = ["bash", { command: "pwd; git branch --show-current; cat a.txt" }] as const;
  await run("s", ["bash", { command: REPOSITORY }]);

  const output = await run("s", inTree(where, write("by the sub-agent\n")));
  expect(output).toMatch(/\/root\/\.loopwright\/worktrees\/\w{16}\s+loopwright\/general-purpose-\w{16}\s+one/);
  expect(output).toContain("[Its changes are in your files now: note.txt.]");
  expect(docker("exec", container, "cat", "/work/note.txt")).toBe("by the sub-agent");
  const left = "ls -A /root/.loopwright/worktrees; git -C /work branch; git -C /work worktree list";
  expect(docker("exec", container, "sh", "-c", left)).toMatch(/^\* \w+\n\/work +\w+ \[\w+\]$/);

  const ends: unknown[] = [];
  agent.engine.on("tool-call-end", ({ result }) => ends.push(Object(result.details).code));
  const removed = ["bash", { command: "touch started; sleep 60" }] as const;
  const running = run("s", inTree(removed));
  const isStarted = () => docker("exec", container, "sh", "-c", "ls /root/.loopwright/worktrees/*/started || true");
  await expect.poll(isStarted, { timeout: 60_000 }).toContain("started");
  docker("rm", "-f", container);
  await running;
  expect(ends.at(-1)).toBe("WORKSPACE_GONE");
});

test("a sub-agent has a work tree on a host, in the home directory of the user there", async () => {
  const root = await sharedDirectory(ssh.directory);
  const keys = [`IdentityFile=${ssh.directory}/key`, `UserKnownHostsFile=${ssh.directory}/known-hosts`];
  const machine = sshMachine({ host: "127.0.0.1", user: ssh.user, port: ssh.port, options: keys });
  const workspace = await createMachineWorkspace({ machine, root: join(root, "repository"), makeRoot: true });
  onTestFinished(() => workspace.close());
  const { run } = await agentWith({ workspace });
  await run("s", ["bash", { command: REPOSITORY }]);

  const output = await run("s", inTree(["bash", { command: "pwd" }], write("by the sub-agent\n")));

  expect(output).toContain(`/home/${ssh.user}/.loopwright/worktrees/`);
  expect(output).toContain("[Its changes are in your files now: note.txt.]");
  expect(await run("s", ["bash", { command: "cat note.txt; git worktree list | wc -l" }])).toMatch(
    /by the sub-agent\s+1/,
  );
});
