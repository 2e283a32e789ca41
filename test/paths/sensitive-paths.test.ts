import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { askedReason, createSecretTest, secretPathsIn } from "../../src/paths/sensitive-paths.js";
import { createPermissionChecker } from "../../src/permissions/checker.js";
import { createReadFileTool } from "../../src/tools/read/read-file.js";
import { openWorkspace, temporaryDirectory } from "../workspace/temporary-workspace.js";
import { USUAL_CREDENTIALS } from "./usual-credentials.js";

/** A home directory with every usual credential file in it, and a workspace whose root it is. */
async function homeWorkspace(protectedPaths: string[] = []) {
  const home = await temporaryDirectory();
  for (const file of [...USUAL_CREDENTIALS, "notes.txt"]) {
    mkdirSync(join(home, dirname(file)), { recursive: true });
    writeFileSync(join(home, file), "token");
  }
  vi.stubEnv("HOME", home);
  const workspace = await openWorkspace({ root: home, protectedPaths });
  vi.unstubAllEnvs();
  return { home, workspace };
}

test("no usual credential file can be read or written with the home directory as root", async () => {
  const { workspace } = await homeWorkspace();
  const reachable: string[] = [];
  for (const file of USUAL_CREDENTIALS) {
    for (const access of ["read", "write"] as const) {
      for (const path of [file, file.toUpperCase()]) {
        const isRefused = await workspace.resolve(path, access).then(
          () => false,
          (error) => error.code === "PATH_PROTECTED",
        );
        if (!isRefused) reachable.push(`${access} ${path}`);
      }
    }
  }

  expect(USUAL_CREDENTIALS.length).toBeGreaterThanOrEqual(60);
  expect(reachable).toEqual([]);
  expect(await workspace.resolve("notes.txt", "read")).toMatch(/notes\.txt$/);
});

test.each(["with", "without"])(
  "no usual credential file is in reach of a command or a tool, %s a workspace",
  async (kind) => {
    const { home, workspace } = await homeWorkspace();
    vi.stubEnv("HOME", home);
    const rules = { allow: ["Bash", "Read"] };
    const checker = createPermissionChecker(kind === "with" ? { workspace, rules } : { rules });
    vi.unstubAllEnvs();
    const allowed: string[] = [];
    for (const file of USUAL_CREDENTIALS) {
      const command = await checker.decide({ tool: "bash", input: { command: `cat '${join(home, file)}'` } });
      const tool = createReadFileTool(workspace);
      const read = await checker.decide({ tool, input: { path: join(home, file) } });
      if (command.behavior !== "deny" || read.behavior !== "deny") allowed.push(file);
    }

    expect(allowed).toEqual([]);
    const notes = await checker.decide({ tool: "bash", input: { command: `cat ${home}/notes.txt` } });
    expect(notes.behavior).not.toBe("deny");
  },
);

test("a name that has an innocent namesake in projects is secret in a home directory alone", () => {
  const isSecret = createSecretTest(["/home/ann"]);

  expect(isSecret("/home/ann/.npmrc")).toMatch(/tokens/);
  expect(isSecret("/home/ann/.azure/msal.json")).toMatch(/tokens/);
  expect([isSecret("/work/app/.npmrc"), isSecret("/home/ann/app/.npmrc"), isSecret("/home/bob/.npmrc")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(secretPathsIn(["/home/ann"])).toEqual(expect.arrayContaining(["/home/ann/.ssh", "/home/ann/.npmrc"]));
});

test.each([
  ...[".env", ".env.local", ".ENV", ".env.production", "app/.envrc", ".env-prod", ".env/production", ".env."],
  ...[".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".python_history", ".node_repl_history"],
  ...[".local/share/fish/fish_history", ".rediscli_history", ".sqlite_history", ".bashrc", ".zshrc", ".profile"],
  ...[".psqlrc", ".mongorc.js"],
])("reading %s needs approval", (path) => {
  expect(askedReason(`/w/${path}`, "/w", "read")).not.toBeNull();
  expect(askedReason(`/w/${path}`, "/w", "write")).not.toBeNull();
});

test.each([
  ...[".gitconfig", ".mcp.json", ".npmrc", ".vscode/tasks.json", ".idea/workspace.xml", ".husky/pre-commit"],
  ...[
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".GITHUB/Workflows/ci.yml",
    "sub/.vscode/x",
    ".cargo/config",
  ],
  ...[".config/autostart/x.desktop", "Library/LaunchAgents/x.plist", ".yarnrc.yml", ".pre-commit-config.yaml"],
])("writing %s needs approval, reading it does not", (path) => {
  expect(askedReason(`/w/${path}`, "/w", "write")).not.toBeNull();
  expect(askedReason(`/w/${path}`, "/w", "read")).toBeNull();
});

test.each([
  ...[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.local.example", ".ENV.Example"],
  ...[
    ".envoy.yaml",
    ".environment",
    "env",
    "src/env.ts",
    ".github/CODEOWNERS",
    ".gitignore",
    ".prettierrc",
    "history.md",
  ],
])("%s is an ordinary file", (path) => {
  expect([askedReason(`/w/${path}`, "/w", "write"), askedReason(`/w/${path}`, "/w", "read")]).toEqual([null, null]);
});

test("gitignore globs protect, in every spelling and everywhere below the root", async () => {
  const { home, workspace } = await homeWorkspace([
    "*.secret",
    "vault/**",
    "/private/",
    "!public.secret",
    "deep/[ab].txt",
  ]);
  mkdirSync(join(home, "private"));
  const refused = ["x.secret", "a/b/x.SECRET", "vault/a", "Vault/deep/b", "private/x", "private", "deep/a.txt"];
  for (const path of refused) {
    await expect(workspace.resolve(path, "read"), path).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  }
  for (const path of ["public.secret", "vaults/a", "sub/private/x", "deep/c.txt", "secret"]) {
    expect(await workspace.resolve(path, "read"), path).toContain(path);
  }
});

test("what a protected path leads to stays out of reach when its link is pointed elsewhere", async () => {
  const { home, workspace } = await homeWorkspace(["current", "later"]);
  for (const directory of ["one", "two"]) {
    mkdirSync(join(home, directory));
    writeFileSync(join(home, directory, "key.txt"), "token");
  }
  symlinkSync("one", join(home, "current"));
  await expect(workspace.resolve("one/key.txt", "read")).rejects.toMatchObject({ code: "PATH_PROTECTED" });

  unlinkSync(join(home, "current"));
  symlinkSync("two", join(home, "current"));
  for (const path of ["current/key.txt", "two/key.txt", "one/key.txt"]) {
    await expect(workspace.resolve(path, "read"), path).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  }
});
