import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ContextSource } from "../../contracts/context.js";
import { clip } from "../../text/cut.js";

const MAX_CHARS = 40_000;

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

/** The user's own instructions, for every project. */
export function userInstructions(home = homedir()): ContextSource {
  return {
    id: "user-instructions",
    async load() {
      for (const parts of FILES) {
        const text = await readFile(join(home, ...parts), "utf8").catch(() => "");
        if (text.trim() !== "") {
          return {
            id: "user-instructions",
            text: `# Instructions of the user, for every project\n\n${clip(text.trim(), MAX_CHARS)}`,
          };
        }
      }
      return null;
    },
  };
}
