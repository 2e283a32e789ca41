// `plugin.json` of the open format, and `.claude-plugin/plugin.json` of Claude Code's: who a plugin is, and where its parts are.
// Serves: Agent Plugins 1.0.0 (agent-plugins.org) and Claude Code's plugins (read 2026-11).
import { basename, dirname, join, resolve } from "node:path";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProjectDirectory } from "../../files/project-files.js";
import { readSettingsFile, type SettingsProblem } from "../../hooks/settings/settings-file.js";
import { isObject, stringOf } from "../../json/is-object.js";
import { isInside } from "../../paths/inside.js";
import { onlyFiles, type PluginFiles } from "./plugin-files.js";

const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/;

/** The fields of both formats that say nothing about parts. */
const ABOUT = "$schema name version description author homepage repository license keywords extensions".split(" ");
/** The parts that Claude Code's manifests name. */
const PARTS = ["skills", "agents", "commands", "hooks", "mcpServers"] as const;

/** The places of a plugin's parts. */
export interface PluginLayout {
  readonly name: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly skills: readonly ProjectDirectory[];
  /** The directory whose own directories are the skills, where nothing deeper is one: the open format alone. */
  readonly onlySkillsIn: string | undefined;
  readonly agents: readonly ProjectDirectory[];
  readonly commands: readonly ProjectDirectory[];
  /** Files with `hooks`, as in settings. */
  readonly hooks: readonly string[];
  /** Files with `mcpServers`, and whether the open format's rules hold for them. */
  readonly servers: readonly { readonly file: string; readonly isOpen: boolean }[];
}

/**
 * Reads a plugin's manifests. A plugin may have both: then the open one says who it is, and Claude Code's adds its parts. Without a
 * manifest the parts of Claude Code's places count.
 *
 * @throws Error for what is no plugin; the message goes on after the directory's name
 */
export async function readLayout(
  files: PluginFiles,
  report: (problem: SettingsProblem) => void,
): Promise<PluginLayout> {
  const { root } = files;
  const open = await readManifest(files, join(root, "plugin.json"), report);
  const claudes = await readManifest(files, join(root, ".claude-plugin", "plugin.json"), report);
  if (open) checkOpen(open.value);
  const isClaudes = claudes !== null || open === null;
  const about = (open ?? claudes)?.value ?? { name: tidied(basename(root)) };
  const name = stringOf(about.name);
  if (!NAME.test(name) || /--|\.\./.test(name)) {
    throw new Error(
      `has the name ${JSON.stringify(name.slice(0, 80))}; a name has 1 to 64 of a-z, 0-9, - and ., and no two of those signs together`,
    );
  }
  const at = (...path: readonly string[]) => join(root, ...path);
  const named = claudes ? placesIn(claudes, files) : {};
  const existing = async (part: (typeof PARTS)[number], path: string) =>
    (named[part] ?? []).concat(isClaudes && (await isThere(files, path)) ? [path] : []);
  const hooks = await existing("hooks", at("hooks", "hooks.json"));
  const claudeServers = await existing("mcpServers", at(".mcp.json"));
  const openServers = open && (await isThere(files, at("mcp.json"))) ? [at("mcp.json")] : [];
  const layout: PluginLayout = {
    name,
    version: stringOf(about.version) || undefined,
    description: stringOf(about.description) || undefined,
    skills: directoriesOf([...(named.skills ?? []), at("skills")], files),
    onlySkillsIn: isClaudes ? undefined : at("skills"),
    agents: directoriesOf(await existing("agents", at("agents")), files),
    commands: directoriesOf(await existing("commands", at("commands")), files),
    hooks: [...new Set(hooks)],
    servers: [
      ...openServers.map((file) => ({ file, isOpen: true })),
      ...[...new Set(claudeServers)].map((file) => ({ file, isOpen: false })),
    ],
  };
  const skills = await Promise.all(layout.skills.map(({ path }) => isThere(files, path)));
  const isEmpty = [layout.agents, layout.commands, layout.hooks, layout.servers].every(({ length }) => length === 0);
  if (!open && !claudes && isEmpty && !skills.includes(true)) {
    throw new Error("holds no plugin.json, no .claude-plugin/plugin.json and none of the directories of a plugin");
  }
  return layout;
}

interface Manifest {
  readonly path: string;
  readonly value: JsonObject;
  wrong(key: string, message: string): void;
}

async function readManifest(
  files: PluginFiles,
  path: string,
  report: (problem: SettingsProblem) => void,
): Promise<Manifest | null> {
  const refuse = ({ line, message }: SettingsProblem) => {
    throw new Error(`${path.slice(files.root.length + 1)}:${line} ${message}`);
  };
  const file = await readSettingsFile(files, path, { report, refuse });
  if (!file) return null;
  const wrong = (key: string, message: string) => report({ file: path, line: file.lineOf([key]), key, message });
  const isClaudes = dirname(path) !== files.root;
  for (const key of Object.keys(file.value)) {
    if (ABOUT.includes(key) || (isClaudes && PARTS.includes(key as "skills"))) continue;
    wrong(key, "is not read here, so what it says has no effect");
  }
  return { path, value: file.value, wrong };
}

/** The open format is closed: a manifest that breaks it is refused. */
function checkOpen(value: JsonObject): void {
  const texts = ["version", "description", "homepage", "repository", "license"];
  const wrong = texts.find((key) => value[key] !== undefined && typeof value[key] !== "string");
  if (value.$schema !== SCHEMA) throw new Error(`names another "$schema" than ${SCHEMA} in plugin.json`);
  if (wrong) throw new Error(`has a "${wrong}" in plugin.json that is not a string`);
  const { author = {}, extensions = {}, keywords = [] } = value;
  if (!isObject(author) || Object.values(author).some((each) => typeof each !== "string"))
    throw new Error('has an "author" in plugin.json that is not an object of strings');
  if (!isObject(extensions) || !Object.values(extensions).every(isObject))
    throw new Error('has "extensions" in plugin.json that are not objects by name');
  if (!Array.isArray(keywords) || keywords.some((each) => typeof each !== "string"))
    throw new Error('has "keywords" in plugin.json that are not a list of strings');
}

/** The places that a manifest names; what it holds itself is in the manifest. What leads out of the plugin is reported and left out. */
function placesIn({ path, value, wrong }: Manifest, { root }: PluginFiles): { [part: string]: string[] } {
  const placeOf = (part: string, place: JsonValue): string[] => {
    const found = typeof place === "string" ? resolve(root, place) : "";
    if (found !== "" && isInside(found, root) && !place!.toString().startsWith("/")) return [found];
    wrong(part, `names ${JSON.stringify(place).slice(0, 100)}, which is not a path inside the plugin; it is left out`);
    return [];
  };
  return Object.fromEntries(
    PARTS.filter((part) => value[part] !== undefined).map((part) => {
      const given = value[part]!;
      const isInline = isObject(given) && (part === "hooks" || part === "mcpServers");
      return [part, isInline ? [path] : [given].flat().flatMap((each) => placeOf(part, each as JsonValue))];
    }),
  );
}

/** Directories, each once; single files are their directory with nothing else in it. */
function directoriesOf(paths: readonly string[], files: PluginFiles): ProjectDirectory[] {
  const isFile = (path: string) => /\.md$/i.test(path) && !/^skill\.md$/i.test(basename(path));
  const single = paths.filter(isFile);
  const whole = paths.filter((path) => !isFile(path)).map((path) => (/\.md$/i.test(path) ? dirname(path) : path));
  return [
    ...[...new Set(whole)].map((path) => ({ path, files })),
    ...[...new Set(single.map((path) => dirname(path)))].map((path) => ({ path, files: onlyFiles(files, single) })),
  ];
}

async function isThere(files: PluginFiles, path: string): Promise<boolean> {
  return files.realPath(path).then(
    () => true,
    () => false,
  );
}

function tidied(directory: string): string {
  return directory
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}
