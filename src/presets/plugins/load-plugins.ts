// Plugins: directories that bring skills, servers and, as Claude Code has them, agents, hooks and commands.
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { commandFilesIn } from "../../files/command-files.js";
import type { ProjectDirectory } from "../../files/project-files.js";
import { describePluginHooks, type PluginHooks } from "../../hooks/settings/plugin-hooks.js";
import type { SettingsProblem } from "../../hooks/settings/settings-file.js";
import { byDefault, checkOptions, listOf, type OptionTable, PATH, required, STRING } from "../../json/check-options.js";
import type { Server } from "../../mcp/config/server-entry.js";
import { loadSkills } from "../../skills/load-skills.js";
import type { Skill } from "../../skills/skill.js";
import { loadSubagents } from "../../subagents/load-subagents.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { AgentPart, AgentProblem } from "../agent-problems.js";
import { addressIn } from "../project/server-address.js";
import { openPluginFiles } from "./plugin-files.js";
import { readLayout } from "./plugin-manifest.js";
import { readPluginServers } from "./plugin-servers.js";
import { withRoot } from "./plugin-text.js";

/** Options of `loadPlugins()`. */
export interface LoadPluginsOptions {
  /**
   * The `digest` of each plugin that somebody has reviewed. A plugin counts while its files are what they were then: one that has
   * changed, by an update or otherwise, is not trusted. Default: none is trusted.
   */
  readonly trusted?: readonly string[] | undefined;
  /**
   * The directory in which each trusted plugin gets one of its own, to keep what it needs; it is told as `PLUGIN_DATA`. Default:
   * `.loopwright/plugin-data` of the home directory.
   */
  readonly data?: string | undefined;
}

const OPTIONS = {
  trusted: byDefault([], listOf(STRING, "digests of plugins")),
  data: PATH,
} satisfies OptionTable<LoadPluginsOptions>;

/** Something that a plugin brings: `what` names it, with the command that it would run. */
export interface PluginPart {
  readonly part: AgentPart | "commands";
  /** The file it stands in. */
  readonly source: string;
  readonly what: string;
}

/** A plugin that was read. Its parts have its name in front: the skill and the agent `name:part`, the server `plugin_name_part`. */
export interface Plugin {
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  /** Absolute, links followed. */
  readonly directory: string;
  /** SHA-256 over all of its files, in hexadecimal: for `trusted`. */
  readonly digest: string;
  readonly isTrusted: boolean;
  /** All of its parts, trusted or not: to be shown before somebody trusts it. */
  readonly brings: readonly PluginPart[];
  /** The parts that could not be used as they are written. The rest of the plugin is used. */
  readonly problems: readonly AgentProblem[];
  readonly skills: readonly Skill[];
  /** Directories of agent files, for `loadSubagents`. */
  readonly agents: readonly ProjectDirectory[];
  /** Directories of commands, which are prompts. */
  readonly commands: readonly ProjectDirectory[];
  /** For `loadSettings`. */
  readonly hooks: readonly PluginHooks[];
  /** Ready for `connectMcp`, when it is trusted. */
  readonly servers: readonly Server[];
  /** For whoever starts something of it. @throws Error when one of its files has changed since; the message says what to do */
  assertUnchanged(): Promise<void>;
}

/** The plugins of some directories. */
export interface LoadedPlugins {
  readonly plugins: readonly Plugin[];
  /** Directories that hold no plugin which could be used, and why. They stop none of the others. */
  readonly problems: readonly AgentProblem[];
}

/**
 * Reads plugins, one from each directory: of the open Agent Plugins format (`plugin.json`, `skills/`, `mcp.json`) and Claude Code's
 * (`.claude-plugin/plugin.json`, with agents, hooks and commands, too). For the option `plugins` of the presets.
 *
 * Nothing in a directory makes it throw. Nothing of a plugin that is not trusted counts, and nothing outside its directory is read,
 * whatever links say. Of two of one name the first counts. What changes after the plugin was loaded is not read,
 * and nothing of a plugin that has changed is started.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function loadPlugins(
  directories: readonly string[],
  options: LoadPluginsOptions = {},
): Promise<LoadedPlugins> {
  checkOptions("loadPlugins()", { directories }, { directories: required(listOf(PATH, "paths")) });
  const { trusted, data = join(homedir(), ".loopwright", "plugin-data") } = checkOptions(
    "loadPlugins()",
    options,
    OPTIONS,
  );
  const plugins: Plugin[] = [];
  const problems: AgentProblem[] = [];
  const wrong = (source: string, message: string) => problems.push({ part: "plugins", source, message });
  for (const directory of directories.map((each) => resolve(each))) {
    try {
      const plugin = await readPlugin(directory, { trusted, data });
      const other = plugins.find(({ name }) => name === plugin.name);
      if (!other) plugins.push(plugin);
      else if (other.directory !== plugin.directory)
        wrong(directory, `is called "${plugin.name}" like ${JSON.stringify(other.directory)}, which counts`);
    } catch (error) {
      wrong(directory, describeThrown(error));
    }
  }
  return { plugins, problems };
}

interface Terms {
  readonly trusted: readonly string[];
  readonly data: string;
}

async function readPlugin(directory: string, { trusted, data }: Terms): Promise<Plugin> {
  const files = await openPluginFiles(directory);
  const problems: AgentProblem[] = [];
  const report = (part: AgentPart) => (found: SettingsProblem) => {
    const { file, line, key, message } = found;
    problems.push({ part, source: file, line, message: key === "" ? message : `${key}: ${message}` });
  };
  const layout = await readLayout(files, report("plugins"));
  const { name, version, description } = layout;
  const isTrusted = trusted.includes(files.digest);
  for (const source of files.strayLinks)
    problems.push({ part: "plugins", source, message: "is a link that leads out of the plugin, so it does not count" });
  const own = join(resolve(data), name);
  const variables = {
    // The bytecode that Python keeps beside its sources would be a change of the plugin.
    PYTHONDONTWRITEBYTECODE: "1",
    PLUGIN_ROOT: files.root,
    PLUGIN_DATA: own,
    CLAUDE_PLUGIN_ROOT: files.root,
    CLAUDE_PLUGIN_DATA: own,
  };

  const listed = await loadSkills({ dirs: layout.skills, trustProject: isTrusted, home: null });
  listed.problems.forEach(report("skills"));
  const found = isTrusted ? listed.skills : listed.untrusted;
  const isInPlace = ({ file }: Skill) => [undefined, dirname(dirname(file ?? ""))].includes(layout.onlySkillsIn);
  for (const { file, name } of found.filter((skill) => !isInPlace(skill)))
    report("skills")({
      file: file ?? name,
      line: 1,
      key: "",
      message: "is deeper than skills/NAME, so it does not count",
    });
  const skills = found.filter(isInPlace).map((skill) => ({
    ...skill,
    name: `${name}:${skill.name}`,
    instructions: async () => withRoot(await skill.instructions(), files.root),
  }));
  const agents = await loadSubagents({ dirs: layout.agents, home: null });
  const hooks = layout.hooks.map((file) => ({ file, files, variables, beforeStart: files.assertUnchanged }));
  const described = await Promise.all(hooks.map(describePluginHooks));
  const configs = await Promise.all(
    layout.servers.map((file) => readPluginServers(file, { name, files, isTrusted, variables })),
  );
  for (const { problems: found } of configs)
    for (const each of found) report("mcp")({ ...each, key: [each.server, each.field].filter(Boolean).join(".") });
  // The problems of a trusted plugin are reported where the parts are used.
  if (!isTrusted) {
    agents.problems.forEach(report("subagents"));
    for (const { problems: found } of described) found.forEach(report("settings"));
  }
  const commands = await Promise.all(layout.commands.map((each) => commandFilesIn(each, name)));
  const servers = configs.flatMap((config) => (isTrusted ? config.servers : config.untrusted));
  if (isTrusted && hooks.length + servers.length > 0) await mkdir(own, { recursive: true, mode: 0o700 });
  return {
    name,
    version,
    description,
    directory: files.root,
    digest: files.digest,
    isTrusted,
    brings: [
      ...skills.map(({ name: what, file }) => ({ part: "skills" as const, source: file ?? "", what })),
      ...agents.untrusted.map((agent) => ({
        part: "subagents" as const,
        source: agent.file,
        what: `${name}:${agent.name}`,
      })),
      ...commands.flat().map(([what, source]) => ({ part: "commands" as const, source, what: `/${what}` })),
      ...described.flatMap(({ untrusted }) =>
        untrusted.map(({ file, key, value }) => {
          return { part: "settings" as const, source: file, what: `${key}: ${JSON.stringify(value)}` };
        }),
      ),
      ...servers.map((server) => ({
        part: "mcp" as const,
        source: files.root,
        what: `${server.name}: ${addressIn({ ...server })}`,
      })),
    ],
    problems,
    skills,
    agents: layout.agents,
    commands: layout.commands,
    hooks,
    servers,
    assertUnchanged: files.assertUnchanged,
  };
}
