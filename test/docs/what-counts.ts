// The reference page of what counts in files of other programs, made from the lists that the readers go by.
import { KNOWN_SETTINGS } from "../../src/hooks/settings/settings-table.js";
import { SERVER_FIELDS } from "../../src/mcp/config/server-entry.js";
import { SKILL_FIELDS } from "../../src/skills/skill-fields.js";
import { AGENT_FIELDS } from "../../src/subagents/agent-fields.js";

export const MARK = "<!-- generated from the lists in src: npx tsx test/docs/write-what-counts.ts -->";

const ORDER = ["honoured", "refused", "ignored"];

type Rows = ReadonlyMap<string, { readonly treatment: string; readonly note: string }>;

function tableOf(rows: Rows): string {
  const sorted = [...rows].sort(([a, { treatment: x }], [b, { treatment: y }]) => {
    return ORDER.indexOf(x) - ORDER.indexOf(y) || (a < b ? -1 : 1);
  });
  const lines = sorted.map(([key, { treatment, note }]) => `| \`${key}\` | ${treatment} | ${note} |`);
  return ["| key | here | where it counts, or why not |", "| --- | --- | --- |", ...lines].join("\n");
}

/** What stands below the mark. */
export function whatCounts(): string {
  const parts: [string, Rows][] = [
    ["Settings", KNOWN_SETTINGS],
    ["Skills", SKILL_FIELDS],
    ["Agent files", AGENT_FIELDS],
    ["Servers in `.mcp.json`", SERVER_FIELDS],
  ];
  return `${parts.map(([title, rows]) => `## ${title}\n\n${tableOf(rows)}`).join("\n\n")}\n`;
}
