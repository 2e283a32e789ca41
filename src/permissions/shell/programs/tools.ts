import { literalWord, type ShellWord } from "../shell-word.js";
import { mentionFiles } from "./mentions.js";
import type { ProgramCall, ProgramEntry } from "./program.js";

/** What of a tool only reads: its first words that are not options, joined by a space. */
interface ToolReads {
  readonly source: string;
  readonly reading?: RegExp;
}

/** Of its settings only those that hold no secret by their names. */
const NPM =
  /^(?:(?:ls|list|ll|la|explain|why|pkg get)\b.*|root|prefix|bin|help|run|config (?:list|ls)|config get (?!.*(?:auth|token|pass|cert|key|user))[a-z-]+)$/;

/**
 * Compilers, interpreters, package managers and other tools of developers. They run code of the project by nature, so none is
 * read-only but for what is listed.
 */
const TOOLS: Readonly<Record<string, ToolReads>> = {
  node: { source: "Node.js 20 documentation" },
  deno: { source: "Deno 1.40 documentation" },
  bun: { source: "Bun 1.0 documentation" },
  npm: { source: "npm 10 documentation", reading: NPM },
  pnpm: { source: "pnpm 8 documentation", reading: /^(?:(?:ls|list|ll|why)\b.*|root|bin)$/ },
  yarn: { source: "Yarn 1.22 documentation", reading: /^(?:(?:list|why)\b.*|bin)$/ },
  tsc: { source: "TypeScript 5 documentation", reading: /^--showConfig$/ },
  tsx: { source: "tsx 4 documentation" },
  eslint: { source: "ESLint 9 documentation" },
  prettier: { source: "Prettier 3 documentation" },
  jest: { source: "Jest 29 documentation" },
  vitest: { source: "Vitest 3 documentation" },
  python: { source: "python(1), 3.11" },
  python2: { source: "python(1), 2.7" },
  python3: { source: "python(1), 3.11" },
  pip: { source: "pip 23 documentation", reading: /^(list|show|freeze|check|help)\b/ },
  pip3: { source: "pip 23 documentation", reading: /^(list|show|freeze|check|help)\b/ },
  pytest: { source: "pytest 7 documentation" },
  ruff: { source: "Ruff 0.5 documentation" },
  mypy: { source: "mypy 1.8 documentation" },
  black: { source: "Black 24 documentation" },
  perl: { source: "perlrun(1), 5.36" },
  ruby: { source: "ruby(1), 3.1" },
  php: { source: "php(1), 8.2" },
  lua: { source: "lua(1), 5.4" },
  java: { source: "JDK 17 documentation", reading: /^-version$/ },
  javac: { source: "JDK 17 documentation" },
  mvn: { source: "Maven 3.8 documentation" },
  gradle: { source: "Gradle 8 documentation" },
  go: {
    source: "Go 1.22 documentation",
    reading: /^(?:version|env|list|(?:help|doc|env|list|mod (?:graph|why|verify))\b.*)$/,
  },
  cargo: {
    source: "Cargo 1.75 documentation",
    reading: /^(?:(?:tree|version|locate-project|read-manifest|pkgid)\b|(?:help|--list)$|metadata (?=.*--no-deps))/,
  },
  rustc: { source: "rustc 1.75 documentation" },
  rustup: { source: "rustup 1.26 documentation", reading: /^(?:show|which|(?:toolchain|component|target) list)\b/ },
  dotnet: { source: ".NET 8 documentation" },
  swift: { source: "Swift 5.9 documentation" },
  make: { source: "GNU make 4.3 manual" },
  cmake: { source: "CMake 3.25 documentation" },
  ninja: { source: "Ninja 1.11 manual" },
  gcc: { source: "GCC 12 manual" },
  "g++": { source: "GCC 12 manual" },
  cc: { source: "GCC 12 manual" },
  clang: { source: "Clang 14 documentation" },
  terraform: { source: "Terraform 1.6 documentation", reading: /^version$/ },
  aws: { source: "AWS CLI 2 documentation" },
  gcloud: { source: "Google Cloud CLI documentation, 2024" },
  az: { source: "Azure CLI 2 documentation" },
  helm: { source: "Helm 3.13 documentation" },
  psql: { source: "psql(1), PostgreSQL 15" },
  mysql: { source: "mysql(1), MySQL 8.0" },
  mariadb: { source: "mariadb(1), 10.11" },
  sqlite3: { source: "SQLite 3.40 documentation" },
  mongosh: { source: "mongosh 2 documentation" },
  "redis-cli": { source: "Redis 7 documentation" },
  brew: { source: "Homebrew 4 manual", reading: /^(list|info|--prefix)\b/ },
  apt: { source: "apt(8), 2.6", reading: /^(list|show|search|policy)\b/ },
  "apt-get": { source: "apt-get(8), 2.6" },
  "apt-cache": { source: "apt-cache(8), 2.6", reading: /^(show|search|policy|depends|rdepends|madison)\b/ },
  dpkg: { source: "dpkg(1), 1.21" },
  yum: { source: "yum(8), 4.14" },
  dnf: { source: "dnf(8), 4.14" },
  apk: { source: "apk(8), 2.14" },
  gpg: { source: "gpg(1), 2.2" },
  openssl: { source: "OpenSSL 3.0 manual", reading: /^version$/ },
};

const ASKS_VERSION = /^(--version|-V|-v|--help|-h|-version)$/;
/** `-v` and `-h` mean something else to these. */
const VERSION_IN_FULL = new Set([
  "psql",
  "mysql",
  "mariadb",
  "python",
  "python3",
  "python2",
  "perl",
  "ruby",
  "make",
  "mongosh",
  "redis-cli",
  "java",
]);

export const TOOL_PROGRAMS: Readonly<Record<string, ProgramEntry>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, tool]): [string, ProgramEntry] => [name, entryOf(tool)]),
);

function entryOf({ source, reading }: ToolReads): ProgramEntry {
  return {
    source,
    nature: "acts",
    analyze(call) {
      if (asksVersion(call)) return call.onlyReads();
      if (reading && isReading(call.args, reading)) return call.onlyReads();
      startsProgram(call);
      mentionFiles(call);
    },
  };
}

/** Options of commands that read, which only choose what is shown. */
const SHOWING =
  /^(?:--?(?:depth|all|json|long|parseable|global|prod|production|omit|format|outdated|uptodate|not-required|user|local|files|verbose|quiet|m|f|a|g|l|v|q|e|i|p|short|client|invert|edges|features|charset|no-dedupe|no-deps|format-version|d|duplicates|workspace|package|deps|find)(?:=.*)?)$/;

function isReading(args: readonly ShellWord[], reading: RegExp): boolean {
  const words = args.map(({ value }) => value);
  if (!words.every((word) => word !== null)) return false;
  const options = words.filter((word) => word.startsWith("-"));
  const isOption = reading.test(words.join(" ")) && words.length === 1;
  const operands = words.filter((word) => !word.startsWith("-"));
  return (
    isOption ||
    (options.every((word) => SHOWING.test(word)) && [words, operands].some((some) => reading.test(some.join(" "))))
  );
}

function asksVersion(call: ProgramCall): boolean {
  const [first, ...others] = call.args;
  // It runs the project's `conftest.py` first.
  if (others.length > 0 || !first?.value || call.program === "pytest" || !ASKS_VERSION.test(first.value)) return false;
  return first.value.startsWith("--") || first.value === "-V" || !VERSION_IN_FULL.has(call.program);
}

const EXECUTES: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x|explore)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
};
/** Options may stand before the command, some with a value in the next word. */
const MAX_LOOKED_AT = 8;

/** `npm exec -- vitest` and the like: to allow the tool is to allow what it starts, but not code for a shell. */
function startsProgram(call: ProgramCall): void {
  const execute = EXECUTES[call.program];
  const at = call.args.slice(0, MAX_LOOKED_AT).findIndex(({ value }) => execute?.test(value ?? ""));
  if (at === -1) return;
  const others = call.args.slice(at + 1);
  const asked = others.findIndex(({ value }) => /^(?:-c|--call)(?:=|$)/.test(value ?? ""));
  const end = others.findIndex(({ value }) => value === "--");
  if (asked !== -1 && (end === -1 || asked < end)) {
    const glued = /=(.*)$/s.exec(others[asked]!.value ?? "")?.[1];
    const code = glued === undefined ? others[asked + 1] : literalWord(glued);
    call.doubt("option", `"${others[asked]!.raw}" makes "${call.program}" run an argument as a command line`);
    if (code) call.script(code, { impliedByParent: true });
  }
  const rest = end === -1 ? others : others.slice(end + 1);
  const first = rest.findIndex((word: ShellWord) => !word.prefix.startsWith("-"));
  if (first !== -1) call.start(rest.slice(first), { impliedByParent: true });
}
