import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ProjectFiles } from "../../files/project-files.js";
import { diskFiles, PROJECT_FILES, type ProjectFileError, readProjectFile } from "../../files/project-files.js";
import { checkOptions, FLAG, FUNCTION, type OptionTable, optionOf, PATH, required } from "../../json/check-options.js";
import { isUsersOwn } from "../../paths/users-own.js";
import { expandEntry, readServerEntry, type Server } from "./server-entry.js";

/** A place in a configuration file that is wrong. The message quotes names, and no values. */
export interface McpConfigProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The server it is about; empty for the file as a whole. */
  readonly server: string;
  /** As `env.TOKEN`; empty for the server as a whole. */
  readonly field: string;
  readonly message: string;
}

/** The content of a `.mcp.json`. */
export interface McpConfig {
  /** Each is ready for `connectMcp`. */
  readonly servers: readonly Server[];
  /** A project's servers, as they are written: programs that the file, not the user, wants to start. */
  readonly untrusted: readonly Server[];
  readonly problems: readonly McpConfigProblem[];
}

/** Options of `loadMcpConfig()`. */
export interface LoadMcpConfigOptions {
  /**
   * Whether a project's servers may be started. Default: `false`. A file is the user's own, and always trusted, when it is
   * really in `.claude`, `.agents` or `.loopwright` of `home`.
   */
  readonly trustProject?: boolean | undefined;
  /**
   * The place of the file, such as `projectFiles(workspace)`. The servers of a file that is not on this machine's disk are never
   * trusted. Default: on this machine's disk.
   */
  readonly files?: ProjectFiles | undefined;
  /** The source of variables. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The user's directory. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
  /**
   * Says why a server must not be used, and `null` of one that may be, such as `settings.restrictions.serverRefusal` of
   * `loadSettings()`. It is asked about servers as they would start, and its answer is in `problems`. Default: every server may be
   * used.
   */
  readonly refusal?: ((server: Server) => string | null) | undefined;
}

const OPTIONS = {
  trustProject: FLAG,
  files: PROJECT_FILES,
  env: optionOf((value) => typeof value === "object" && value !== null, "an object of strings"),
  home: optionOf((value) => value === null || typeof value === "string", "a path or null"),
  refusal: FUNCTION,
} satisfies OptionTable<LoadMcpConfigOptions>;

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads the servers of a file such as `.mcp.json`: `{ "mcpServers": { … } }`, `{ "servers": { … } }`, or the bare map.
 *
 * Variables are written `${NAME}` and `${NAME:-default}`. Nothing in the file makes it throw: what is wrong with one server
 * is in `problems`, and the others are used. Without the file there are no servers. A program starts in the file's directory
 * unless its entry says otherwise.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function loadMcpConfig(file: string, options: LoadMcpConfigOptions = {}): Promise<McpConfig> {
  checkOptions("loadMcpConfig()", { file }, { file: required(PATH) });
  checkOptions("loadMcpConfig()", options, OPTIONS);
  const { trustProject = false, files = diskFiles, env = process.env, home = homedir() } = options;
  const path = files.onDisk ? resolve(file) : file;
  // The owner of a file is read from the file itself, not from a link to it; and that file is the one that is read.
  const real = await files.realPath(path).catch(() => path);
  const isTrusted = files.onDisk === true && (trustProject || (await isUsersOwn(dirname(real), home)));
  const problems: McpConfigProblem[] = [];
  const text = await readText(files, real, problems);
  const entries = text === null ? [] : findEntries(text, path, problems);
  const found: Server[] = [];
  for (const { name, value, lineOf } of entries) {
    const report = (field: string, message: string) => {
      problems.push({ file: path, line: lineOf(field), server: name, field, message });
    };
    if (found.some((other) => other.name === name)) report("", "is there twice; the first one is used");
    else {
      const read = readServerEntry(name, value, report);
      const server = read && isTrusted ? expandEntry(read, env, report) : read;
      const refusal = (server && options.refusal?.(server)) ?? null;
      if (refusal !== null) report("", `${refusal}, so it is not started`);
      else if (server) found.push(isTrusted ? placed(server, dirname(path)) : server);
    }
  }
  const servers = Object.freeze(found);
  return { servers: isTrusted ? servers : [], untrusted: isTrusted ? [] : servers, problems: Object.freeze(problems) };
}

function placed(server: Server, directory: string): Server {
  if (!("command" in server)) return server;
  const { cwd = "." } = server;
  return { ...server, cwd: isAbsolute(cwd) ? cwd : resolve(directory, cwd) };
}

async function readText(files: ProjectFiles, file: string, problems: McpConfigProblem[]): Promise<string | null> {
  try {
    const bytes = await readProjectFile(files, file, { maxBytes: MAX_FILE_BYTES });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    const { trouble, message } = error as ProjectFileError;
    if (trouble !== "missing")
      problems.push({ file, line: 1, server: "", field: "", message: message.replace(/^it /, "") });
    return null;
  }
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
  lineOf(field: string): number;
}

function findEntries(text: string, file: string, problems: McpConfigProblem[]): Entry[] {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const wrong = (message: string, offset = 0) => {
    problems.push({ file, line: lineAt(offset), server: "", field: "", message });
    return [];
  };
  if (text.trim() === "") return [];
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) return wrong(`is not valid JSON: ${printParseErrorCode(first.error)}`, first.offset);
  if (tree?.type !== "object") return wrong("does not hold a JSON object");
  const named = findNodeAtLocation(tree, ["mcpServers"]) ?? findNodeAtLocation(tree, ["servers"]);
  if (named && named.type !== "object")
    return wrong("its list of servers must be an object of servers by name", named.offset);
  const map = named ?? tree;
  if (!named && !looksLikeServers(tree)) return wrong('has no "mcpServers"');
  return (map.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    if (!key || !value) return [];
    return [
      { name: String(key.value), value: getNodeValue(value), lineOf: (field) => lineAt(nodeOf(value, field).offset) },
    ];
  });
}

/** A bare map of servers, rather than the settings of something else. */
function looksLikeServers(tree: Node): boolean {
  const values = (tree.children ?? []).map(({ children }) => children?.[1]);
  return values.every((value) => value?.type === "object") || values.some((value) => value && isEntry(value));
}

function isEntry(value: Node): boolean {
  return ["command", "url"].some(
    (field) => value.type === "object" && findNodeAtLocation(value, [field]) !== undefined,
  );
}

function nodeOf(entry: Node, field: string): Node {
  const [, name = "", index, inner] = /^([^.[]*)(?:\[(\d+)\]|\.(.*))?$/.exec(field) ?? [];
  const path = [name, ...(index === undefined ? [] : [Number(index)]), ...(inner === undefined ? [] : [inner])];
  return (field === "" ? undefined : findNodeAtLocation(entry, path)) ?? entry;
}
