// The tool `memory` over a directory of a workspace: its commands, what it refuses, and the gate.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/contracts/json.js";
import { AgentEngine } from "../../src/engine/engine.js";
import { createMemoryTool } from "../../src/memory/memory-tool.js";
import { createPermissionChecker } from "../../src/permissions/checker.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createWorkspace } from "../../src/workspace/create-workspace.js";
import { builtPrograms } from "../docs/built-programs.js";
import { programsOf, readPage } from "../docs/pages.js";
import { temporaryDirectory } from "../sessions/kit.js";

async function played(
  calls: readonly JsonObject[],
  options: object = {},
  root = temporaryDirectory(),
  place: { directory?: string } = {},
) {
  const workspace = await createWorkspace({ root });
  const provider = scripted([...calls.map((call) => toolCall("memory", call)), text("Done.")]);
  const permissions = createPermissionChecker({ workspace, rules: { allow: ["memory"] }, ...options });
  const engine = new AgentEngine({ provider, tools: [createMemoryTool({ workspace, ...place })], permissions });
  await engine.run("Go.");
  const results = provider.requests.slice(1).map(({ lastToolResult }) => lastToolResult!);
  return { root, results, outputs: results.map(({ output }) => String(output)) };
}

test("a model keeps files from one session to the next, in the vendor's commands", async () => {
  const { root, outputs } = await played([
    { command: "view", path: "/memories" },
    { command: "create", path: "/memories/notes/a.md", file_text: "one\ntwo\n" },
    { command: "str_replace", path: "/memories/notes/a.md", old_str: "two", new_str: "$& three" },
    { command: "insert", path: "/memories/notes/a.md", insert_line: 0, insert_text: "zero\n" },
    { command: "view", path: "/memories/notes/a.md", view_range: [2, -1] },
    { command: "rename", old_path: "/memories/notes", new_path: "/memories/kept" },
    { command: "view" },
    { command: "delete", path: "/memories/kept" },
    { command: "view", path: "/memories" },
  ]);

  expect(outputs).toEqual([
    'Nothing is in "/memories".',
    '"/memories/notes/a.md" is written.',
    '"/memories/notes/a.md" is changed.',
    '"/memories/notes/a.md" is changed.',
    "2\tone\n3\t$& three\n4\t",
    '"/memories/notes" is "/memories/kept" now.',
    'In "/memories":\nkept/a.md',
    '"/memories/kept" is gone.',
    'Nothing is in "/memories".',
  ]);
  const later = await played([{ command: "create", path: "/memories/b.md", file_text: "b" }], {}, root);
  expect(readFileSync(join(later.root, "memories/b.md"), "utf8")).toBe("b");
});

const { code: guide } = programsOf(readPage("docs/guides/use-what-vendors-keep.md")).find(({ code }) =>
  code.includes("createMemoryTool"),
)!;

test.each([/directory: "([^"]+)"/.exec(guide)![1]!, "./memories", "./.a/..b/c d/"])(
  "the directory may be %j",
  async (directory) => {
    const { root, results, outputs } = await played(
      [
        { command: "create", path: "/memories/a.md", file_text: "a" },
        { command: "view", path: "/memories/" },
      ],
      {},
      undefined,
      { directory },
    );

    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(outputs[1]).toBe('In "/memories/":\na.md');
    expect(readFileSync(join(root, directory, "a.md"), "utf8")).toBe("a");
  },
);

test.each(["", ".", "./", "..", "../a", "a/../..", "a/./b", "a//b", "/a", "a/.. /b", "a\\b"])(
  "the directory is not %j",
  async (directory) => {
    await expect(played([], {}, undefined, { directory })).rejects.toThrow('Option "directory"');
  },
);

test("the guide's program starts", async () => {
  const built = await builtPrograms([guide]);
  vi.stubEnv("ANTHROPIC_API_KEY", "k");
  const { engine } = await import(join(built, "0.mjs"));
  rmSync(built, { recursive: true, force: true });

  expect(engine).toHaveProperty("run");
});

test.each([
  [{ command: "view", path: "/etc/passwd" }, "is not below /memories"],
  [{ command: "view", path: "/memories/../secret" }, "is not below /memories"],
  [{ command: "create", path: "/memoriesx/a", file_text: "" }, "is not below /memories"],
  [{ command: "create", path: "/memories/a\\b", file_text: "" }, "is not below /memories"],
  [{ command: "delete", path: "/memories" }, "itself stays"],
  [{ command: "delete", path: "/memories/none" }, "There is nothing at"],
  [{ command: "create", path: "/memories/a" }, 'needs "file_text"'],
  [{ command: "str_replace", path: "/memories/have", old_str: "a", new_str: "" }, "2 times"],
  [{ command: "insert", path: "/memories/have", insert_line: 9, insert_text: "x" }, "from 0 to 1"],
  [{ command: "rename", old_path: "/memories/have", new_path: "/memories/have/x" }, "into itself"],
  [{ command: "rename", old_path: "/memories/have/", new_path: "/memories/have/x/" }, "into itself"],
  [{ command: "view", path: "/memories/none" }, "There is nothing at"],
  [{ command: "view", path: "/memories/have", view_range: [2, 3] }, "from 1 to 1"],
  [{ command: "delete", path: "/memories/" }, "itself stays"],
  [{ command: "view", path: "/memories/link/secret" }, "leads out of the workspace"],
  [{ command: "create", path: "/memories/link/new", file_text: "x" }, "leads out of the workspace"],
])("%j is refused", async (call, why) => {
  const root = temporaryDirectory();
  const outside = temporaryDirectory();
  writeFileSync(join(outside, "secret"), "s");
  mkdirSync(join(root, "memories"));
  writeFileSync(join(root, "memories/have"), "aa");
  symlinkSync(outside, join(root, "memories/link"));

  const { results, outputs } = await played([call], {}, root);

  expect(results[0]!.isError).toBe(true);
  expect(outputs[0]).toContain(why);
});

test("a link in the directory leads nowhere, and nothing that holds one is taken away", async () => {
  const root = temporaryDirectory();
  for (const directory of ["memories/own", "src"]) mkdirSync(join(root, directory), { recursive: true });
  for (const file of ["src/a.ts", "memories/own/a.md", "memories/own/b.md"]) writeFileSync(join(root, file), "kept");
  symlinkSync("../src", join(root, "memories/out"));
  symlinkSync("../src/a.ts", join(root, "memories/a.md"));
  symlinkSync("../../src", join(root, "memories/own/out"));

  const { results } = await played(
    [
      { command: "view", path: "/memories/a.md" },
      { command: "view", path: "/memories/out" },
      { command: "create", path: "/memories/a.md", file_text: "changed" },
      { command: "create", path: "/memories/out/b.ts", file_text: "new" },
      { command: "str_replace", path: "/memories/out/a.ts", old_str: "kept", new_str: "changed" },
      { command: "delete", path: "/memories/out" },
      { command: "delete", path: "/memories/own" },
      { command: "rename", old_path: "/memories/own", new_path: "/memories/other" },
      { command: "rename", old_path: "/memories/own/a.md", new_path: "/memories/out/a.md" },
    ],
    {},
    root,
  );

  for (const { isError, output } of results)
    expect([isError, String(output)]).toEqual([true, expect.stringContaining("link")]);
  expect(readdirSync(join(root, "src"))).toEqual(["a.ts"]);
  expect(readdirSync(join(root, "memories")).sort()).toEqual(["a.md", "out", "own"]);
  expect(readdirSync(join(root, "memories/own")).sort()).toEqual(["a.md", "b.md", "out"]);
  for (const file of ["src/a.ts", "memories/own/a.md"]) expect(readFileSync(join(root, file), "utf8")).toBe("kept");
});

test("to look is allowed, to change asks, and plan changes nothing", async () => {
  const calls: JsonObject[] = [{ command: "view" }, { command: "create", path: "/memories/a", file_text: "x" }];
  const asked = await played(calls, { rules: {}, mode: "dontAsk" });
  const planned = await played(calls.slice(1), { mode: "plan" });

  expect(asked.results.map(({ isError }) => isError)).toEqual([false, true]);
  expect(planned.results[0]!.isError).toBe(true);
});
