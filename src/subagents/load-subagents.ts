import { homedir } from "node:os";
import pLimit from "p-limit";
import type { ProviderAdapter } from "../contracts/provider.js";
import { markdownFilesIn } from "../files/markdown-files.js";
import type { ProjectDirectory } from "../files/project-files.js";
import { PROJECT_DIRECTORY, projectDirectoryOf, readProjectFile } from "../files/project-files.js";
import type { FrontmatterProblem } from "../frontmatter/frontmatter.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  FUNCTION,
  listOf,
  type OptionTable,
  optionOf,
  required,
  STRING,
} from "../json/check-options.js";
import { isUsersOwn } from "../paths/users-own.js";
import { byName } from "../text/by-name.js";
import { type LoadedSubagent, readAgentFile } from "./agent-file.js";
import type { ConnectServers } from "./read-agent-servers.js";

/** Options of `loadSubagents()`. */
export interface LoadSubagentsOptions {
  /**
   * Directories of agent files, `.claude/agents` and the like, weakest first: of two agents of one name the last counts. One of
   * another machine is `{ path, files: projectFiles(workspace) }`; its agents' servers are those of `connectElsewhere`.
   */
  readonly dirs: readonly (string | ProjectDirectory)[];
  /**
   * Whether agents of a project may be used. Their descriptions and prompts are instructions to the model. Default: `false`.
   * A directory is the user's own, and always trusted, when it is really in `.claude`, `.agents` or `.loopwright` of `home`.
   */
  readonly trustProject?: boolean | undefined;
  /** The provider for a model's name, as `sonnet`; `undefined` when there is not one. */
  readonly models?: ((name: string) => ProviderAdapter | undefined) | undefined;
  /**
   * Connects the servers that a trusted file names (`mcpServers`) when its agent needs them. Default: they are reported, and not
   * connected.
   */
  readonly connect?: ConnectServers | undefined;
  /** The same for a trusted project of another machine. Default: they are reported, and not connected. */
  readonly connectElsewhere?: ConnectServers | undefined;
  /** Names of tools of the host's own that files may ask for, beside the built-in ones and those of servers. */
  readonly tools?: readonly string[] | undefined;
  /** The user's directory. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
}

/** The sub-agents of the directories. */
export interface LoadedSubagents {
  /** Sorted by name. */
  readonly subagents: readonly LoadedSubagent[];
  /** Sub-agents of a project that is not trusted: to be shown, not used. */
  readonly untrusted: readonly LoadedSubagent[];
  /** By file and line. What is wrong with one file affects no other. */
  readonly problems: readonly FrontmatterProblem[];
}

const OPTIONS = {
  dirs: required(listOf(PROJECT_DIRECTORY, "paths, or { path, files }")),
  trustProject: byDefault(false, FLAG),
  models: FUNCTION,
  connect: FUNCTION,
  connectElsewhere: FUNCTION,
  tools: byDefault([], listOf(STRING, "names of tools")),
  home: optionOf((value) => value === null || typeof value === "string", "a path or null"),
} satisfies OptionTable<LoadSubagentsOptions>;

const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 512 * 1024;
const READ_AT_ONCE = 16;

/**
 * Reads agent files as they are written for Claude Code: Markdown with a frontmatter, also in directories below.
 *
 * Nothing in a file makes it throw; what is not understood is left out, reported with file and line, and never widens an
 * agent's rights. A directory that does not exist holds nothing.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function loadSubagents(options: LoadSubagentsOptions): Promise<LoadedSubagents> {
  const {
    tools,
    connect,
    connectElsewhere,
    home = homedir(),
    ...settings
  } = checkOptions("loadSubagents()", options, OPTIONS);
  const { dirs, trustProject, models } = settings;
  const context = { models, ownTools: new Set(tools), hasServers: connect !== undefined };
  const found = { trusted: new Map<string, LoadedSubagent>(), untrusted: new Map<string, LoadedSubagent>() };
  const problems: FrontmatterProblem[] = [];
  for (const dir of dirs.map(projectDirectoryOf)) {
    const { onDisk = false } = dir.files;
    const isTrusted = trustProject || (onDisk && (await isUsersOwn(dir.path, home)));
    const into = isTrusted ? found.trusted : found.untrusted;
    const here = new Map<string, string>();
    const isFree = isTrusted && onDisk;
    const within = isFree ? null : dir.path;
    for (const { agent, problems: ofFile } of await readDirectory(dir, within, {
      ...context,
      connect: isFree ? connect : isTrusted ? connectElsewhere : undefined,
    })) {
      problems.push(...ofFile);
      if (!agent) continue;
      const other = here.get(agent.name);
      if (other)
        problems.push(
          problemOf(
            agent.file,
            `"${agent.name}" is also defined in ${JSON.stringify(other)}, and this definition is used`,
          ),
        );
      here.set(agent.name, agent.file);
      into.set(agent.name, agent);
    }
  }
  return {
    subagents: Object.freeze([...found.trusted.values()].sort(byName)),
    untrusted: Object.freeze([...found.untrusted.values()].sort(byName)),
    problems,
  };
}

type ReadFile = Awaited<ReturnType<typeof readAgentFile>>;

async function readDirectory(
  dir: ProjectDirectory,
  within: string | null,
  context: Parameters<typeof readAgentFile>[2],
): Promise<ReadFile[]> {
  const files = await markdownFilesIn(dir);
  const atMost = pLimit(READ_AT_ONCE);
  const read = files.slice(0, MAX_FILES).map((file) =>
    atMost(async (): Promise<ReadFile> => {
      try {
        const bytes = await readProjectFile(dir.files, file, { maxBytes: MAX_FILE_BYTES, within });
        return await readAgentFile(new TextDecoder().decode(bytes), file, context);
      } catch (error) {
        return { agent: null, problems: [problemOf(file, (error as Error).message)] };
      }
    }),
  );
  const all = await Promise.all(read);
  if (files.length <= MAX_FILES) return all;
  const tooMany = problemOf(dir.path, `it holds ${files.length} files; the first ${MAX_FILES} were read`);
  return [...all, { agent: null, problems: [tooMany] }];
}

function problemOf(file: string, message: string): FrontmatterProblem {
  return { file, line: 1, key: "", message };
}
