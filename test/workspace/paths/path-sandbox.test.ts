import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createWorkspace } from "../../../src/workspace/create-workspace.js";
import { temporaryWorkspace } from "../temporary-workspace.js";

test("relative and absolute paths inside resolve to real ones, also of what does not exist", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await mkdir(join(root, "src"));
  await writeFile(join(root, "src/a.ts"), "");
  const paths = ["src/a.ts", "./src//a.ts", "src/../src/a.ts", "new/deep/b.ts", "..foo", "", join(root, "src/a.ts")];

  const resolved = await Promise.all(paths.map((path) => workspace.resolve(path || ".", "write")));

  expect(resolved.map((path) => path.slice(root.length))).toEqual([
    "/src/a.ts",
    "/src/a.ts",
    "/src/a.ts",
    "/new/deep/b.ts",
    "/..foo",
    "",
    "/src/a.ts",
  ]);
});

test("no spelling and no link leads out", async () => {
  const { base, root, outside, workspace } = await temporaryWorkspace();
  await mkdir(join(base, "root-evil"));
  await mkdir(join(outside, "sub"));
  await writeFile(join(outside, "secret.txt"), "secret");
  await symlink(join(outside, "secret.txt"), join(root, "file-link"));
  await symlink("../outside", join(root, "directory-link"));
  await symlink("directory-link", join(root, "chain"));
  await symlink(join(outside, "not-yet"), join(root, "dangling"));
  await symlink("dangling", join(root, "dangling-chain"));
  await symlink(join(outside, "sub"), join(root, "sub-link"));
  await symlink("/proc/self/cwd", join(root, "cwd"));
  await symlink("/dev/fd/0", join(root, "stdin"));
  const paths = [
    "..",
    "../outside/secret.txt",
    "../root-evil/a",
    `${root}-evil/a`,
    "/",
    "/etc/passwd",
    "/etc/passwd/x",
    "file-link",
    "directory-link/secret.txt",
    "directory-link/new",
    "chain/secret.txt",
    "dangling",
    "dangling-chain",
    "sub-link/../secret.txt",
    "a/../../outside/secret.txt",
    "/proc/self/environ",
    `/proc/self/root${root}/a`,
    "/proc/self/cwd/package.json",
    "/dev/null",
    "/dev/fd/0",
    "cwd/package.json",
    "stdin",
  ];

  for (const path of paths) {
    for (const access of ["read", "write"] as const) {
      await expect(workspace.resolve(path, access), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    }
    await expect(workspace.files.read(path), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    await expect(workspace.files.write(path, Buffer.from("x")), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  }
});

test("links from inside to inside are followed, also on a way that goes out and back", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await mkdir(join(root, "real"));
  await writeFile(join(root, "real/a.ts"), "");
  await symlink("real", join(root, "link"));
  await symlink(root, join(outside, "back"));
  await symlink(outside, join(root, "out"));
  await symlink("real/new.ts", join(root, "new-link"));

  expect(await workspace.resolve("link/a.ts", "write")).toBe(join(root, "real/a.ts"));
  expect(await workspace.resolve("out/back/real/a.ts", "read")).toBe(join(root, "real/a.ts"));
  expect(await workspace.resolve("new-link", "write")).toBe(join(root, "real/new.ts"));
});

test("what is not a path to a file or directory is refused with the reason", async () => {
  const { root, workspace } = await temporaryWorkspace();
  execFileSync("mkfifo", [join(root, "pipe")]);
  await symlink("loop-b", join(root, "loop-a"));
  await symlink("loop-a", join(root, "loop-b"));
  await writeFile(join(root, "file"), "");
  const socket = createServer().listen(join(root, "socket"));
  await new Promise((done) => socket.once("listening", done));
  const reasons: Record<string, RegExp> = {
    "": /must not be empty/,
    "a\0b": /NUL/,
    "~": /not expanded/,
    "~/a": /not expanded/,
    "~root/a": /not expanded/,
    "file:///etc/passwd": /URLs/,
    "FILE:a": /URLs/,
    "half\ud800": /surrogate/,
    pipe: /pipe/,
    socket: /socket/,
    "loop-a": /circle/,
    "loop-a/x": /circle/,
    "file/x": /not a directory/,
    [`${"n".repeat(300)}`]: /too long/,
  };

  for (const [path, reason] of Object.entries(reasons)) {
    const refused = workspace.resolve(path, "read");
    await expect(refused, path).rejects.toMatchObject({ code: "PATH_INVALID", message: expect.stringMatching(reason) });
  }
  expect(await workspace.resolve("./~a", "write")).toBe(join(root, "~a"));
  socket.close();
});

test("a refusal does not tell what lies outside", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await writeFile(join(outside, "there"), "");
  await mkdir(join(outside, "directory"), { mode: 0o000 });
  execFileSync("mkfifo", [join(outside, "pipe")]);
  await symlink("loop", join(outside, "loop"));
  const refusal = (name: string) =>
    workspace.resolve(join(outside, name), "read").catch((error: Error) => error.message.replaceAll(name, "NAME"));

  const messages = await Promise.all(
    ["there", "missing", "there/x", "directory/x", "pipe", "loop", "n".repeat(300)].map(refusal),
  );

  expect(new Set(messages)).toEqual(new Set([expect.stringContaining("it is outside the workspace")]));
  await symlink(join(outside, "there"), join(root, "link"));
  await expect(workspace.resolve("link", "read")).rejects.toThrow(/^(?!.*outside\/there)/);
});

test("keys, credentials and protected paths are refused in any spelling, whatever the root", async () => {
  const { base, root } = await temporaryWorkspace();
  vi.stubEnv("HOME", root);
  await mkdir(join(root, ".ssh"));
  await mkdir(join(root, "dotfiles/aws"), { recursive: true });
  await symlink("dotfiles/aws", join(root, ".aws"));
  await writeFile(join(root, "public.pem"), "-----BEGIN CERTIFICATE-----\n");
  await writeFile(join(root, "private.pem"), "-----BEGIN RSA PRIVATE KEY-----\n");
  await writeFile(join(root, "bundle.pem"), "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n");
  const workspace = await createWorkspace({ root: base, protectedPaths: ["root/hidden"] });
  vi.unstubAllEnvs();
  const paths = [
    ".ssh",
    ".ssh/config",
    ".SSH/id_ed25519",
    ".ssh./config",
    ".aws/credentials",
    "dotfiles/aws/credentials",
    ".kube/config",
    ".gnupg/x",
    ".netrc",
    ".NetRC",
    ".npmrc",
    ".config/gcloud/x",
    ".docker/config.json",
    "deep/id_rsa",
    "deep/ID_RSA",
    "server.key",
    "private.pem",
    "bundle.pem",
    "new.pem",
    "store.p12",
    "hidden",
    "Hidden/x",
  ];

  for (const path of paths) {
    await expect(workspace.resolve(`root/${path}`, "read"), path).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  }
  for (const path of ["public.pem", ".sshx", "deep/id_rsa.pub", ".docker/other.json", "hidden2", "sub/.npmrc"]) {
    await expect(workspace.resolve(`root/${path}`, "write"), path).resolves.toBe(join(root, path));
  }
  await workspace.close();
  expect(homedir()).not.toBe(root);
});

test("git's own files may be read but not written, in any spelling", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await mkdir(join(root, "module/.git/hooks"), { recursive: true });
  await mkdir(join(root, "gitdir"));
  await symlink("../gitdir", join(root, "module/link-to-git"));
  await symlink("gitdir", join(root, ".git"));
  await symlink("module/.git", join(root, "alias"));

  for (const path of [
    ".git",
    ".git/config",
    ".GIT/config",
    "module/.git/hooks/x",
    "alias/config",
    "git~1/x",
    ".git./x",
  ]) {
    await expect(workspace.resolve(path, "write"), path).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  }
  await expect(workspace.resolve("module/.git/config", "read")).resolves.toContain(".git/config");
  await expect(workspace.resolve(".gitignore", "write")).resolves.toContain(".gitignore");
});

test("files that others run or trust pass the sandbox but need approval to be written, also before they exist", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await symlink(".env", join(root, "notes.txt"));
  await symlink(join(root, "config"), join(root, ".vscode"));
  const asked = [
    ".bashrc",
    ".zshenv",
    "home/.profile",
    ".gitconfig",
    ".mcp.json",
    ".npmrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "crates/a/rust-toolchain.toml",
    ".cargo/config.toml",
    ".mvn/jvm.config",
    ".vscode/settings.json",
    ".VSCode/x",
    ".idea/x",
    ".husky/pre-commit",
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".env",
    ".env.local",
    ".ENV",
    "packages/a/.env",
    "notes.txt",
  ];

  for (const path of asked) {
    await expect(workspace.resolve(path, "write"), path).resolves.toContain(root);
    expect(await workspace.needsApproval(path, "write"), path).not.toBeNull();
  }
  expect(await workspace.needsApproval(".env", "read")).toMatch(/secrets/);
  expect(await workspace.needsApproval("notes.txt", "read")).toMatch(/secrets/);
  for (const path of ["src/a.ts", "environment.ts", ".github/CODEOWNERS", "claude/x", "../.env", "~/.env"]) {
    expect(await workspace.needsApproval(path, "write"), path).toBeNull();
  }
  expect(await workspace.needsApproval(".vscode/settings.json", "read")).toBeNull();
});

test("read roots are read but never written", async () => {
  const { outside, root } = await temporaryWorkspace();
  await writeFile(join(outside, "a.md"), "a");
  const workspace = await createWorkspace({ root, readRoots: ["../outside"] });

  expect(Buffer.from(await workspace.files.read(join(outside, "a.md"))).toString()).toBe("a");
  await expect(workspace.resolve(join(outside, "a.md"), "write")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await workspace.close();
});

test("a root that is missing or no directory is an error at once", async () => {
  const { root } = await temporaryWorkspace();
  await writeFile(join(root, "file"), "");

  for (const wrong of ["missing", "file"]) {
    await expect(createWorkspace({ root: join(root, wrong) })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  }
  await expect(createWorkspace({ root: "" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(createWorkspace({ root, readRoots: ["missing"] })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(createWorkspace({ root, protectedPaths: ["~/x"] })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
