import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const SERVER = fileURLToPath(new URL("../mcp/modern-server.mjs", import.meta.url));

/** A directory with these files, gone after the test. */
export function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "presets-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

/** What a repository may bring: instructions, rules, a hook, a skill, an agent and a server. */
export const PROJECT: Readonly<Record<string, string>> = {
  "README.md": "A project.\n",
  "AGENTS.md": "Use tabs.\n",
  ".claude/settings.json": JSON.stringify({
    permissions: { allow: ["Bash(node --version)"], deny: ["Read(./secret.txt)"] },
    hooks: { Stop: [{ hooks: [{ type: "command", command: "touch stopped.txt" }] }] },
  }),
  ".claude/skills/haiku/SKILL.md": "---\nname: haiku\ndescription: Writes haiku.\n---\n\nFive, seven, five.\n",
  ".claude/agents/critic.md": "---\nname: critic\ndescription: Finds faults.\n---\n\nFind faults.\n",
  ".mcp.json": JSON.stringify({ mcpServers: { modern: { command: process.execPath, args: [SERVER] } } }),
};
