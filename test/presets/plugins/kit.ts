// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of files
import { fileURLToPath } from "node:url";
import { directoryWith } from "../kit.js";

const SERVER = fileURLToPath(new URL("../../mcp/modern-server.mjs", import.meta.url));
const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

export const HAIKU =
  "---\nname: haiku\ndescription: Writes haiku.\n---\n\nFive, seven, five. See ${CLAUDE_PLUGIN_ROOT}/form.md.\n";

/** A plugin of the open format. */
export const OPEN: Readonly<Record<string, string>> = {
  "plugin.json": JSON.stringify({ $schema: SCHEMA, name: "verse", version: "1.2.0", description: "Poems." }),
  "skills/haiku/SKILL.md": HAIKU,
  "mcp.json": JSON.stringify({
    mcpServers: { modern: { type: "stdio", command: "node", args: ["${PLUGIN_ROOT}/server.mjs"] } },
  }),
  "server.mjs": `import ${JSON.stringify(SERVER)};\n`,
};

/** A plugin as Claude Code has them. */
export const CLAUDES: Readonly<Record<string, string>> = {
  ".claude-plugin/plugin.json": JSON.stringify({ name: "critics", version: "0.1.0", agents: ["./more/second.md"] }),
  "agents/critic.md":
    "---\nname: critic\ndescription: Finds faults.\n---\n\nFind faults. Rules: ${CLAUDE_PLUGIN_ROOT}/rules.md\n",
  "more/second.md": "---\nname: second\ndescription: Finds more.\n---\n\nFind more.\n",
  "more/third.md": "---\nname: third\ndescription: Is not named.\n---\n\nNothing.\n",
  "commands/fix/bug.md": "---\ndescription: Fixes it.\n---\nFix $ARGUMENTS with ${CLAUDE_PLUGIN_ROOT}/fix.sh\n",
  "skills/praise/SKILL.md": "---\nname: praise\ndescription: Praises.\n---\n\nPraise.\n",
  "hooks/hooks.json": JSON.stringify({
    description: "Notes each end.",
    hooks: { Stop: [{ hooks: [{ type: "command", command: 'sh "${CLAUDE_PLUGIN_ROOT}/note.sh"' }] }] },
  }),
  "note.sh": 'echo ended >> "$CLAUDE_PLUGIN_DATA/notes.txt"\n',
  ".mcp.json": JSON.stringify({ mcpServers: { shouter: { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/s.mjs"] } } }),
  "s.mjs": `import ${JSON.stringify(SERVER)};\n`,
};

/** A directory with a plugin, and another for what plugins keep. */
export function pluginDirectory(files: Readonly<Record<string, string>>) {
  return { directory: directoryWith(files), data: directoryWith() };
}
