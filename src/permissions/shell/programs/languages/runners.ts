import { mentionFiles } from "../../invocation/mentions.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { literalWord } from "../../words/shell-word.js";
import { LOSES, PUBLISHES } from "../losses.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, RUNS_CODE, STARTS, VERSION } from "../reach.js";

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
  // It restarts itself in the version that the project locks, which the settings may say where to find.
  bundle: manager("Bundler 2.3 documentation", { informs: "--version -v", steeredBy: ".bundle" }),
  direnv: starter("direnv 2.32 manual", { informs: "--version" }),
  corepack: starter("Corepack 0.17 documentation", { does: BUILDS, informs: "--version -v" }),
  // They read a file of variables, which their words need not name.
  "env-cmd dotenv dotenv-cli dotenvx foreman honcho": starter("their documentations, 2024", {
    analyze(call) {
      if (!call.args.some(({ value }) => /^(?:-[ef]|--(?:env|file)\b)/.test(value ?? "")))
        call.mayRead(literalWord(".env"));
      startsAny(call);
    },
  }),
  "cross-env concurrently nodemon nix nix-shell perf setpriv gosu su-exec tini dumb-init start-stop-daemon chronic ifne ts pee sg capsh":
    starter("their documentations, 2024"),
  "doppler infisical": starter("Doppler CLI 3 and Infisical CLI 0.28 documentations", { informs: "--version -v" }),
  "conda mamba": {
    ...starter("conda 23 and Mamba 1.5 documentations", { informs: "--version -V" }),
    commands: {
      "list|info|env list": { kind: "reads", flags: "-e -a --json --export --envs --all", values: "-n --name" },
    },
    losses: LOSES,
    analyze: startsUnless(
      /^(?:list|info|search|config|activate|deactivate|create|install|update|remove|env|clean|init)$/,
    ),
  },
  "asdf mise": starter("asdf 0.13 and mise 2024 documentations", { informs: "--version version versions" }),
  "pyenv rbenv nodenv": {
    ...starter("pyenv 2.3 and rbenv 1.2 documentations", { informs: "--version version versions" }),
    commands: { "which|whence|prefix|root": { kind: "reads" } },
    losses: LOSES,
    analyze: startsUnless(/^(?:which|whence|prefix|root|install|uninstall|global|local|shell|rehash)$/),
  },
  hyperfine: starter("hyperfine 1.18 documentation", { informs: "--version -V" }),
  // Plugins of the project are loaded before some of them print their version.
  uv: manager("uv 0.4 documentation", {
    informs: VERSION,
    helps:
      /^(?:run|init|add|remove|sync|lock|export|tree|tool|python|venv|build|cache|pip(?: (?:install|list|freeze|compile|sync|show))?)$/,
  }),
  poetry: manager("Poetry 1.3 documentation"),
  "pipx pipenv hatch rye": manager("their documentations, 2024", { informs: VERSION }),
  pdm: manager("PDM 2.4 documentation"),
};

/** They start programs, with options that are in no table: any of their words may be the program, or its command line in one text. */
export function starter(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  return { manual, does: STARTS, anyOptions: true, analyze: startsAny, ...more };
}

/** The same where what is started is not known well enough for a rule about the program. */
export function opaqueStarter(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  const analyze = (call: ProgramCall) => {
    call.doubt("opaque", `which program "${call.program}" starts is not clear`);
    startsAny(call);
  };
  return starter(manual, { does: RUNS_CODE, analyze, ...more });
}

function startsAny(call: ProgramCall): void {
  mentionFiles(call);
  // `parallel rm ::: a b`: each becomes the last word, as each line of the input may.
  const end = call.args.findIndex(({ value }) => /^:::?:?\+?$/.test(value ?? ""));
  const words = end === -1 ? call.args : call.args.slice(0, end);
  const lines = call.input.kind === "text" ? call.input.text.split("\n").filter(Boolean) : [];
  const last = [...(end === -1 ? [] : call.args.slice(end + 1)), ...lines.map(literalWord)].slice(0, MAX_STARTS);
  const command = words.slice(words.findIndex(({ prefix }) => !prefix.startsWith("-")));
  for (const word of last) call.start([...command, word], { impliedByParent: true });
  for (const { value } of last) if (value !== null) call.mayRun(value);
  for (const [index, { prefix, value }] of words.slice(0, MAX_STARTS).entries()) {
    const code = value?.replace(/^--?[\w-]+=/, "") ?? "";
    if (/\s/.test(code)) call.mayRun(code);
    else if (value !== null && !/^-|^[A-Za-z_]\w*=/.test(prefix))
      call.start(words.slice(index), { impliedByParent: true });
  }
}

/** Its command may be one that starts nothing. */
function startsUnless(looks: RegExp): (call: ProgramCall) => void {
  return (call) => {
    if (!looks.test(call.args[0]?.value ?? "")) startsAny(call);
  };
}

/** Tools that set a project up, and start its programs behind one word. */
function manager(manual: string, more: Partial<ProgramRow> = {}): ProgramRow {
  const analyze = (call: ProgramCall) => {
    mentionFiles(call);
    const words = call.args.slice(call.args.findIndex(({ value }) => /^(?:run|exec)$/.test(value ?? "")) + 1);
    const first = words.findIndex(({ prefix }) => !prefix.startsWith("-"));
    if (words.length < call.args.length && first !== -1) call.start(words.slice(first), { impliedByParent: true });
  };
  return { manual, does: BUILDS, anyOptions: true, losses: [[/^publish(?= |$)/, PUBLISHES]], analyze, ...more };
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
