// Commands that are prompts in files: `.claude/commands/review.md` is `/review`, `fix/bug.md` below it `/fix:bug`.
import { homedir } from "node:os";
import { join } from "node:path";
import { commandFilesIn } from "../../files/command-files.js";
import { diskFiles, type ProjectDirectory, type ProjectFiles, readProjectFile } from "../../files/project-files.js";
import { readFrontmatter } from "../../frontmatter/frontmatter.js";
import type { Plugin } from "../../presets/plugins/load-plugins.js";
import { withRoot } from "../../presets/plugins/plugin-text.js";
import { toolRulesIn } from "../../skills/tool-rules.js";
import { clip } from "../../text/cut.js";

/** A command whose work is a prompt. */
export interface PromptCommand {
  readonly name: string;
  readonly summary: string;
  /** As in `/review <file>`. */
  readonly argument?: string | undefined;
  /** Rules that allow calls while its prompt runs. */
  readonly allowedTools: readonly string[];
  /** The file. */
  readonly source: string;
  /** The prompt, with what was typed behind the name: whole in place of `$ARGUMENTS`, single words in place of `$1` to `$9`. */
  promptFor(given: string): string;
}

/** The commands of some directories, and what is wrong with their files. */
export interface PromptCommands {
  readonly commands: readonly PromptCommand[];
  readonly problems: readonly { readonly source: string; readonly message: string }[];
}

const MAX_COMMANDS = 500;
const MAX_CHARS = 100_000;
const MAX_BYTES = 1024 * 1024;
/** A plugin's name, in front, may have more signs. */
const NAME = /^(?:[a-z0-9][a-z0-9.-]*:)?[a-z][\w-]*(?::[a-z][\w-]*)*$/;

/** Commands of a plugin: their directories, and what is filled into their text. */
export type PluginCommands = Pick<Plugin, "name" | "commands" | "directory">;

/**
 * The user's own commands and, where the project is trusted, its own, which come first; those of plugins are `/plugin:command`.
 */
export async function loadPromptCommands(
  root: string | undefined,
  home: string | null = homedir(),
  plugins: readonly PluginCommands[] = [],
): Promise<PromptCommands> {
  const found = new Map<string, PromptCommand>();
  const problems: { source: string; message: string }[] = [];
  const read = async (directory: ProjectDirectory, within?: string, plugin?: PluginCommands) => {
    for (const [name, file] of await commandFilesIn(directory, plugin?.name)) {
      if (found.has(name)) continue;
      if (!NAME.test(name))
        problems.push({ source: file, message: `"${name}" cannot be typed as the name of a command` });
      else if (found.size < MAX_COMMANDS)
        found.set(name, await readCommand(name, { file, files: directory.files, within, plugin }, problems));
    }
  };
  for (const base of [root, home].filter((each) => each != null))
    for (const name of [".loopwright", ".claude"])
      await read({ path: join(base, name, "commands"), files: diskFiles }, base === root ? root : undefined);
  for (const plugin of plugins) for (const directory of plugin.commands) await read(directory, undefined, plugin);
  return { commands: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

interface CommandFile {
  readonly file: string;
  readonly files: ProjectFiles;
  /** The directory it must really be in. */
  readonly within: string | undefined;
  readonly plugin: PluginCommands | undefined;
}

async function readCommand(
  name: string,
  { file, files, within, plugin }: CommandFile,
  problems: { source: string; message: string }[],
): Promise<PromptCommand> {
  const report = (message: string) => problems.push({ source: file, message });
  const text = await readProjectFile(files, file, { maxBytes: MAX_BYTES, within }).then(
    (bytes) => new TextDecoder().decode(bytes),
    (error: Error) => {
      report(error.message);
      return "";
    },
  );
  const placed = plugin ? withRoot(text, plugin.directory) : text;
  const { fields, body, problems: wrong } = await readFrontmatter(clip(placed, MAX_CHARS), file);
  for (const { message } of wrong) report(message);
  const field = (key: string) => {
    const value = fields?.[key];
    return typeof value === "string" ? value : undefined;
  };
  return {
    name,
    summary: field("description") ?? body.trim().split("\n")[0]!.slice(0, 100),
    argument: field("argument-hint"),
    allowedTools: toolRulesIn(fields?.["allowed-tools"], report),
    source: file,
    promptFor: (given) => filled(body.trim(), given),
  };
}

function filled(body: string, given: string): string {
  const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare,
  );
  const prompt = body.replace(/\$(ARGUMENTS|[1-9])(?!\w)/g, (_, what: string) =>
    what === "ARGUMENTS" ? given : (words[Number(what) - 1] ?? ""),
  );
  return prompt !== body || given === "" ? prompt : `${prompt}\n\n${given}`;
}
