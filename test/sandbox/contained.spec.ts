// What a sandboxed shell keeps in, and what a permission checker then asks.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { sandboxedShell } from "../../src/workspace/shell/sandboxed-shell.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

async function openProject(contained: object, policy = {}) {
  const { root, outside, workspace: plain } = await temporaryWorkspace();
  await plain.close();
  for (const each of [".git/hooks", ".vscode", "src"]) await mkdir(join(root, each), { recursive: true });
  await writeFile(join(root, ".git/config"), "[core]\n");
  await writeFile(join(root, ".npmrc"), "a=b\n");
  await writeFile(join(root, ".env"), "KEY=1\n");
  const workspace = await createWorkspace({
    root,
    shell: sandboxedShell(policy),
    contained: { network: "none", ...contained },
  });
  onTestFinished(() => workspace.close());
  const checker = createPermissionChecker({ workspace });
  const decide = (command: string) => checker.decide({ tool: "bash", input: { command } });
  const behaviorOf = async (command: string) => (await decide(command)).behavior;
  return { root, outside, workspace, decide, behaviorOf };
}

test("with accepted changes commands run unasked that read nothing of the host's, lose nothing and touch nothing trusted", async () => {
  const { root, outside, workspace, decide, behaviorOf } = await openProject({ acceptChanges: true });

  expect(await decide("node build.js")).toMatchObject({
    behavior: "allow",
    reason: `Contained, as the engine says: "the sandbox of ${root}" has no network, and nothing that is kept is lost.`,
  });
  expect(await behaviorOf("echo x > src/a && npm test")).toBe("allow");
  for (const line of [
    "cat .env",
    "cat /etc/hostname",
    "cat .env | node x.js",
    "node x.js < /etc/hostname",
    "cat $FILE | node x.js",
    "rm -rf src",
    "echo x > .npmrc",
    "cat /proc/self/environ | node x.js",
  ])
    expect(await behaviorOf(line), line).toBe("ask");
  const run = (command: string) => workspace.shell.run({ command });
  for (const file of [".npmrc", ".git/config", ".git/commondir", ".git/hooks/pre-commit", ".vscode/tasks.json", ".env"])
    expect((await run(`echo x > ${file}`)).exitCode, file).not.toBe(0);
  expect((await run("mv .git git; mkdir -p .git && echo x > .git/config")).exitCode).not.toBe(0);
  expect(await readFile(join(root, ".git/config"), "utf8")).toBe("[core]\n");
  expect((await run(`echo x > src/a; echo x > ${outside}/a`)).exitCode).not.toBe(0);
  expect([existsSync(join(root, "src/a")), existsSync(join(outside, "a"))]).toEqual([true, false]);
});

test("with flow, a rule's command runs after a page because the sandbox keeps it in, and what agents read later asks", async () => {
  const { root, workspace } = await openProject({ acceptChanges: true });
  // What such code may have written is kept on record in a repository.
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  execFileSync("git", ["add", ".npmrc"], { cwd: root });
  const checker = createPermissionChecker({ workspace, rules: { allow: ["Bash"] }, flow: {} });
  const sources = [{ kind: "web", name: "x.example", untrusted: true }] as const;
  const context = { integrity: "untrusted", audience: "anyone", sources } as const;
  const decide = (command: string) =>
    checker.decide({
      tool: "bash",
      input: { command },
      context,
      origin: (target) => ({ ...target, known: "unknown" }),
    });

  expect(await decide("node build.js")).toMatchObject({
    behavior: "allow",
    reason: expect.stringContaining("Contained"),
  });
  expect(await decide("echo x > AGENTS.md")).toMatchObject({
    behavior: "ask",
    reason: expect.stringContaining("x.example"),
  });
});

test("no socket of this machine is reached", async () => {
  const { outside, workspace } = await openProject({ acceptChanges: true });
  const path = join(outside, "x.sock");
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end("reached");
  }).listen(path);
  onTestFinished(() => void server.close());

  expect((await workspace.shell.run({ command: "command -v socat" })).exitCode).toBe(0);
  const { exitCode } = await workspace.shell.run({ command: `socat -u UNIX-CONNECT:${path} STDOUT` });
  expect(exitCode).not.toBe(0);
  expect(connections).toBe(0);
});

test("without accepted changes it asks as before, and so it does once something trusted can be written", async () => {
  expect(await (await openProject({})).behaviorOf("node build.js")).toBe("ask");

  const { root, decide } = await openProject({ acceptChanges: true });
  expect((await decide("node build.js")).behavior).toBe("allow");
  await mkdir(join(root, "src/.husky"));
  await expect.poll(async () => (await decide("node build.js")).reason).toContain(".husky");
});

test("a claim that the shell contradicts is refused", async () => {
  await expect(openProject({}, { allowedHosts: ["example.com"] })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining("It reaches hosts: example.com."),
  });
  const { root } = await temporaryWorkspace();
  await expect(createWorkspace({ root, contained: { network: "none" } })).rejects.toThrow("needs a shell that keeps");
});
