// The settings files of a project: where they are, and which there are.

import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { diskFiles, type ProjectFiles } from "../../files/project-files.js";
import { readSettingsFile, type SettingsProblem } from "./settings-file.js";
import { isUsersOrManaged, type OpenedFile, type SettingsFindings, type SettingsSource } from "./settings-reader.js";

/** The place of a settings file. */
export interface SettingsPlace {
  readonly source: SettingsSource;
  readonly path: string;
  readonly files: ProjectFiles;
  /** The directory it must really be in. */
  readonly within?: string;
}

/** The user's file, the project's and the machine's, weakest first. */
export async function settingsPlaces(
  dir: string,
  files: ProjectFiles,
  {
    home = homedir(),
    managed,
  }: { readonly home?: string | null | undefined; readonly managed?: string | null | undefined },
): Promise<SettingsPlace[]> {
  const places: SettingsPlace[] = [
    { source: "project", path: join(dir, ".claude", "settings.json"), files, within: dir },
    { source: "local", path: join(dir, ".claude", "settings.local.json"), files, within: dir },
  ];
  // In the user's own directory the two are one file, and it is the user's.
  if (home !== null && files.onDisk && resolve(home) === dir) places.shift();
  if (home !== null) {
    places.unshift({ source: "user", path: join(resolve(home), ".claude", "settings.json"), files: diskFiles });
  }
  for (const path of await managedFilesIn(managed)) places.push({ source: "policy", path, files: diskFiles });
  return places;
}

/** The files there are. */
export async function openSettings(
  places: readonly SettingsPlace[],
  isProjectTrusted: boolean,
  found: SettingsFindings,
): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const { source, path, files, within } of places) {
    const isTrusted = isUsersOrManaged(source) || isProjectTrusted;
    const report = (problem: SettingsProblem) => found.problem(problem);
    // A file's deny rules that cannot be read are not known; they count without trust, too.
    const refuse = (problem: SettingsProblem) => found.restrict(problem, isTrusted);
    const file = await readSettingsFile(files, path, { report, refuse }, within);
    if (file) opened.push({ source, file });
  }
  return opened;
}

// ── where a machine's administrator puts settings for all of its users ───────────────────────────────────────────────

/** @see https://code.claude.com/docs/en/settings (read 2026-11) */
const DIRECTORIES: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** The files there may be, weakest first. `undefined`: those of this machine. */
async function managedFilesIn(
  directory: string | null = DIRECTORIES[process.platform] ?? "/etc/claude-code",
): Promise<string[]> {
  if (directory === null) return [];
  const base = resolve(directory);
  const parts = join(base, "managed-settings.d");
  const names = await readdir(parts).catch(() => []);
  const added = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  return [join(base, "managed-settings.json"), ...added.map((name) => join(parts, name))];
}
