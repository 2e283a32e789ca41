import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Workspace } from "../../../src/contracts/workspace.js";
import { createMachineWorkspace, type Machine, type MachineWorkspaceOptions } from "../../../src/workspace/index.js";
import { processesWith } from "../shell/open-shell.js";

/** A directory that the machine has at the same path. */
export async function sharedDirectory(parent = tmpdir()): Promise<string> {
  const directory = await realpath(await mkdtemp(join(parent, "machine-test-")));
  await chmod(directory, 0o777);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens a workspace over a machine, closed after the test. */
export async function openMachine(
  machine: Machine,
  options: Omit<MachineWorkspaceOptions, "machine">,
): Promise<Workspace> {
  const workspace = await createMachineWorkspace({ machine, ...options });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** The shell of a workspace over a machine, for the suite of shells. */
export function machineShells(open: () => Machine, parent?: string) {
  return async ({ env = {} }: { readonly env?: Readonly<Record<string, string>> | undefined } = {}) => {
    const root = await sharedDirectory(parent);
    const mark = `mark-${randomBytes(8).toString("hex")}`;
    const { shell, close } = await openMachine(open(), { root, env: { ...env, TEST_MARK: mark } });
    async function run(command: string, request: Partial<Parameters<typeof shell.run>[0]> = {}) {
      const chunks: Uint8Array[] = [];
      const outcome = await shell.run({ command, onOutput: (chunk) => chunks.push(chunk), ...request });
      return { ...outcome, output: Buffer.concat(chunks).toString() };
    }
    return { root, shell: { ...shell, close }, run, survivors: () => processesWith(mark) };
  };
}
