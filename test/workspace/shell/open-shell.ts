import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandOutcome, CommandRequest } from "../../../src/contracts/workspace.js";
import { createLocalShell, type LocalShellOptions } from "../../../src/workspace/shell/local-shell.js";

/** A local shell in a temporary directory, closed after the test. */
export async function openShell(options: Partial<LocalShellOptions> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "loopwright-test-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  // Everything a command of this test starts carries this value, whatever becomes of its parent.
  const mark = `mark-${Math.random()}`;
  const shell = createLocalShell({ root, ...options, env: { ...options.env, TEST_MARK: mark } });
  onTestFinished(() => shell.close());

  async function run(
    command: string,
    request: Partial<CommandRequest> = {},
  ): Promise<CommandOutcome & { output: string }> {
    const chunks: Uint8Array[] = [];
    const outcome = await shell.run({ command, onOutput: (chunk) => chunks.push(chunk), ...request });
    return { ...outcome, output: Buffer.concat(chunks).toString() };
  }
  return { root, shell, run, survivors: () => processesWith(mark) };
}

/** The ids of the processes with a string in their environment. */
export function processesWith(mark: string): string[] {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}
