// Code that comes from the network, or that the line decodes first, must not be run unseen.
import { longPattern } from "../../long-pattern.js";
import type { AnalyzedCommand, CommandAnalysis, Destruction } from "../analysis.js";
import { baseName } from "../programs/table.js";
import { isShell } from "../script/shells.js";

export type AddDestruction = (tier: Destruction["tier"], command: number | null, reason: string) => void;

export const INTERPRETERS = longPattern`^(?:python[\d.]*|pypy[\d.]*|perl|ruby|node|nodejs|php|lua|luajit|deno|bun|tsx|
  ts-node|osascript|R|Rscript|julia|groovy|elixir|tclsh|expect)$`;
export const CODE_OPTIONS = /^(?:-[a-zA-Z]*[ceErp]|--eval|--print|eval|-e)$/;
const SCRIPT_READERS = /^(?:eval|source|\.)$/;

/** Code from the network must not be run unseen. */
export function assessDownloads(analysis: CommandAnalysis, add: AddDestruction): void {
  const { commands, effects, pipes } = analysis;
  const reached = new Set(effects.filter(({ kind }) => kind === "network").map(({ command }) => command));
  const decoders = commands.flatMap((command, index) => (!reached.has(index) && decodes(command) ? index : []));
  for (const source of [...reached, ...decoders]) {
    const [tier, reason] = reached.has(source)
      ? (["catastrophic", "It runs code straight from the network"] as const)
      : (["recoverable", "It runs code that it decodes first"] as const);
    for (let at: number | null = source; at !== null; at = commands[at]!.parentIndex ?? commands[at]!.startedBy) {
      const command = commands[at]!;
      if (at !== source && commands[source]!.startedBy !== at && runsWhatItReads(command)) {
        add(tier, at, reason);
      }
      for (const { first, end } of pipes) {
        if (at < first || at >= end) continue;
        for (let next = at + 1; next < end; next++) {
          if (commands[next]!.parentIndex === null && runsItsInput(commands[next]!)) {
            add(tier, next, reason);
          }
        }
      }
    }
    if (
      SPEAKS.test(commands[source]!.program ?? "") &&
      commands.some((each) => each.startedBy === source && runsItsInput(each))
    )
      add("catastrophic", source, "It gives a shell to the network");
    assessSaved(analysis, source, add);
  }
}

/** The program they start reads and writes a connection. */
const SPEAKS = /(?:^|\/)(?:nc|ncat|netcat|socat)$/;

const DECODERS = /^(?:base64|base32|basenc|uudecode|xxd|openssl|gpg|rev|tr|printf)$/;

/** It prints something else than it is given: what that is cannot be seen. */
function decodes({ program, words }: AnalyzedCommand): boolean {
  const name = baseName(program ?? "");
  return DECODERS.test(name) && (name !== "printf" || (words[1] ?? "\\").includes("\\"));
}

function runsWhatItReads(command: AnalyzedCommand): boolean {
  const name = baseName(command.program ?? "");
  if (command.program === null) return true;
  return SCRIPT_READERS.test(name) || isShell(name) || INTERPRETERS.test(name);
}

/** A shell or an interpreter without a script of its own, or with one that its input makes. */
function runsItsInput(command: AnalyzedCommand): boolean {
  const name = baseName(command.program ?? "");
  const args = command.words.slice(1);
  if (isShell(name)) {
    const at = args.findIndex((word) => /^-[abd-z]*c[a-z]*$/.test(word ?? ""));
    if (at !== -1) return args[at + 1] === null;
    const file = args.find((word) => word === null || !word.startsWith("-"));
    return file === undefined || args.includes("-s") || args.includes("/dev/stdin");
  }
  if (/^(?:source|\.)$/.test(name)) return args[0] === "/dev/stdin";
  if (!INTERPRETERS.test(name)) return false;
  return args.every(
    (word) =>
      word === "-" || word === "/dev/stdin" || (word?.startsWith("-") && !CODE_OPTIONS.test(word) && word !== "-m"),
  );
}

/** A file is fetched, and run by the same script. */
function assessSaved({ commands, effects, pipes }: CommandAnalysis, source: number, add: AddDestruction): void {
  // A command behind it in a pipe may save its download.
  const end = Math.max(source + 1, ...pipes.flatMap((pipe) => (pipe.first <= source ? pipe.end : [])));
  const saved = new Set(
    effects.flatMap((effect) =>
      effect.kind === "write" && effect.command >= source && effect.command < end ? (effect.path ?? []) : [],
    ),
  );
  if (saved.size === 0) return;
  for (const effect of effects) {
    if (effect.kind !== "read" || effect.command <= source || effect.path === null || !saved.has(effect.path)) continue;
    if (runsFile(commands[effect.command]!, effect.path)) {
      add("recoverable", effect.command, "It runs a file that the script fetched from the network");
    }
  }
}

/** The file is the program, or the script that the program runs. */
function runsFile(command: AnalyzedCommand, path: string): boolean {
  const { program, words } = command;
  const script = runsWhatItReads(command) ? words.slice(1).find((word) => !word?.startsWith("-")) : program;
  return script === null || (script !== undefined && baseName(script) === baseName(path));
}
