import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/contracts/json.js";
import { AgentEngine } from "../../src/engine/engine.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";
import { builtinTools } from "../../src/tools/builtin-tools.js";
import { callTool } from "../tools/call-tool.js";
import { openWorkspace, temporaryDirectory } from "./temporary-workspace.js";

async function setUp(options: { outside?: "deny" | "ask"; writeRoots?: string[] } = {}) {
  const base = await temporaryDirectory();
  for (const name of ["root", "other", "other/sub", "write"]) await mkdir(join(base, name));
  await writeFile(join(base, "other/a.txt"), "needle\n");
  await symlink(join(base, "other/a.txt"), join(base, "root/link"));
  const workspace = await openWorkspace({ root: join(base, "root"), ...options });
  const tools = builtinTools(workspace);
  const tool = (name: string) => tools.find((each) => each.name === name)!;
  const behaviorOf = async (name: string, args: JsonObject, sessionId = "s") => {
    const each = tool(name);
    return (await each.checkPermission!(await each.parse!(args), { agentPath: [], sessionId })).behavior;
  };
  return { base, workspace, tool, behaviorOf };
}

test("further directories may be written, and nothing else", async () => {
  const { base, workspace, tool } = await setUp({ writeRoots: ["../write"] });

  await callTool(tool("write_file"), { path: join(base, "write/a.txt"), content: "x\n" });
  await callTool(tool("edit_file"), { path: "../write/a.txt", old_text: "x", new_text: "y" });

  expect(await readFile(join(base, "write/a.txt"), "utf8")).toBe("y\n");
  await expect(workspace.resolve("../other/a.txt", "read")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(workspace.resolve("../write/.git/config", "write")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  await expect(setUp({ writeRoots: ["../none"] })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test('with outside: "ask" every file tool asks for a path outside, also behind a link', async () => {
  const { base, workspace, behaviorOf } = await setUp({ outside: "ask" });
  const calls: [string, JsonObject][] = [
    ["read_file", { path: "../other/a.txt" }],
    ["read_file", { path: "link" }],
    ["write_file", { path: join(base, "other/b.txt"), content: "" }],
    ["edit_file", { path: "link", old_text: "a", new_text: "b" }],
    ["create_dir", { path: "../other/new" }],
    ["list_dir", { path: ".." }],
    ["grep", { pattern: "needle", path: "../other" }],
    ["glob", { pattern: "*", path: "../other" }],
    ["glob", { pattern: "../other/*.txt" }],
    ["glob", { pattern: `${base}/other/**` }],
  ];

  for (const [name, args] of calls) expect(await behaviorOf(name, args), JSON.stringify([name, args])).toBe("ask");

  workspace.addDirectories!("s", [join(base, "other"), base]);
  for (const [name, args] of calls) expect(await behaviorOf(name, args), name).toBe("passthrough");
  expect(await behaviorOf("read_file", { path: "../other/a.txt" }, "another session")).toBe("ask");
  expect(await behaviorOf("write_file", { path: "../other/.bashrc", content: "" })).toBe("ask");
  workspace.fileState.endSession("s");
  expect(await behaviorOf("read_file", { path: "../other/a.txt" })).toBe("ask");
});

test('with outside: "ask" secrets and devices stay refused, and searches and commands stay inside', async () => {
  const { base, workspace, tool } = await setUp({ outside: "ask" });

  for (const path of ["~/.ssh/id_rsa", "/proc/self/environ", "/dev/null", "../other/id_rsa"]) {
    await expect(workspace.resolve(path, "read"), path).rejects.toMatchObject({
      code: expect.stringMatching(/^PATH_/),
    });
  }
  expect((await callTool(tool("grep"), { pattern: "needle" })).text).toBe('Nothing matches "needle" in ".".');
  expect((await callTool(tool("bash"), { command: "cd ../other; pwd" })).text).toMatch(/outside the workspace/);
  expect((await callTool(tool("bash"), { command: "pwd" })).text.trim()).toBe(join(base, "root"));
});

test("a search outside that was approved shows what it finds, but for files that have to be named", async () => {
  const { base, tool } = await setUp({ outside: "ask" });
  await writeFile(join(base, "other/.env"), "needle=1\n");

  const answer = await callTool(tool("grep"), { pattern: "needle", path: "../other" });

  expect(answer.text).toContain("a.txt");
  expect(answer.text).not.toContain("needle=1");
});

test("an answer that adds a directory opens it to the session: to file tools, commands and the gate", async () => {
  const { base, workspace, tool, behaviorOf } = await setUp({ outside: "ask" });
  const permissions = createPermissionChecker({ workspace, rules: { allow: ["read_file", "bash(cat *)"] } });
  const [path, directories] = [join(base, "other/a.txt"), ["../other"]];
  const decided = async (name: string, input: JsonObject, sessionId = "s") =>
    (await permissions.decide({ tool: tool(name), input, sessionId })).behavior;
  const calls: [string, JsonObject][] = [
    ["read_file", { path }],
    ["bash", { command: `cat ${path}` }],
  ];
  for (const [name, input] of calls) expect(await decided(name, input), name).toBe("ask");

  permissions.remember([{ type: "addDirectories", directories, destination: "session" }], { sessionId: "s" });

  for (const [name, input] of calls) expect(await decided(name, input), name).toBe("allow");
  for (const [name, input] of calls) expect(await decided(name, input, "another"), name).toBe("ask");
  expect(await behaviorOf("write_file", { path, content: "" })).toBe("passthrough");
  // Commands still start inside.
  await callTool(tool("bash"), { command: "cd ../other" }, { sessionId: "s" });
  expect((await callTool(tool("bash"), { command: "pwd" }, { sessionId: "s" })).text.trim()).toBe(join(base, "root"));

  permissions.remember([{ type: "removeDirectories", directories, destination: "session" }], { sessionId: "s" });
  for (const [name, input] of calls) expect(await decided(name, input), name).toBe("ask");
  for (const wrong of ["../other", [7], [""]]) {
    const update = { type: "addDirectories", directories: wrong as never, destination: "session" } as const;
    expect(() => permissions.remember([update], { sessionId: "s" })).toThrow(/list of directories/);
  }
});

test("an approver's answer that adds a directory lets the next calls of the session read there", async () => {
  const { base, workspace } = await setUp({ outside: "ask" });
  const asked: string[] = [];
  const read = (id: string) => toolCall("read_file", { path: join(base, "other/a.txt") }, { id });
  const engine = new AgentEngine({
    provider: scripted([read("1"), read("2"), "Done.", read("3"), "Done."]),
    tools: builtinTools(workspace),
    permissions: createPermissionChecker({ workspace }),
    approver: ({ sessionId }) => {
      asked.push(sessionId);
      const update = { type: "addDirectories", directories: [join(base, "other")], destination: "session" } as const;
      return { decision: "allow", remember: [update] };
    },
  });

  await engine.run("go", { sessionId: "one" });
  await engine.run("go", { sessionId: "two" });

  expect(asked).toEqual(["one", "two"]);
});

test.each([
  ["read_file", {}],
  ["write_file", { content: "x" }],
  ["edit_file", { old_text: "needle", new_text: "x" }],
  ["create_dir", {}],
  ["list_dir", {}],
  ["grep", { pattern: "needle" }],
  ["glob", { pattern: "*" }],
])("%s does nothing when a link is pointed elsewhere between the question and the call", async (name, args) => {
  const { base, workspace, behaviorOf, tool } = await setUp({ outside: "ask" });
  const path = ["list_dir", "glob", "create_dir"].includes(name) ? "way" : "way/a.txt";
  const link = join(base, "root/way");
  await symlink(join(base, "other"), link);
  await mkdir(join(base, "elsewhere"));
  await writeFile(join(base, "elsewhere/a.txt"), "needle elsewhere\n");

  const before = await workspace.needsApproval(path, "read", "s");
  expect(await behaviorOf(name, { path, ...args })).toBe("ask");
  await rm(link);
  await symlink(join(base, "elsewhere"), link);

  await expect(callTool(tool(name), { path, ...args }, { sessionId: "s" })).rejects.toMatchObject({
    code: "PERMISSION_ASK",
  });
  expect(await workspace.needsApproval(path, "read", "s")).not.toBe(before);
  expect(await behaviorOf(name, { path, ...args })).toBe("ask");
  await callTool(tool("read_file"), { path: "way/a.txt" }, { sessionId: "s" }).catch(() => {});
  expect(await readFile(join(base, "elsewhere/a.txt"), "utf8")).toBe("needle elsewhere\n");
});

test("a link that is pointed out of the roots after it needed no approval is not followed", async () => {
  const { base, behaviorOf, tool } = await setUp({ outside: "ask" });
  await writeFile(join(base, "root/plain.txt"), "plain\n");
  await symlink("plain.txt", join(base, "root/alias"));

  expect(await behaviorOf("read_file", { path: "alias" })).toBe("passthrough");
  await rm(join(base, "root/alias"));
  await symlink(join(base, "other/a.txt"), join(base, "root/alias"));

  await expect(callTool(tool("read_file"), { path: "alias" }, { sessionId: "s" })).rejects.toMatchObject({
    code: "PERMISSION_ASK",
  });
});
