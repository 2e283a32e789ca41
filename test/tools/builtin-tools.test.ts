import { expect, test } from "vitest";
import { type BuiltinToolName, builtinTools } from "../../src/tools/builtin-tools.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

const FILES = ["read_file", "write_file", "edit_file", "glob", "grep", "list_dir", "create_dir"];
const REST = ["bash", "bash_output", "bash_kill", "todo_write", "ask_user"];

test("all tools reach default, some by name or permission", async () => {
  const { workspace } = await temporaryWorkspace();
  const names = (options?: Parameters<typeof builtinTools>[1]) =>
    builtinTools(workspace, options).map(({ name }) => name);

  expect(names().sort()).toEqual([...FILES, ...REST].sort());
  expect(names({ names: ["bash", "read_file"] })).toEqual(["bash", "read_file"]);
  expect(names({ permissions: ["read_only"] })).toEqual(["read_file", "glob", "grep", "list_dir"]);
});

test("the tools that reach the network come only when they are asked for", async () => {
  const { workspace } = await temporaryWorkspace();
  const names = (options: Parameters<typeof builtinTools>[1]) =>
    builtinTools(workspace, { permissions: ["execute"], ...options }).map(({ name }) => name);
  const webSearch = { search: () => [] };

  expect(names({})).not.toContain("web_fetch");
  expect(names({ webFetch: {} }).slice(-1)).toEqual(["web_fetch"]);
  expect(names({ webFetch: { allowHosts: ["example.com"] }, webSearch }).slice(-2)).toEqual([
    "web_fetch",
    "web_search",
  ]);
  expect(names({ names: ["web_fetch"] })).toEqual(["web_fetch"]);
  expect(() => names({ names: ["web_search"] })).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});

test("a permission there is none of is an error at once", async () => {
  const { workspace } = await temporaryWorkspace();

  expect(() => builtinTools(workspace, { permissions: ["readonly" as never] })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});

test("a name no tool has is an error at once", async () => {
  const { workspace } = await temporaryWorkspace();

  for (const name of ["nope", "toString"]) {
    expect(() => builtinTools(workspace, { names: [name as BuiltinToolName] })).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID" }),
    );
  }
});

test("every tool can be shown to a model", async () => {
  const { workspace } = await temporaryWorkspace();

  for (const tool of builtinTools(workspace)) {
    await tool.ready?.();
    expect(tool.definition()).toMatchObject({ name: tool.name, inputSchema: { type: "object" } });
  }
});
