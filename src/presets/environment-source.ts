import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ContextSource } from "../contracts/context.js";

/**
 * The agent's surroundings, as a section of the system prompt. It stays as it is for the length of a session, so that prompt
 * caches keep working; a date that has become wrong is worth less than that.
 */
export function environmentSource(root: string, now: () => number = Date.now): ContextSource {
  return {
    id: "environment",
    async load({ previous }) {
      if (previous) return previous;
      const lines = [
        `Working directory: ${JSON.stringify(root)}`,
        `Git repository: ${existsSync(join(root, ".git")) ? "yes" : "no"}`,
        `Platform: ${process.platform}`,
        `Date when the session began: ${new Date(now()).toISOString().slice(0, 10)}`,
      ];
      return { id: "environment", text: `# Environment\n\n${lines.join("\n")}` };
    },
  };
}
