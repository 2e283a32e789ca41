// The command line, read against a table: an option that is not in it is refused with the nearest one that is.
import { parseArgs } from "node:util";
import type { PermissionMode } from "../contracts/permission.js";
import { nearestNames } from "../text/nearest-names.js";
import { UsageError } from "./exit-codes.js";
import { readBudget, type SessionBudget } from "./sessions/session-budget.js";

export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const COMMANDS = ["demo", "inspect", "migrate", "sessions", "trust"] as const;

/** The parsed command line. */
export interface CommandLine {
  /** `chat`: the agent, interactive or with `print`. */
  readonly command: "chat" | "help" | "version" | (typeof COMMANDS)[number];
  /** The words after the options: of a prompt, or a command's arguments. */
  readonly words: readonly string[];
  /** Run one prompt, print what comes of it, and end. */
  readonly print: boolean;
  readonly outputFormat: OutputFormat;
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly addDirectories: readonly string[];
  /** Plugins that are loaded, and trusted, this time. */
  readonly pluginDirectories: readonly string[];
  readonly directory?: string | undefined;
  readonly resume?: string | undefined;
  readonly continueLast: boolean;
  readonly maxTurns?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly budget?: SessionBudget | undefined;
  readonly maxTokens?: number | undefined;
  readonly trustProject: boolean;
  readonly sandbox: boolean;
  /** The image of a container in which the tools run, on the project's own files. */
  readonly docker?: string | undefined;
  /** The container gets the network of its engine. */
  readonly dockerNetwork: boolean;
  /** The project on another host, as `user@host:/srv/app`. */
  readonly ssh?: string | undefined;
  readonly init: boolean;
  /** For `inspect`: keep a page up to date at a local address. */
  readonly serve: boolean;
  /** For `inspect`: where the page is written. */
  readonly out?: string | undefined;
  /** For `migrate`: where the database is. */
  readonly databaseUrl?: string | undefined;
}

interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
}

const FLAGS = {
  print: { type: "boolean", short: "p" },
  "output-format": { type: "string" },
  model: { type: "string", short: "m" },
  "permission-mode": { type: "string" },
  "allowed-tools": { type: "string", multiple: true },
  "disallowed-tools": { type: "string", multiple: true },
  "add-dir": { type: "string", multiple: true },
  "plugin-dir": { type: "string", multiple: true },
  dir: { type: "string", short: "C" },
  resume: { type: "string", short: "r" },
  continue: { type: "boolean", short: "c" },
  "max-turns": { type: "string" },
  "max-cost": { type: "string" },
  "max-tokens": { type: "string" },
  budget: { type: "string" },
  "trust-project": { type: "boolean" },
  sandbox: { type: "boolean" },
  docker: { type: "string" },
  "docker-network": { type: "boolean" },
  ssh: { type: "string" },
  init: { type: "boolean" },
  serve: { type: "boolean" },
  out: { type: "string", short: "o" },
  "database-url": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const satisfies Readonly<Record<string, Flag>>;

/** Written here again: to load the permissions for their names would hold the first frame up. */
const MODES = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly PermissionMode[];

type FlagName = keyof typeof FLAGS;

/** @throws UsageError that names what is wrong and what would be right */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const given = new Map<FlagName, (string | true)[]>();
  const words: string[] = [];
  let first: string | undefined;
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { type, ...rest }]) => [name, { type, ...rest }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option-terminator") first ??= "";
    if (token.kind === "positional") {
      words.push(token.value);
      first ??= given.has("print") ? "" : token.value;
    }
    if (token.kind !== "option") continue;
    const name = knownName(token.name, token.rawName);
    given.set(name, [...(given.get(name) ?? []), givenValue(name, token)]);
  }
  const text = (name: FlagName) => given.get(name)?.at(-1) as string | undefined;
  const texts = (name: FlagName) => (given.get(name) ?? []) as string[];
  const flag = (name: FlagName) => given.has(name);

  // Behind -p or -- a word is a prompt's, whatever it says.
  const found = COMMANDS.find((name) => name === first);
  const command = flag("help") || first === "help" ? "help" : flag("version") ? "version" : (found ?? "chat");
  const line: CommandLine = {
    command,
    words: found ? words.slice(1) : words,
    print: flag("print"),
    outputFormat: oneOfThese("--output-format", text("output-format"), OUTPUT_FORMATS) ?? "text",
    model: text("model"),
    permissionMode: oneOfThese("--permission-mode", text("permission-mode"), MODES),
    allowedTools: texts("allowed-tools").flatMap(splitRules),
    disallowedTools: texts("disallowed-tools").flatMap(splitRules),
    addDirectories: texts("add-dir"),
    pluginDirectories: texts("plugin-dir"),
    directory: text("dir"),
    resume: text("resume"),
    continueLast: flag("continue"),
    maxTurns: positive("--max-turns", text("max-turns"), true),
    maxCostUsd: positive("--max-cost", text("max-cost"), false),
    maxTokens: positive("--max-tokens", text("max-tokens"), true),
    budget: given.has("budget") ? readBudget(text("budget")!) : undefined,
    trustProject: flag("trust-project"),
    sandbox: flag("sandbox"),
    docker: text("docker"),
    dockerNetwork: flag("docker-network"),
    ssh: text("ssh"),
    init: flag("init"),
    serve: flag("serve"),
    out: text("out"),
    databaseUrl: text("database-url"),
  };
  checkCombination(line, new Set(given.keys()));
  return line;
}

function knownName(name: string, rawName: string): FlagName {
  if (Object.hasOwn(FLAGS, name)) return name as FlagName;
  const [nearest] = nearestNames(
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    Object.keys(FLAGS),
    1,
  );
  const hint = nearest ? ` Did you mean --${nearest}?` : "";
  throw new UsageError(`There is no option ${rawName}.${hint} See loopwright --help.`);
}

function givenValue(
  name: FlagName,
  { value, rawName }: { value?: string | undefined; rawName: string },
): string | true {
  if (FLAGS[name].type === "boolean") {
    if (value === undefined) return true;
    throw new UsageError(`${rawName} takes no value, but got "${value}".`);
  }
  if (value === undefined || value === "") throw new UsageError(`${rawName} needs a value. See loopwright --help.`);
  return value;
}

function oneOfThese<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((each) => each === value);
  if (found) return found;
  const [nearest] = nearestNames(value, allowed, 1);
  const hint = nearest ? ` Did you mean ${nearest}?` : "";
  throw new UsageError(`${option} is "${value}".${hint} It takes ${allowed.join(", ")}.`);
}

function positive(option: string, value: string | undefined, isWhole: boolean): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (number > 0 && (!isWhole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`${option} is "${value}"; expected a ${isWhole ? "whole " : ""}number above 0.`);
}

function checkCombination(line: CommandLine, given: ReadonlySet<FlagName>): void {
  if (line.command === "help" || line.command === "version") return;
  if (line.resume !== undefined && line.continueLast) {
    throw new UsageError("--resume names a session and --continue takes the newest one: give one of them.");
  }
  const misplaced = (["serve", "out"] as const).find((name) => given.has(name) && line.command !== "inspect");
  if (misplaced) throw new UsageError(`--${misplaced} belongs to loopwright inspect.`);
  if (line.databaseUrl !== undefined && line.command !== "migrate") {
    throw new UsageError("--database-url belongs to loopwright migrate.");
  }
  checkMachine(line, given);
  if (line.budget && (line.print || line.command !== "chat")) {
    throw new UsageError("--budget is for a conversation; with -p, limit the run: --max-cost or --max-tokens.");
  }
  if (given.has("output-format") && !line.print && line.command === "chat") {
    throw new UsageError("--output-format is about what is printed without a conversation: add -p.");
  }
  if (line.outputFormat === "stream-json" && line.command !== "chat") {
    throw new UsageError("--output-format stream-json is for -p only.");
  }
  const taken = { chat: Number.POSITIVE_INFINITY, demo: 0, sessions: 0, migrate: 0, inspect: 1, trust: 0 }[
    line.command
  ];
  const extra = line.words[taken];
  if (extra !== undefined) throw new UsageError(`loopwright ${line.command} does not take "${extra}".`);
}

/** With `--docker` or `--ssh` some options have no meaning: none is silently ignored. */
function checkMachine({ command, docker, ssh }: CommandLine, given: ReadonlySet<FlagName>): void {
  if (given.has("docker-network") && docker === undefined)
    throw new UsageError("--docker-network belongs to --docker.");
  if (docker === undefined && ssh === undefined) return;
  const option = docker === undefined ? "--ssh" : "--docker";
  const reasons = {
    docker: ssh === undefined ? null : "it says another place for the tools",
    sandbox: "the operating system's sandbox is for commands on this machine",
    "trust-project": "what the files of a machine say never starts anything here",
    dir: docker === undefined ? "the directory is behind the host, as in user@host:/srv/app" : null,
  };
  for (const [name, reason] of Object.entries(reasons) as [FlagName, string | null][]) {
    if (reason !== null && given.has(name)) throw new UsageError(`${option} does not go with --${name}: ${reason}.`);
  }
  if (command === "chat" || (ssh !== undefined && (command === "sessions" || command === "inspect"))) return;
  throw new UsageError(`${option} does not belong to loopwright ${command}.`);
}

/** `Bash(git log *), Edit` as two rules: they are parted by commas or spaces outside parentheses. */
function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = "";
  let depth = 0;
  for (const char of text) {
    if (depth === 0 && /[\s,]/.test(char)) {
      rules.push(rule);
      rule = "";
      continue;
    }
    if (char === "(") depth += 1;
    if (char === ")") depth = Math.max(0, depth - 1);
    rule += char;
  }
  return [...rules, rule].filter((each) => each !== "");
}
