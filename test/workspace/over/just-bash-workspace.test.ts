import { Bash } from "just-bash";
import { workspaceContract } from "loopwright/testing";
import { builtinTools } from "loopwright/tools";
import { createJustBashWorkspace } from "loopwright/workspace";
import { expect, test } from "vitest";
import { callTool } from "../../tools/call-tool.js";

for (const { name, run } of workspaceContract(() => createJustBashWorkspace({ bash: new Bash() }))) test(name, run);

test("the tools work on the files of the shell, and commands see what they wrote", async () => {
  const bash = new Bash({ files: { "/home/user/src/a.ts": "one\n" } });
  const workspace = await createJustBashWorkspace({ bash });
  const tool = (name: "read_file" | "edit_file" | "bash" | "grep") => builtinTools(workspace, { names: [name] })[0]!;

  await callTool(tool("read_file"), { path: "src/a.ts" });
  await callTool(tool("edit_file"), { path: "src/a.ts", old_text: "one", new_text: "two" });

  expect((await callTool(tool("bash"), { command: "cd src && cat a.ts; echo no >&2; exit 3" })).output).toMatch(
    /two\nno/,
  );
  expect(workspace.shellDirectories.get("transcript-1") ?? "").toMatch(/src$|^$/);
  expect((await callTool(tool("grep"), { pattern: "two" })).output).toContain("src/a.ts");
});

test("links are followed to their end, and none leads out", async () => {
  const bash = new Bash({ files: { "/home/user/a/b": "x", "/etc/secret": "y" } });
  await bash.fs.symlink("a", "/home/user/link");
  await bash.fs.symlink("/etc", "/home/user/out");
  await bash.fs.symlink("loop", "/home/user/loop");
  await bash.fs.symlink("gone/deep", "/home/user/dangling");
  const { files } = await createJustBashWorkspace({ bash });

  expect(await files.resolve("link/../a/./b", "read")).toBe("/home/user/a/b");
  expect(await files.resolve("dangling/../x", "write")).toBe("/home/user/gone/x");
  expect(await files.resolve("new/../../user/y", "write")).toBe("/home/user/y");
  for (const path of ["out/secret", "out", "link/../../x"]) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  }
  await expect(files.read("loop")).rejects.toMatchObject({ code: "PATH_INVALID" });
  expect((await files.list(".")).find(({ name }) => name === "link")).toEqual({ name: "link", kind: "symlink" });
});

test("protected paths, also behind links that come later, and private keys are refused", async () => {
  const bash = new Bash({
    files: {
      "/home/user/secrets/a": "x",
      "/home/user/a.pem": "-----BEGIN PRIVATE KEY-----",
      "/home/user/b.pem": "-----BEGIN CERTIFICATE-----",
      "/home/user/.aws/credentials": "x",
      "/other/home/keys/k": "x",
    },
  });
  await bash.fs.symlink("/other/home/keys", "/other/home/.ssh");
  const { files } = await createJustBashWorkspace({
    bash,
    protectedPaths: ["secrets", "*.hidden"],
    homes: ["/other/home"],
    readRoots: ["/other"],
  });

  for (const path of ["secrets/a", "x.hidden", "a.pem", ".aws/credentials", "/other/home/keys/k"]) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  }
  expect(new TextDecoder().decode(await files.read("b.pem"))).toContain("CERTIFICATE");
  await bash.exec("mv secrets moved && ln -s moved secrets", { cwd: "/home/user" });
  await expect(files.read("moved/a")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
});

test("a command ends at its timeout and at an abort, and with the workspace", async () => {
  const workspace = await createJustBashWorkspace({ bash: new Bash() });
  const run = (command: string, rest = {}) => workspace.shell.run({ command, ...rest });

  expect(await run("sleep 60; echo no", { timeoutMs: 50 })).toMatchObject({
    timedOut: true,
    exitCode: null,
    cwd: null,
  });
  await expect(run("sleep 60", { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(run("true", { cwd: "/etc" })).rejects.toMatchObject({ code: "COMMAND_FAILED" });
  const running = run("sleep 60").catch((error) => error.code);
  await workspace.close();
  expect(await running).toBe("COMMAND_FAILED");
});

test("a directory that is missing, and what is no shell, are refused", async () => {
  const bash = new Bash();
  await expect(createJustBashWorkspace({ bash, readRoots: ["/nowhere"] })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining("/nowhere"),
  });
  await expect(createJustBashWorkspace({ bash: {} as never })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
