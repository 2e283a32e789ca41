// Commands that are prompts in files: `.claude/commands/review.md` is `/review`, `fix/bug.md` below it `/fix:bug`.
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative, sep } from "node:path";
import { readFrontmatter } from "../../frontmatter/frontmatter.js";
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
const NAME = /^[a-z][\w-]*(?::[a-z][\w-]*)*$/;

/** The user's own commands and, where the project is trusted, its own, which come first. */
export function loadPromptCommands(root: string | undefined, home = homedir()): Promise<PromptCommands> {
  const bases = root === undefined ? [home] : [root, home];
  return readCommands(bases.flatMap((base) => [".loopwright", ".claude"].map((name) => join(base, name, "commands"))));
}

async function readCommands(directories: readonly string[]): Promise<PromptCommands> {
  const found = new Map<string, PromptCommand>();
  const problems: { source: string; message: string }[] = [];
  for (const directory of directories) {
    for (const file of await markdownIn(directory)) {
      const name = relative(directory, file).slice(0, -".md".length).split(sep).join(":").toLowerCase();
      if (found.has(name)) continue;
      if (!NAME.test(name))
        problems.push({ source: file, message: `"${name}" cannot be typed as the name of a command` });
      else if (found.size < MAX_COMMANDS) found.set(name, await readCommand(name, file, problems));
    }
  }
  return { commands: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

async function markdownIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

async function readCommand(
  name: string,
  file: string,
  problems: { source: string; message: string }[],
): Promise<PromptCommand> {
  const report = (message: string) => problems.push({ source: file, message });
  const text = await readFile(file, "utf8").catch(() => "");
  const { fields, body, problems: wrong } = await readFrontmatter(clip(text, MAX_CHARS), file);
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
