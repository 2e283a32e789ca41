import { expect, test } from "vitest";
import { type BuiltinToolName, builtinTools } from "../../src/tools/builtin-tools.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

test("all tools come by default, some by name or permission", async () => {
  const { workspace } = await temporaryWorkspace();
  const names = (options?: Parameters<typeof builtinTools>[1]) =>
    builtinTools(workspace, options).map(({ name }) => name);

  expect(names()).toEqual(["read_file", "write_file", "edit_file", "bash", "glob", "grep"]);
  expect(names({ names: ["bash", "read_file"] })).toEqual(["bash", "read_file"]);
  expect(names({ permissions: ["read_only"] })).toEqual(["read_file", "glob", "grep"]);
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
