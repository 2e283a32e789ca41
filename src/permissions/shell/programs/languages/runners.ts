import { mentionFiles } from "../../invocation/mentions.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, each, RUNS_CODE, STARTS } from "../reach.js";

/** Of so many first words it is asked whether they are programs. */
const MAX_STARTS = 8;

/** Tools that start the programs of a project, or set something up for them. To allow the tool is to allow what it starts. */
export const RUNNER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  npx: runner(
    "npm 9.2 documentation",
    "-y --yes --no -q --quiet --no-install --prefer-offline",
    "-p --package -w --workspace",
    "-c --call",
  ),
  bunx: runner("Bun 1.0 documentation", "--bun -y", "-p --package"),
  uvx: runner("uv 0.4 documentation", "-q", "--from --with -p --python"),
  bundle: subcommandRunner("Bundler 2.3 documentation", /^exec$/),
  direnv: subcommandRunner("direnv 2.32 manual", /^exec$/, 1),
  corepack: {
    manual: "Corepack 0.17 documentation",
    informs: "--version -v",
    does: BUILDS,
    anyOptions: true,
    analyze: (call) => call.start(call.args, { impliedByParent: true }),
  },
  "cross-env": starter("cross-env 7 documentation"),
  "env-cmd": starter("env-cmd 10 documentation"),
  dotenv: starter("dotenv-cli 7 documentation"),
  dotenvx: starter("dotenvx 1 documentation"),
  foreman: starter("Foreman 0.87 documentation"),
  ...each("conda mamba", {
    ...starter("conda 23 and Mamba 1.5 documentations"),
    commands: {
      "list|info|env list": { kind: "reads", flags: "-e -a --json --export --envs --all", values: "-n --name" },
    },
  }),
  ...each("asdf mise pyenv rbenv nodenv", {
    ...starter("asdf 0.13, mise 2024, pyenv 2.3 and rbenv 1.2 documentations"),
    informs: "--version version versions",
  }),
  nix: starter("Nix 2.18 manual"),
  perf: starter("perf 6.1 manual"),
  setpriv: starter("util-linux 2.38 manual"),
  gosu: starter("gosu 1.14 documentation"),
  "su-exec": starter("su-exec 0.2 documentation"),
  tini: starter("tini 0.19 documentation"),
  "dumb-init": starter("dumb-init 1.2 documentation"),
  "start-stop-daemon": starter("dpkg 1.21 manual"),
  chronic: starter("moreutils 0.67 manual"),
  ifne: starter("moreutils 0.67 manual"),
  ts: starter("moreutils 0.67 manual"),
  pee: starter("moreutils 0.67 manual"),
  sg: starter("shadow 4.13 manual"),
  capsh: starter("libcap 2.66 manual"),
  hyperfine: { ...starter("hyperfine 1.18 documentation"), informs: "--version -V" },
  concurrently: starter("concurrently 8 documentation"),
  nodemon: starter("nodemon 3 documentation"),
  "nix-shell": starter("Nix 2.18 manual"),
};

/** Tools for a project's programs: any of their words may be the program, or its command line in one text. */
function starter(manual: string): ProgramRow {
  return {
    manual,
    does: STARTS,
    anyOptions: true,
    analyze(call) {
      mentionFiles(call);
      for (const [index, { prefix, value }] of call.args.slice(0, MAX_STARTS).entries()) {
        if (value !== null && /\s/.test(value)) call.mayRun(value);
        else if (value !== null && !/^-|^[A-Za-z_]\w*=/.test(prefix))
          call.start(call.args.slice(index), { impliedByParent: true });
      }
    },
  };
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
    analyze: (call, { operands }) => call.start(operands, { impliedByParent: true }),
  };
}

function subcommandRunner(manual: string, subcommand: RegExp, skip = 0): ProgramRow {
  return {
    manual,
    does: BUILDS,
    informs: "--version -v",
    anyOptions: true,
    analyze(call) {
      const at = call.args.findIndex(({ value }) => subcommand.test(value ?? ""));
      if (at === -1) return;
      const words = call.args.slice(at + 1 + skip);
      const first = words.findIndex(({ prefix }) => !prefix.startsWith("-"));
      if (first !== -1) call.start(words.slice(first), { impliedByParent: true });
    },
  };
}
