// File rules against where a path really leads, in a real directory with links.
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { bash, decide, project } from "../kit.js";

let world: Awaited<ReturnType<typeof project>>;

beforeAll(async () => {
  world = await project();
});
afterAll(() => world.close());

function file(tool: string, path: string, options: PermissionCheckerOptions = {}) {
  return decide({ workspace: world.workspace, ...options }, { tool, input: { path } });
}

test("a deny matches the path as written and where it leads", async () => {
  const rules = { deny: ["Read(./secrets/**)", "Read(./lib/**)"] };
  expect(await file("read_file", "secrets/key.txt", { rules })).toMatchObject({ behavior: "deny" });
  expect(await file("read_file", "src/innocent.txt", { rules })).toMatchObject({ behavior: "deny" });
  expect(await file("read_file", "lib/a.ts", { rules })).toMatchObject({ behavior: "deny" });
  expect(await file("read_file", "src/a.ts", { rules })).toMatchObject({ behavior: "allow" });
});

test("an allow has to hold for where a path leads", async () => {
  const rules = { allow: ["Edit(src/**)"] };
  expect(await file("edit_file", "src/a.ts", { rules })).toMatchObject({ behavior: "allow" });
  expect(await file("edit_file", "lib/a.ts", { rules })).toMatchObject({ behavior: "allow" });
  expect(await file("edit_file", "src/innocent.txt", { rules })).toMatchObject({ behavior: "ask" });
  expect(await file("edit_file", "docs/../src/new.ts", { rules })).toMatchObject({ behavior: "allow" });
  expect(await file("edit_file", "src/../docs/x", { rules })).toMatchObject({ behavior: "ask" });
});

test.each(["out/x", "../outside/x", "/etc/passwd", "out/new"])(
  "%s is out of reach and nobody is asked",
  async (path) => {
    for (const tool of ["read_file", "edit_file", "write_file", "list_dir"]) {
      expect(await file(tool, path, { mode: "acceptEdits", rules: { allow: ["Read", "Edit"] } })).toMatchObject({
        behavior: "deny",
      });
    }
  },
);

test("git's own files are protected through every tool, in every mode", async () => {
  for (const mode of ["default", "acceptEdits", "bypassPermissions"] as const) {
    const rules = { allow: ["Edit", "Bash"] };
    expect(await file("write_file", ".git/hooks/pre-commit", { mode, rules })).toMatchObject({ behavior: "deny" });
    expect(await file("write_file", ".GIT/config", { mode, rules })).toMatchObject({ behavior: "deny" });
    for (const command of ["echo x > .git/hooks/pre-commit", "cp src/a.ts .git/hooks/x", "cd .git && tee config"]) {
      expect(await decide({ workspace: world.workspace, mode, rules }, bash(command))).toMatchObject({
        behavior: "deny",
      });
    }
  }
});

test("secrets of the home directory are protected from commands, in every mode", async () => {
  for (const mode of ["default", "bypassPermissions"] as const) {
    for (const command of ["cat ~/.ssh/id_rsa", "cp ~/.aws/credentials x", "cat $HOME/.netrc", "tar c ~/.gnupg"]) {
      const options = { workspace: world.workspace, mode, rules: { allow: ["Bash", "Read"] } };
      expect(await decide(options, bash(command))).toMatchObject({ behavior: "deny" });
    }
  }
});

test("what needs approval is asked through every tool, unless a rule names it", async () => {
  const broad = { allow: ["Edit", "Read", "Bash", "Edit(**)", "Read(**)"] };
  for (const path of [".env", ".github/workflows/ci.yml", ".husky/pre-commit", "sub/.npmrc"]) {
    expect(await file("write_file", path, { rules: broad, mode: "acceptEdits" })).toMatchObject({ behavior: "ask" });
    const options = { workspace: world.workspace, rules: broad };
    expect(await decide(options, bash(`echo x > ${path}`))).toMatchObject({ behavior: "ask" });
    expect(await file("write_file", path, { rules: { allow: [`Edit(${path})`] } })).toMatchObject({
      behavior: "allow",
    });
  }
  expect(await file("read_file", ".env", { rules: broad })).toMatchObject({ behavior: "ask" });
  expect(await file("read_file", ".env", { rules: { allow: ["Read(.env*)"] } })).toMatchObject({ behavior: "allow" });
});

test("relative paths of commands start where the agent's shell stands", async () => {
  const { workspace, root } = world;
  workspace.shellDirectories.set({ transcriptId: "child", sessionId: "s" }, join(root, "secrets"));
  const rules = { allow: ["Bash(cat *)"], deny: ["Read(./secrets/**)"] };
  const checker = createPermissionChecker({ workspace, rules });
  const request = { ...bash("cat key.txt"), sessionId: "s" };
  expect(await checker.decide({ ...request, transcriptId: "child" })).toMatchObject({ behavior: "deny" });
  expect(await checker.decide({ ...request, transcriptId: "other" })).toMatchObject({
    behavior: "allow",
    provisional: true,
  });
  workspace.shellDirectories.endSession();
});

test("an approval that an earlier call of the message undoes is asked for again", async () => {
  const { workspace, root } = world;
  mkdirSync(join(root, "docs/deep"), { recursive: true });
  writeFileSync(join(root, "link.cjs"), 'require("node:fs").symlinkSync("../secrets/key.txt", "docs/link")');
  const rules = { allow: ["Bash(node link.cjs)", "Read(**)"], deny: ["Read(./secrets/**)"] };
  const engine = new AgentEngine({
    provider: scripted([
      [
        toolCall("bash", { command: "node link.cjs" }, { id: "link" }),
        toolCall("read_file", { path: "docs/link" }, { id: "read" }),
      ],
      text("Done."),
    ]),
    tools: builtinTools(workspace, { names: ["bash", "read_file"] }),
    permissions: createPermissionChecker({ workspace, rules, mode: "bypassPermissions" }),
  });
  const results = new Map<string, string>();
  engine.on("tool-call-end", ({ result }) => void results.set(result.toolCallId, result.status));

  await engine.run("Go.");
  await engine.close();
  unlinkSync(join(root, "docs/link"));

  expect(Object.fromEntries(results)).toEqual({ link: "success", read: "denied" });
});

test("a link that the line itself makes leads nowhere unseen", async () => {
  const { workspace, root } = world;
  symlinkSync("..", join(root, "docs/here"));
  const rules = { allow: ["Bash"], deny: ["Read(./secrets/**)"] };
  const decided = (command: string) => decide({ workspace, rules }, bash(command));
  for (const command of [
    "ln -s . s; cat s/secrets/key.txt",
    "/bin/ln -s $PWD s && cat s/secrets/key.txt",
    "cp -P docs/here s; cat s/secrets/key.txt",
    "ln -s . docs/s; head docs/s/../secrets/key.txt",
    "ln -s docs d; ln -s .. d/up; cat d/up/secrets/key.txt",
    "ln -sfn .. docs/guide.md; cat docs/guide.md/secrets/key.txt",
  ]) {
    expect([command, (await decided(command)).behavior]).toEqual([command, "ask"]);
  }
  expect(await decided("ln -s ../secrets/key.txt docs/link")).toMatchObject({ behavior: "deny" });
  for (const command of ["ln -s ../src/a.ts docs/g.ts && cat docs/g.ts", "ln -s . docs/s", "ln src/a.ts g && cat g"]) {
    expect([command, (await decided(command)).behavior]).toEqual([command, "allow"]);
  }
});

test("a link that the shell's wildcards would follow out of the workspace is seen", async () => {
  const { root } = world;
  symlinkSync("/etc", join(root, "docs/etc"));
  expect(await decide({ workspace: world.workspace }, bash("cat docs/*/passwd"))).toMatchObject({ behavior: "ask" });
  expect(await decide({ workspace: world.workspace }, bash("cat docs/etc/passw?"))).toMatchObject({ behavior: "ask" });
  unlinkSync(join(root, "docs/etc"));
});

test("without a workspace paths are judged from the process's directory, by their real place, and hidden ones ask", async () => {
  const inside = (path: string, tool = "edit_file") => decide({ mode: "acceptEdits" }, { tool, input: { path } });
  expect(await inside("src/x.ts")).toMatchObject({ behavior: "allow" });
  expect(await inside("../x.ts")).toMatchObject({ behavior: "deny" });
  expect(await inside(".npmrc")).toMatchObject({ behavior: "ask" });
  expect(await inside(".git/config")).toMatchObject({ behavior: "deny" });
  expect(await inside(".env", "read_file")).toMatchObject({ behavior: "ask" });
  expect(createPermissionChecker().decide({ tool: "read_file", input: { path: "src/x.ts" } })).toMatchObject({
    behavior: "allow",
  });
});

test("an allow rule for files outside means the same to the file tools and to commands", async () => {
  const { workspace, outside } = world;
  const rules = { allow: [`Read(/${outside}/**)`] };
  for (const request of [bash(`cat ${outside}/x`), { tool: "read_file", input: { path: `${outside}/x` } }]) {
    expect(await decide({ workspace, rules }, request)).toMatchObject({ behavior: "allow" });
    expect(await decide({ workspace }, request)).not.toMatchObject({ behavior: "allow" });
  }
});
