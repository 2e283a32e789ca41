import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { GIT_TIMEOUT_MS, gitVariables, MAX_OUTPUT_BYTES, PLAIN } from "./git.js";
import type { GitOutcome, TreePlace } from "./tree-place.js";

/** Git commands that write what two of them must not write at once. */
const CHANGING = new Set(["worktree", "apply"]);

/** Work trees on the machine of a workspace, in the home directory there. @throws ToolError `TOOL_FAILED` for a workspace that cannot be opened in another directory */
export function machinePlace(workspace: Workspace): TreePlace {
  const { id, homes: [home] = [], inDirectory } = workspace;
  const name = quoteName(workspace.root);
  if (!inDirectory || id === undefined || home === undefined) {
    const why = inDirectory
      ? "its commands have no home directory to keep them in"
      : `${name} is not a directory of this machine's disk, nor of a machine with a shell`;
    throw new ToolError("TOOL_FAILED", {
      message: `There are no work trees in this workspace: ${why}. Leave out isolation: the sub-agent works in the workspace itself.`,
    });
  }
  const dir = posix.join(home, ".loopwright", "worktrees");

  async function run(command: string, env: Record<string, string> = {}): Promise<GitOutcome> {
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    const keep = (chunks: Buffer[]) => (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) throw new Error(`A git command has said more than ${MAX_OUTPUT_BYTES} bytes.`);
      chunks.push(Buffer.from(chunk));
    };
    const request = { command, env, timeoutMs: GIT_TIMEOUT_MS, onOutput: keep(out), onError: keep(errors) };
    const { exitCode, timedOut } = await workspace.shell.run(request);
    if (exitCode === null || timedOut) throw new Error(`A git command did not end on the machine of ${name}.`);
    return { exitCode, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString("utf8") };
  }
  const gitLine = (args: readonly string[]) => ["git", ...PLAIN, ...args].map(quotedForShell).join(" ");
  const done = async (command: string) => void (await run(command));

  return {
    machine: id,
    where: " on its machine, or git is not installed there",
    dir,
    paths: posix,
    async git(at, args, options = {}) {
      const line = gitLine(args);
      // Where there is `flock`, one process at a time changes the repository.
      const locked = `l=$(git rev-parse --git-common-dir 2>/dev/null)/loopwright-worktrees.lock; if [ -n "\${l%%/loop*}" ] && command -v flock >/dev/null; then flock "$l" ${line}; else ${line}; fi`;
      // The workspace starts commands in its own directories alone.
      const command = `cd -- ${quotedForShell(at)} && { ${CHANGING.has(args[0] ?? "") ? locked : line}; }`;
      const variables = gitVariables(at, options);
      if (!options.input) return run(command, variables);
      const input = posix.join(dir, `${randomUUID()}.input`);
      const inDir = await inDirectory(dir);
      try {
        await inDir.files.write(input, options.input, { mode: 0o600 });
        return await run(`{ ${command}; } < ${quotedForShell(input)}`, variables);
      } finally {
        await inDir.files.remove?.(input).catch(() => {});
        await inDir.close();
      }
    },
    exists: async (at) => (await run(`[ -e ${quotedForShell(at)} ]`)).exitCode === 0,
    makeDirectory: (at) => done(`mkdir -p -m 700 -- ${quotedForShell(at)}`),
    copy: (from, to) => done(`cp -- ${quotedForShell(from)} ${quotedForShell(to)} 2>/dev/null`),
    remove: (at) => done(`rm -rf -- ${quotedForShell(at)}`),
    removeTree: (repository, at) =>
      done(
        `cd -- ${quotedForShell(repository)} && { rm -rf -- ${quotedForShell(at)}; ${gitLine(["worktree", "remove", "--force", "--force", at])}; ${gitLine(["worktree", "prune"])}; } 2>/dev/null`,
      ),
    // One git command at a time, above; what two processes merge at once fits or does not.
    inTurn: async (_, work) => ({ value: await work() }),
    open: (at) => inDirectory(at),
  };
}
