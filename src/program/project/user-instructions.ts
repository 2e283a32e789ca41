import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ContextSource } from "../../contracts/context.js";
import { diskFiles, type ProjectFiles } from "../../files/project-files.js";
import { instructionFiles } from "../../memory/instruction-files.js";
import type { PermissionChecker } from "../../permissions/checker.js";
import { allowedFiles } from "../../presets/project/allowed-files.js";

/** Of all of the user's instructions together. */
const MAX_BYTES = 40_000;

/** The files of the user's instructions for every project, of which the first that exists is used. */
const FILES = [
  [".loopwright", "AGENTS.md"],
  [".claude", "CLAUDE.md"],
] as const;

/** The instruction files that count in a project: the user's, then the project's, unless it is on another machine. */
export function instructionFilesOf(root: string | undefined, home = homedir()): string[] {
  const own = FILES.map((parts) => join(home, ...parts)).find((file) => existsSync(file));
  const named = root === undefined ? [] : ["AGENTS.md", "CLAUDE.md"].map((name) => join(root, name));
  const ofProject = named.filter((file) => existsSync(file));
  return own === undefined ? ofProject : [own, ...ofProject];
}

/**
 * The user's own instructions, for every project, with what they import from their own directory. `checker`: the rules that may keep a
 * file from being read.
 */
export function userInstructions(
  checker: () => Pick<PermissionChecker, "explain"> | undefined,
  home = homedir(),
): ContextSource {
  return {
    id: "user-instructions",
    async load(run) {
      const rules = checker();
      for (const parts of FILES) {
        const file = await realpath(join(home, ...parts)).catch(() => "");
        if ((await readFile(file, "utf8").catch(() => "")).trim() === "") continue;
        const ofDisk: ProjectFiles = { ...diskFiles, list: async () => [] };
        const section = await instructionFiles({
          root: dirname(file),
          names: [basename(file)],
          files: rules ? allowedFiles(ofDisk, rules, run.sessionId) : ofDisk,
          title: "Instructions of the user, for every project",
          maxBytes: MAX_BYTES,
        }).load(run);
        return section && { ...section, id: "user-instructions" };
      }
      return null;
    },
  };
}
