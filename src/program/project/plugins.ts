// The plugins of the program: where they lie, and which of them the user trusts, each as it was when they said so.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import { isInside } from "../../paths/inside.js";
import { type LoadedPlugins, loadPlugins, type Plugin } from "../../presets/plugins/load-plugins.js";
import type { ProgramIo } from "../program-io.js";
import { askTrust } from "./ask-trust.js";
import type { ProjectState } from "./project-state.js";
import { readStateFile, writeStateFile } from "./state-file.js";

export interface FindPluginsOptions {
  /** Directories of the command line: whoever names one trusts it this time. */
  readonly given: readonly string[];
  /** Whether the project is on this machine. */
  readonly isHere: boolean;
  readonly home?: string | undefined;
  /** Without it nobody is asked. */
  readonly ask: { readonly io: ProgramIo; prepare(): Promise<void> } | undefined;
}

/** The user's plugins, the project's, those that are installed for Claude Code, and those of the command line, which come first. */
export async function findPlugins(
  state: ProjectState,
  { given, isHere, ask, home = homedir() }: FindPluginsOptions,
): Promise<LoadedPlugins> {
  const found = [join(state.plugins, "..", "plugins"), ...(isHere ? [join(state.root, ".loopwright", "plugins")] : [])];
  const directories = [
    ...given,
    ...(await Promise.all(found.map(directoriesIn))).flat(),
    ...(await claudesPlugins(home)),
  ];
  const data = join(state.plugins, "..", "plugin-data");
  if (directories.length === 0) return { plugins: [], problems: [] };
  const seen = await loadPlugins(directories, { data });
  const named = await loadPlugins(given, { data });
  const trusted = named.plugins.map(({ digest }) => digest);
  for (const plugin of seen.plugins) {
    if (trusted.includes(plugin.digest)) continue;
    const before = await readPluginTrust(state, plugin);
    const isTrusted = before?.digest === plugin.digest ? before.isTrusted : await askAbout(plugin, before, state, ask);
    if (isTrusted) trusted.push(plugin.digest);
  }
  return loadPlugins(directories, { data, trusted });
}

async function askAbout(
  plugin: Plugin,
  before: PluginTrust | undefined,
  state: ProjectState,
  ask: FindPluginsOptions["ask"],
): Promise<boolean> {
  if (!ask || plugin.brings.length === 0) return false;
  await ask.prepare();
  const changed = before?.isTrusted ? " It has changed since you trusted it." : "";
  const about = `The plugin ${pluginTitle(plugin)} is not trusted.${changed} It brings:`;
  const parts = [{ part: "directory", what: plugin.directory }, ...plugin.brings];
  const answer = await askTrust(about, parts, ask.io, "/plugins");
  if (answer !== undefined) await keepPluginTrust(state, plugin, answer);
  return answer ?? false;
}

export function pluginTitle({ name, version }: Pick<Plugin, "name" | "version">): string {
  return version === undefined ? name : `${name} ${version}`;
}

interface PluginTrust {
  readonly digest: string;
  readonly isTrusted: boolean;
}

async function readPluginTrust(state: ProjectState, { directory }: Plugin): Promise<PluginTrust | undefined> {
  const { digest, isTrusted } = fieldsOf(fieldsOf(await readStateFile(state.plugins))[directory]);
  return typeof digest === "string" ? { digest, isTrusted: isTrusted === true } : undefined;
}

/** Remembers what the user has said about a plugin as it is now. */
export async function keepPluginTrust(state: ProjectState, plugin: Plugin, isTrusted: boolean): Promise<void> {
  const others = fieldsOf(await readStateFile(state.plugins));
  const { directory, digest } = plugin;
  await writeStateFile(state.plugins, { ...others, [directory]: { digest, isTrusted, at: new Date().toISOString() } });
}

async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const found = entries.filter(
    (entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()),
  );
  return found.map(({ name }) => join(path, name)).sort();
}

/** The plugins that Claude Code has installed for the user, as far as the user's settings have them on. */
async function claudesPlugins(home: string): Promise<string[]> {
  const place = join(home, ".claude", "plugins");
  const { enabledPlugins } = fieldsOf(await readStateFile(join(home, ".claude", "settings.json")));
  const { plugins } = fieldsOf(await readStateFile(join(place, "installed_plugins.json")));
  return Object.entries(fieldsOf(plugins)).flatMap(([name, installed]) => {
    if (fieldsOf(enabledPlugins)[name] !== true) return [];
    const users = [installed].flat().filter((each) => isObject(each) && (each.scope ?? "user") === "user");
    return users.map((each) => stringOf(fieldsOf(each).installPath)).filter((path) => isInside(path, place));
  });
}
