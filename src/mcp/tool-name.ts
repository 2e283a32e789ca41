import { strongDigest } from "../json/digest.js";

const MAX_CHARS = 64;

/** The names of a server's tools as every provider takes them: `mcp__server__tool`. */
export function mcpToolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of tools) {
    const plain = `mcp__${safe(server)}__${safe(tool)}`;
    const isPlain = plain.length <= MAX_CHARS && safe(tool) === tool && !taken.has(plain);
    const name = isPlain ? plain : `${plain.slice(0, MAX_CHARS - 9)}_${strongDigest([server, tool]).slice(0, 8)}`;
    taken.add(name);
    names.set(tool, name);
  }
  return names;
}

function safe(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_");
}
