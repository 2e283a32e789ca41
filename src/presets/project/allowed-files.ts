import { basename } from "node:path";
import { ProjectFileError, type ProjectFiles } from "../../files/project-files.js";
import type { PermissionChecker } from "../../permissions/checker.js";

/** Instructions by their names: a rule for the whole tool is not about them. */
const NAMED = ["AGENTS.md", "CLAUDE.md"];

/**
 * The files without those that rules keep from `read_file`, since a prompt shows a file as that tool does: what a rule denies, and what it
 * asks about, where nobody can be asked.
 */
export function allowedFiles(
  files: ProjectFiles,
  checker: Pick<PermissionChecker, "explain">,
  sessionId: string,
): ProjectFiles {
  return {
    ...files,
    async read(path, maxBytes) {
      // In this mode the checker says no, or asks, for its rules alone.
      const request = { tool: "read_file", input: { path }, mode: "bypassPermissions", sessionId } as const;
      const { behavior, rule } = (await checker.explain(request)).decision;
      const isAboutIt = behavior === "deny" && rule?.rule.endsWith(")");
      const isKept = behavior === "deny" || (behavior === "ask" && rule !== undefined);
      if (isKept && (isAboutIt || !NAMED.includes(basename(path)))) {
        throw new ProjectFileError("untrusted", "the permission rules keep it from being read");
      }
      return files.read(path, maxBytes);
    },
  };
}
