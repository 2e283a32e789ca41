import { join } from "node:path";
import type { ContextSource } from "../contracts/context.js";
import type { Workspace } from "../contracts/workspace.js";
import type { ProjectFiles } from "../files/project-files.js";

/**
 * The agent's surroundings, as a section of the system prompt. It stays as it is for the length of a session, so that prompt
 * caches keep working; a date that has become wrong is worth less than that.
 */
export function environmentSource(workspace: Workspace, files: ProjectFiles): ContextSource {
  const { root, platform = workspace.files.onDisk && process.platform } = workspace;
  return {
    id: "environment",
    async load({ previous }) {
      if (previous) return previous;
      const lines = [
        `Working directory: ${JSON.stringify(root)}`,
        `Git repository: ${await files.realPath(join(root, ".git")).then(
          () => "yes",
          () => "no",
        )}`,
        ...(workspace.temporaryDirectory
          ? ["Temporary files of commands: below $TMPDIR, which is this session's own"]
          : []),
        ...(platform ? [`Platform: ${platform}`] : []),
        `Date when the session began: ${new Date().toISOString().slice(0, 10)}`,
      ];
      return { id: "environment", text: `# Environment\n\n${lines.join("\n")}` };
    },
  };
}
