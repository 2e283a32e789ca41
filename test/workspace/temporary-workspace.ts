import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createWorkspace, type WorkspaceOptions } from "../../src/workspace/create-workspace.js";

/** A folder with `root` and `outside` in it and a workspace on `root`, all gone after the test. */
export async function temporaryWorkspace(options: Partial<WorkspaceOptions> = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), "workspace-test-")));
  const root = join(base, "root");
  const outside = join(base, "outside");
  await mkdir(root);
  await mkdir(outside);
  const workspace = await createWorkspace({ root, ...options });
  onTestFinished(async () => {
    await workspace.close();
    await rm(base, { recursive: true, force: true });
  });
  return { base, root, outside, workspace };
}
