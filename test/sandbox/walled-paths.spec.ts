// The paths that commands under real bubblewrap do not reach: odd names, globs, and git's own files wherever they lie.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { WorkspaceOptions } from "../../src/workspace/create-workspace.js";
import type { SandboxPolicy } from "../../src/workspace/shell/command-sandbox.js";
import { sandboxedShell } from "../../src/workspace/shell/sandboxed-shell.js";
import { openWorkspace, temporaryDirectory } from "../workspace/temporary-workspace.js";

/** Files with the text "TOP", and commands in the sandbox. */
async function openWith(
  files: readonly string[],
  policy: SandboxPolicy = {},
  options: Partial<WorkspaceOptions> = {},
  name = "root",
) {
  const root = join(await temporaryDirectory(), name);
  await mkdir(root);
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "TOP");
  }
  const workspace = await openWorkspace({ root, shell: sandboxedShell(policy), ...options });
  async function run(command: string) {
    const chunks: Uint8Array[] = [];
    const { exitCode } = await workspace.shell.run({ command, onOutput: (chunk) => chunks.push(chunk) });
    return { exitCode, output: Buffer.concat(chunks).toString() };
  }
  return { root, run };
}

const ODD = ["app/[id]/key", "a*b/key", "q?/key", "un[closed/key", "x]/key"];

test.each([
  ["unreadable", { unreadable: ODD }, {}, /^TOPTOP$/],
  // Such an entry is a glob as well, here and for the file tools.
  ["protectedPaths", {}, { protectedPaths: ODD }, /denied\n.*denied\n$/],
])("a path is taken as it is, whatever signs are in its name: %s", async (_, policy, options, ofOthers) => {
  const { run } = await openWith([...ODD, "app/i/key", "aXb/key"], policy, options);

  for (const file of ODD) expect((await run(`cat '${file}'`)).output, file).not.toContain("TOP");
  expect((await run("cat app/i/key aXb/key")).output).toMatch(ofOthers);
  expect((await run("mv 'app/[id]' app/moved; cat app/moved/key")).output).not.toContain("TOP");
});

test("a path is taken as it is, whatever signs are in its name: unwritable, there or not", async () => {
  const { root, run } = await openWith([...ODD, "app/i/key"], { unwritable: [...ODD, "app/[id]/new"] });

  for (const file of [...ODD, "app/[id]/new"]) expect((await run(`echo x >> '${file}'`)).exitCode, file).not.toBe(0);
  expect((await run("echo x >> app/i/key && echo x > 'app/[id]/other'")).exitCode).toBe(0);

  for (const file of ODD) expect(await readFile(join(root, file), "utf8")).toBe("TOP");
  expect(existsSync(join(root, "app/[id]/new"))).toBe(false);
});

test("a directory that the sandbox could not open for writing is named, and the command is not run", async () => {
  for (const name of ["we[i]rd", "st*r"]) {
    const { root, run } = await openWith([], {}, {}, name);
    await expect(run("true")).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(`"${root}"`),
    });
  }
  const { root, run } = await openWith(["c[a]che/file"], { writable: ["c[a]che"] });
  await expect(run("touch ran")).rejects.toMatchObject({ code: "OPTION_INVALID" });
  expect(existsSync(join(root, "ran"))).toBe(false);
});

test("globs among the protected paths wall off what they match when a command starts, in the other roots, too", async () => {
  const more = await temporaryDirectory();
  await writeFile(join(more, "c.secret"), "TOP");
  const { root, run } = await openWith(
    ["a.secret", "sub/b.SECRET", "sub/[x]/d.secret", "kept.secret", "vault/deep/key", "plain", "open.vault/key"],
    {},
    { protectedPaths: ["*.secret", "!kept.secret", "vault/**", "linked*"], readRoots: [more] },
  );
  const walled = ["a.secret", "sub/b.SECRET", "sub/[x]/d.secret", "vault/deep/key", join(more, "c.secret")];

  for (const file of walled) expect((await run(`cat '${file}'`)).output, file).not.toContain("TOP");
  expect((await run("cat plain kept.secret open.vault/key")).output).toBe("TOPTOPTOP");
  await writeFile(join(root, "later.secret"), "TOP");
  await run("ln -s plain linked-1; mv sub moved");
  expect((await run("cat later.secret plain; cat */b.SECRET")).output).not.toContain("TOP");
});

const EVIL = (file: string) => `printf '[core]\\n\\tfsmonitor = "touch PWNED #"\\n' >> ${file}`;
const HOOK = (file: string) => `printf '#!/bin/sh\\ntouch PWNED\\n' > ${file} && chmod +x ${file}`;
const COMMIT = "commit -q --allow-empty -m z";

/** A repository with a submodule, a work tree, and another repository in it. */
async function openRepositories() {
  const opened = await openWith(["vendor/nested/f", "vendor/bare-of-hooks/f"]);
  const lib = await temporaryDirectory();
  const asUser = ["GIT_AUTHOR", "GIT_COMMITTER"].flatMap((who) => [`${who}_NAME=a`, `${who}_EMAIL=a@b.c`]).join(" ");
  const host = (line: string, cwd = opened.root) =>
    spawnSync("bash", ["-c", `export ${asUser}; ${line}`], { cwd, encoding: "utf8" });
  const setUp = [
    `for each in . '${lib}' vendor/*; do (cd "$each" && git init -q && git ${COMMIT}) || exit; done`,
    "rm -rf vendor/bare-of-hooks/.git/hooks",
    `git -c protocol.file.allow=always submodule --quiet add '${lib}' libs/sub && git ${COMMIT}`,
    "git worktree add -q wt -b wtb && git config extensions.worktreeConfig true",
  ].join(" && ");
  expect(host(setUp)).toMatchObject({ status: 0 });
  return { ...opened, host };
}

test("a command writes no hook and no configuration of git's, wherever a repository has them", async () => {
  const { root, run, host } = await openRepositories();
  const attacks = [
    [`mkdir -p x && cp -r .git/. x/ && ${EVIL("x/config")} && echo ../x > .git/commondir`, "git status"],
    [EVIL(".git/config"), "git status"],
    [EVIL(".git/config.worktree"), "git status"],
    [EVIL(".git/worktrees/wt/config.worktree"), "cd wt && git status"],
    [EVIL(".git/modules/libs/sub/config"), "cd libs/sub && git status"],
    [HOOK(".git/modules/libs/sub/hooks/pre-commit"), `cd libs/sub && git ${COMMIT}`],
    [EVIL("vendor/nested/.git/config"), "cd vendor/nested && git status"],
    [`mv vendor/nested vendor/old; ${EVIL("vendor/nested/.git/config")}`, "cd vendor/nested && git status"],
    [
      `mkdir vendor/bare-of-hooks/.git/hooks; ${HOOK("vendor/bare-of-hooks/.git/hooks/pre-commit")}`,
      `cd vendor/bare-of-hooks && git ${COMMIT}`,
    ],
    [
      `cp -r .git/modules/libs/sub y && git config -f y/config core.worktree ../libs/sub && ${EVIL("y/config")} && echo 'gitdir: ../../y' > libs/sub/.git`,
      "git status",
    ],
    [
      `cp -r .git y2 && ${EVIL("y2/config")} && rm -rf wt/.git && echo 'gitdir: ../y2' > wt/.git`,
      "cd wt && git status",
    ],
  ] as const;

  for (const [attack, use] of attacks) {
    await run(attack);
    host(use);
    expect(host("find . -name PWNED").stdout, attack).toBe("");
  }
  const work = `git ${COMMIT} && git switch -qc b && cd libs/sub && git ${COMMIT} && cd ../../wt && git ${COMMIT}`;
  expect(
    await run(`export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=b; ${work}`),
  ).toEqual({ exitCode: 0, output: "" });
  expect(host("git status").status).toBe(0);
  expect(existsSync(join(root, "vendor/bare-of-hooks/.git/hooks"))).toBe(false);
  await writeFile(join(root, ".git/config.worktree"), "[user]\n\tname = me\n");
  await run("true");
  expect(host("git config user.name").stdout).toBe("me\n");
});

test("a configuration that nothing reads yet is set aside, of the repository, a submodule and a work tree", async () => {
  const { root, run, host } = await openRepositories();
  host("git config --unset extensions.worktreeConfig");
  const planted = [".git", ".git/worktrees/wt", ".git/modules/libs/sub"].map((each) => `${each}/config.worktree`);

  await run(planted.map(EVIL).join("; "));

  expect(planted.filter((each) => existsSync(join(root, each)))).toEqual([]);
  host("git sparse-checkout set --no-cone '/*' && git status");
  expect(host("find . -name PWNED").stdout).toBe("");
});

test("a command neither makes nor changes the record of untrusted files, and what was noted meanwhile stays", async () => {
  const { root, run, host } = await openRepositories();
  const record = join(root, ".git/loopwright-untrusted");
  const forge = 'echo x >> "$PWD/.git/loopwright-untrusted"';

  await run(forge);
  expect(existsSync(record)).toBe(false);
  const running = run(`${forge}; echo up > up; until [ -e noted ]; do sleep 0.05; done; ${forge}`);
  await expect.poll(() => existsSync(join(root, "up"))).toBe(true);
  await writeFile(record, "{}\n");
  await writeFile(join(root, "noted"), "");
  await running;
  for (const attack of [forge, "rm -f .git/loopwright-untrusted", "mv .git/loopwright-untrusted x", "mv .git x"])
    await run(attack);
  expect(await readFile(record, "utf8")).toBe("{}\n");
  expect(host("git status").status).toBe(0);
});
