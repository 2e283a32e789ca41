import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/contracts/errors.js";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { Workspace } from "../../../src/contracts/workspace.js";
import { builtinTools } from "../../../src/tools/builtin-tools.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

const INPUTS: Readonly<Record<string, JsonValue>> = {
  read_file: {},
  list_dir: {},
  create_dir: {},
  write_file: { content: "x" },
  edit_file: { old_text: "a", new_text: "b" },
  glob: { pattern: "*" },
  grep: { pattern: "x" },
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error) => (isHarnessError(error) ? error.code : String(error)),
  );
}

test("a path of two thousand missing directories is reported by every file tool, and costs few lookups", async () => {
  const { workspace } = await temporaryWorkspace();
  let lookups = 0;
  const counted: Workspace = {
    ...workspace,
    files: {
      ...workspace.files,
      stat(path) {
        lookups++;
        return workspace.files.stat(path);
      },
    },
  };
  const path = `${"a/".repeat(1_990)}x.txt`;
  for (const name of ["read_file", "list_dir", "edit_file", "glob", "grep"]) {
    const [tool] = builtinTools(counted, { names: [name as "read_file"] });
    lookups = 0;
    expect(await codeOf(callTool(tool!, { path, ...(INPUTS[name] as object) })), name).toBe("PATH_NOT_FOUND");
    expect(lookups, name).toBeLessThan(25);
  }
});

test("create_dir and write_file create hundreds of missing directories", async () => {
  const { root, workspace } = await temporaryWorkspace();
  const [createDir, writeFile] = builtinTools(workspace, { names: ["create_dir", "write_file"] });

  await callTool(createDir!, { path: "a/".repeat(400) });
  await callTool(writeFile!, { path: `${"b/".repeat(400)}x.txt`, content: "x" });

  await access(join(root, "a/".repeat(400)));
  await access(join(root, `${"b/".repeat(400)}x.txt`));
});

test("a path longer than any the system takes is refused before it is followed", async () => {
  const { workspace } = await temporaryWorkspace();
  for (const path of ["a/".repeat(3_000), "a/../".repeat(10_000), "é".repeat(3_000), "x".repeat(5_000_000)]) {
    for (const [name, rest] of Object.entries(INPUTS)) {
      const [tool] = builtinTools(workspace, { names: [name as "read_file"] });
      expect(await codeOf(callTool(tool!, { path, ...(rest as object) })), name).toBe("PATH_INVALID");
    }
    expect(await workspace.needsApproval(path, "write")).toBeNull();
  }
});
