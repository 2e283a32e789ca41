import { longPattern } from "../../../long-pattern.js";
import { DESTROYS, PUBLISHES } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, RUNS_CODE, STARTS, VERSION } from "../reach.js";

/** Tools that start the programs of a project. To allow the tool is to allow what it starts. */
export const RUNNER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  npx: runner(
    "npm 9.2 documentation",
    "-y --yes --no -q --quiet --no-install --prefer-offline",
    "-p --package -w --workspace",
    "-c --call",
  ),
  bunx: runner("Bun 1.0 documentation", "--bun -y", "-p --package"),
  uvx: runner("uv 0.4 documentation", "-q", "--from --with -p --python"),
  // It restarts itself in the version that the project locks, which the settings may say where to find.
  "bundle bundler": manager("Bundler 2.3 documentation", { informs: "--version -v", steeredBy: ".bundle" }),
  direnv: starter("direnv 2.32 manual", { informs: "--version" }),
  corepack: starter("Corepack 0.17 documentation", { does: BUILDS, informs: "--version -v" }),
  // They read a file of variables, which their words need not name.
  "env-cmd dotenv dotenv-cli dotenvx foreman honcho": starter("their documentations, 2024", {
    readsBesides: { file: ".env", unless: /^(?:-[ef]|--(?:env|file)\b)/ },
  }),
  [`cross-env concurrently nodemon nix nix-shell perf setpriv gosu su-exec tini dumb-init start-stop-daemon chronic ifne
    ts pee sg capsh`]: starter("their documentations, 2024"),
  "doppler infisical": starter("Doppler CLI 3 and Infisical CLI 0.28 documentations", { informs: "--version -v" }),
  "conda mamba": {
    ...starter("conda 23 and Mamba 1.5 documentations", { informs: "--version -V" }),
    commands: {
      "list|info|env list": { kind: "reads", flags: "-e -a --json --export --envs --all", values: "-n --name" },
    },
    destroys: DESTROYS,
    starts: {
      from: "any",
      unless: /^(?:list|info|search|config|activate|deactivate|create|install|update|remove|env|clean|init)$/,
    },
  },
  "asdf mise": starter("asdf 0.13 and mise 2024 documentations", { informs: "--version version versions" }),
  "pyenv rbenv nodenv": {
    ...starter("pyenv 2.3 and rbenv 1.2 documentations", { informs: "--version version versions" }),
    commands: { "which|whence|prefix|root": { kind: "reads" } },
    destroys: DESTROYS,
    starts: { from: "any", unless: /^(?:which|whence|prefix|root|install|uninstall|global|local|shell|rehash)$/ },
  },
  hyperfine: starter("hyperfine 1.18 documentation", { informs: "--version -V" }),
  // Plugins of the project are loaded before some of them print their version.
  uv: manager("uv 0.4 documentation", {
    informs: VERSION,
    helps: longPattern`^(?:run|init|add|remove|sync|lock|export|tree|tool|python|venv|build|cache|pip(?: (?:install|
      list|freeze|compile|sync|show))?)$`,
  }),
  poetry: manager("Poetry 1.3 documentation"),
  "pipx pipenv hatch rye": manager("their documentations, 2024", { informs: VERSION }),
  pdm: manager("PDM 2.4 documentation"),
};

/** Their options are in no table: any of their words may be the program, or its command line in one text. */
export function starter(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  return { manual, does: STARTS, anyOptions: true, starts: { from: "any" }, ...more };
}

/** The same where what is started is not known well enough for a rule about the program. */
export function opaqueStarter(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  return starter(manual, { does: RUNS_CODE, starts: { from: "any", opaque: true }, ...more });
}

/** Tools that set a project up, and start its programs behind one word. */
function manager(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  const destroys = [[/^publish(?= |$)/, PUBLISHES]] as const;
  return { manual, does: BUILDS, anyOptions: true, destroys, starts: { from: "run" }, ...more };
}

/** Tools that start a program of the project by its name. */
function runner(manual: string, flags: string, values: string, runs?: string): ProgramRow {
  return {
    manual,
    does: RUNS_CODE,
    informs: "--version -v --help",
    flags,
    values,
    runs,
    posix: true,
    starts: { from: "operands", implied: true },
  };
}
