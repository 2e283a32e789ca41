import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import { workspaceContract } from "loopwright/testing";
import { builtinTools } from "loopwright/tools";
import {
  createMachineWorkspace,
  createWorkspaceOver,
  sessionFiles,
  sessionMachine,
  sessionShell,
} from "loopwright/workspace";
import { expect, test } from "vitest";
import { callTool } from "../../tools/call-tool.js";

const root = "/home/user";

async function openSession() {
  const session = await createJustBashSandbox().createSession();
  return {
    session,
    workspace: await createWorkspaceOver({ root, files: sessionFiles(session), shell: sessionShell(session) }),
  };
}

for (const { name, run } of workspaceContract(async () => (await openSession()).workspace)) test(name, run);

test("the tools work on the files of the session, and commands see what they wrote", async () => {
  const { session, workspace } = await openSession();
  await session.writeTextFile({ path: `${root}/src/a.ts`, content: "one\n" });
  const tool = (name: "read_file" | "edit_file" | "bash" | "grep" | "glob") =>
    builtinTools(workspace, { names: [name] })[0]!;

  await callTool(tool("read_file"), { path: "src/a.ts" });
  await callTool(tool("edit_file"), { path: "src/a.ts", old_text: "one", new_text: "two" });

  expect((await callTool(tool("bash"), { command: "cat src/a.ts; echo no >&2; false" })).output).toMatch(/two\nno/);
  expect((await callTool(tool("grep"), { pattern: "two" })).output).toContain("src/a.ts");
  expect((await callTool(tool("glob"), { pattern: "**/*.ts" })).output).toContain("src/a.ts");
  await session.run({ command: "echo three > src/a.ts" });
  const edit = callTool(tool("edit_file"), { path: "src/a.ts", old_text: "two", new_text: "2" });
  await expect(edit).rejects.toMatchObject({ code: "EDIT_STALE" });
});

test("links are followed to their end, and none leads out", async () => {
  const { session, workspace } = await openSession();
  const { files } = workspace;
  const command =
    "mkdir -p a; echo x > a/b; ln -s a link; ln -s /bin out; ln -s loop loop; ln -s gone/deep dangling; ln -s 'a\nb' odd";
  await session.run({ command });

  expect(await files.resolve("link/../a/./b", "read")).toBe(`${root}/a/b`);
  expect(await files.resolve("dangling/../x", "write")).toBe(`${root}/gone/x`);
  expect(await files.resolve("odd", "write")).toBe(`${root}/a\nb`);
  for (const path of ["out/ls", "out", "link/../../x"]) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  }
  await expect(files.read("loop")).rejects.toMatchObject({ code: "PATH_INVALID" });
  expect((await files.list(".")).find(({ name }) => name === "link")).toEqual({ name: "link", kind: "symlink" });
});

test("a command says where it ended, what it was given and how it failed, and ends at its timeout and at an abort", async () => {
  const { workspace } = await openSession();
  let output = "";
  const run = (command: string, rest = {}) =>
    workspace.shell.run({ command, onOutput: (chunk) => (output += Buffer.from(chunk)), ...rest });

  const env = { WORD: 'it\'s "$HOME"' };
  expect(await run('mkdir d; cd d; printf "%s %s" "$WORD" $#; echo err >&2; false', { env })).toMatchObject({
    exitCode: 1,
    signal: null,
    cwd: `${root}/d`,
    previousCwd: root,
  });
  expect(output).toBe(`it's "$HOME" 0err\n`);
  expect(await run("exit 3")).toMatchObject({ exitCode: 3, cwd: null });
  expect(await run("sleep 60; echo no", { timeoutMs: 50 })).toMatchObject({
    timedOut: true,
    exitCode: null,
    cwd: null,
  });
  await expect(run("sleep 60", { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a session whose spawn takes no stdin is no machine, and the error says so", async () => {
  const { session } = await openSession();

  await expect(createMachineWorkspace({ machine: sessionMachine(session), root })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message:
      'sessionMachine(): the sandbox session cannot be used: its "spawn" takes no "stdin". Use sessionFiles(session) and sessionShell(session) with createWorkspaceOver().',
    details: { missing: ["stdin"] },
  });
});

test("the example of a session runs, and says what it needs where there is no such package", async () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "examples/machines/ai-sdk-session.ts", name], {
      cwd: root,
    });

  expect((await run(import.meta.resolve("@ai-sdk/sandbox-just-bash"))).stdout).toBe(
    "100\nseq 1 100 | wc -l\nIt counts to 100.\n",
  );
  await expect(run("no-such-sandbox")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs the package "no-such-sandbox": npm install'),
  });
});
