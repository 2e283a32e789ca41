// Rules that name places outside the workspace: `Edit(//tmp/**)`.
import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace, type Workspace } from "../../src/workspace/index.js";
import { bash, project } from "./kit.js";

let world: Awaited<ReturnType<typeof project>>;
let workspace: Workspace;
let place: string;

beforeEach(async () => {
  world = await project();
  place = world.outside;
});
afterEach(async () => {
  await workspace?.close();
  await world.close();
});

async function open(outside: "deny" | "ask"): Promise<void> {
  workspace = await createWorkspace({ root: world.root, outside });
}

/** `OUT` is the directory outside. */
const spelled = (line: string) => line.replaceAll("OUT", place);
const rulesOf = (...rules: string[]) => rules.map(spelled);
const tool = (name: string) => builtinTools(workspace).find((each) => each.name === name)!;

async function decided(options: PermissionCheckerOptions, command: string) {
  const checker = createPermissionChecker({ workspace, ...options });
  return (await checker.decide(bash(spelled(command)))).behavior;
}

describe.each(["deny", "ask"] as const)("in a workspace with outside: %j", (outside) => {
  beforeEach(() => open(outside));

  test.each([
    "echo x > OUT/x.log",
    "npm test > OUT/x.log 2>&1",
    "cp README.md OUT/b",
    "ls | tee OUT/x",
    "mkdir -p OUT/d/e",
    "touch OUT/new",
    "sed -i s/a/b/ OUT/x",
    "echo x > out/link",
    "tar cf OUT/x.tar src",
    "rm OUT/x",
  ])("a rule that names the place lets %s write there", async (command) => {
    const allow = ["Bash(npm test)", "Bash(tar:*)", "Bash(rm:*)"];

    expect(await decided({ rules: { allow } }, command)).toBe("ask");
    expect(await decided({ rules: { allow: [...allow, "Edit"] } }, command)).toBe("ask");
    expect(await decided({ rules: { allow }, mode: "acceptEdits" }, command)).toBe("ask");
    expect(await decided({ rules: { allow: [...allow, ...rulesOf("Edit(/OUT/**)")] } }, command)).toBe("allow");
  });

  test.each([
    ["echo x > OUT/../beside", "Edit(/OUT/**)"],
    ["echo x > OUT/away/x", "Edit(/OUT/**)"],
    ["echo x > OUT/.env", "Edit(/OUT/**)"],
    ["cat OUT/.env", "Read(/OUT/**)"],
    ["rm OUT/x", "Edit(/OUT/**)"],
    ["cp OUT/x README.md", "Edit(/OUT/**)"],
    ["cat OUT/x", "Edit(/OUT/**)"],
    ["echo x > OUT/x", "Read(/OUT/**)"],
  ])("%s still asks under %s", async (command, rule) => {
    symlinkSync(dirname(place), join(place, "away"));
    writeFileSync(join(place, ".env"), "A=1\n");

    expect(await decided({ rules: { allow: rulesOf(rule) } }, command)).toBe("ask");
  });

  test("a deny rule and what is protected stay stronger", async () => {
    const rules = { allow: rulesOf("Edit(/OUT/**)", "Read(/OUT/**)"), deny: rulesOf("Edit(/OUT/keep/**)") };

    expect(await decided({ rules }, "echo x > OUT/keep/x")).toBe("deny");
    expect(await decided({ rules }, "cat OUT/.ssh/id_rsa")).toBe("deny");
    expect(await decided({ rules }, "echo x > OUT/x")).toBe("allow");
  });

  test("the reason names the rule for the files, and a suggestion spells the file", async () => {
    const allow = rulesOf("Edit(/OUT/**)");
    const line = bash(spelled("echo x > OUT/x.log"));

    expect(await createPermissionChecker({ workspace, rules: { allow } }).decide(line)).toMatchObject({
      reason: `The rule "${allow[0]}" allows it.`,
      rule: { rule: allow[0] },
    });
    const { suggestions } = await createPermissionChecker({ workspace }).decide(line);
    expect(suggestions).toMatchObject([{ rules: rulesOf("edit_file(/OUT/x.log)") }]);
    const tee = await createPermissionChecker({ workspace }).decide(bash(spelled("ls | tee OUT/x.log")));
    expect(tee.suggestions).toMatchObject([{ rules: rulesOf("edit_file(/OUT/x.log)") }]);
  });

  test("the file tools do there what the rules let them, and no more", async () => {
    symlinkSync(dirname(place), join(place, "away"));
    const provider = scripted([
      toolCall("write_file", { path: join(place, "new.txt"), content: "made\n" }),
      toolCall("read_file", { path: join(place, "x") }),
      toolCall("edit_file", { path: join(place, "x"), old_text: "content", new_text: "changed" }),
      toolCall("grep", { pattern: "made", path: place }),
      toolCall("glob", { pattern: "*.txt", path: place }),
      toolCall("write_file", { path: join(place, "away/stray.txt"), content: "stray\n" }),
      toolCall("write_file", { path: join(dirname(place), "stray.txt"), content: "stray\n" }),
      text("done"),
    ]);
    const permissions = createPermissionChecker({
      workspace,
      mode: "dontAsk",
      rules: { allow: rulesOf("Read(/OUT/**)", "Edit(/OUT/**)") },
    });
    const engine = new AgentEngine({ provider, tools: builtinTools(workspace), permissions });

    expect(await engine.run("go")).toMatchObject({ status: "completed" });
    const parts = provider.requests
      .at(-1)!
      .messages.flatMap(({ content }): readonly { readonly type: string }[] => content);
    const texts = parts.flatMap((part) => (part.type === "tool-result" ? JSON.stringify(part) : []));
    expect(texts.map((each) => each.includes('"isError":true'))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(readFileSync(join(place, "new.txt"), "utf8")).toBe("made\n");
    expect(readFileSync(join(place, "x"), "utf8")).toBe("changed\n");
    expect(texts[3]).toContain("new.txt");
    expect(texts[4]).toContain("new.txt");
    expect(existsSync(join(dirname(place), "stray.txt"))).toBe(false);
    await engine.close();
  });
});

test("a directory that becomes a link after the decision leads nowhere", async () => {
  await open("deny");
  mkdirSync(join(place, "d"));
  const path = join(place, "d/new.txt");
  const checker = createPermissionChecker({ workspace, rules: { allow: rulesOf("Edit(/OUT/**)") } });
  expect((await checker.decide({ tool: tool("write_file"), input: { path, content: "x" } })).behavior).toBe("allow");

  rmdirSync(join(place, "d"));
  symlinkSync(dirname(world.root), join(place, "d"));

  await expect(workspace.files.write(path, new Uint8Array())).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
});

test("settings that block writing outside are stronger than a rule that names a place", async () => {
  await open("deny");
  const allow = rulesOf("Edit(/OUT/**)", "Read(/OUT/**)");
  const checker = createPermissionChecker({
    workspace,
    sources: [{ source: "policy", allow, blockWritesOutside: true }],
  });

  expect((await checker.decide(bash(spelled("echo x > OUT/x")))).behavior).toBe("deny");
  const input = { path: join(place, "x"), content: "" };
  expect((await checker.decide({ tool: tool("write_file"), input })).behavior).toBe("deny");
  await expect(workspace.files.write(join(place, "x"), new Uint8Array())).rejects.toMatchObject({
    code: "PATH_OUTSIDE",
  });
  expect((await checker.decide(bash(spelled("cat OUT/x")))).behavior).toBe("allow");
});

test("a place that no rule names is refused as before", async () => {
  await open("deny");
  createPermissionChecker({ workspace, rules: { allow: ["Edit", "Read", ...rulesOf("Edit(/OUT/d/**)")] } });

  await expect(workspace.files.write(join(place, "x"), new Uint8Array())).rejects.toMatchObject({
    code: "PATH_OUTSIDE",
  });
  await expect(workspace.files.read(join(place, "d/x"))).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await workspace.files.write(join(place, "d/x"), new TextEncoder().encode("y"));
  expect(readFileSync(join(place, "d/x"), "utf8")).toBe("y");
});
