import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createWorkspace, type WorkspaceOptions } from "../../src/workspace/create-workspace.js";

/** A temporary directory, by its real path, removed after the test. For thousands of files it may be in memory. */
export async function temporaryDirectory({ forThousands = false } = {}): Promise<string> {
  const parent = forThousands ? process.env.TEST_MEMORY : undefined;
  const directory = await realpath(await mkdtemp(join(parent ?? tmpdir(), "workspace-test-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A workspace that is closed after the test. */
export async function openWorkspace(options: WorkspaceOptions) {
  const workspace = await createWorkspace(options);
  onTestFinished(() => workspace.close());
  return workspace;
}

/** A directory with `root` and `outside` in it and a workspace on `root`, all gone after the test. */
export async function temporaryWorkspace(options: Partial<WorkspaceOptions> = {}) {
  const base = await temporaryDirectory();
  const root = join(base, "root");
  const outside = join(base, "outside");
  await mkdir(root);
  await mkdir(outside);
  const workspace = await openWorkspace({ root, ...options });
  return { base, root, outside, workspace };
}
