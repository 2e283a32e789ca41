// The place where a machine's administrator puts settings for all of its users.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

/** @see https://code.claude.com/docs/en/settings (read 2026-11) */
const DIRECTORIES: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** The files there may be, weakest first. `undefined`: those of this machine. */
export async function managedFilesIn(
  directory: string | null = DIRECTORIES[process.platform] ?? "/etc/claude-code",
): Promise<string[]> {
  if (directory === null) return [];
  const base = resolve(directory);
  const parts = join(base, "managed-settings.d");
  const names = await readdir(parts).catch(() => []);
  const added = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  return [join(base, "managed-settings.json"), ...added.map((name) => join(parts, name))];
}
