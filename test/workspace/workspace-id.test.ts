import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryWorkspace } from "../../src/testing/index.js";
import { createMachineWorkspace, createWorkspace, localMachine } from "../../src/workspace/index.js";

function directory(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "workspace-id-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test("a directory has one id, whatever happens in it, until it is made again", async () => {
  const root = directory();
  const idOf = async (of = root) => {
    const workspace = await createWorkspace({ root: of });
    await workspace.close();
    return workspace.id;
  };
  const id = await idOf();
  writeFileSync(join(root, "a.txt"), "one");
  mkdirSync(join(root, "b"));
  expect(await idOf()).toBe(id);
  expect(id).toContain(`disk:${root}#`);
  expect(await idOf(join(root, "b"))).not.toBe(id);

  rmSync(root, { recursive: true });
  mkdirSync(root);
  expect(await idOf()).not.toBe(id);
});

test("a machine's is its own, or its name, with the root; files in memory have none", async () => {
  const root = directory();
  const idOf = async (id?: () => Promise<string>) => {
    const machine = { ...localMachine({ name: "here" }), ...(id && { id }) };
    const workspace = await createMachineWorkspace({ machine, root });
    await workspace.close();
    return workspace.id;
  };
  expect(await idOf()).toBe(`here:${root}`);
  expect(await idOf(async () => "docker:3f2a")).toBe(`docker:3f2a:${root}`);
  expect((await createMemoryWorkspace()).id).toBeUndefined();
});
