import type { EffectPath } from "../analysis.js";
import { lookedUp } from "../invocation/hosts.js";
import type { ProgramCall, ReadHow } from "../invocation/program.js";
import { containsPath, type Directories, effectPaths, isStream, listedPaths } from "../words/paths.js";
import { literalWord, type ShellWord } from "../words/shell-word.js";
import type { CommandFollower } from "./command-follower.js";
import type { CommandDraft } from "./findings.js";
import type { ScriptReader } from "./script-reader.js";

/** What the shell makes of wildcards, each name as it is. */
const EXPANDED = { nul: true, from: "shell", namesOnly: true, skips: [] } as const;

/** A program that a command starts, and where it stands. */
export interface Started {
  readonly draft: CommandDraft;
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly directories: Directories;
}

/** Takes what a program's analysis reports, and writes it down for one command. */
export function programCall(
  { draft, program, args, directories }: Started,
  script: ScriptReader,
  follower: CommandFollower,
): ProgramCall {
  const { findings } = script;
  const { start } = script.shell;
  const toldHere = (word: ShellWord) => (word.listed ? { ...word, listed: { at: directories, ...word.listed } } : word);
  const remote = script.surroundings.remote;
  const file = (word: ShellWord, add: (path: EffectPath) => void) => {
    // A process substitution is read through a pipe of the shell's own.
    if (remote || /^<\(.*\)$/s.test(word.raw)) return;
    for (const path of effectPaths(word, directories)) add(path);
  };
  const write: ProgramCall["write"] = (word, how, recursive) => {
    if (isStream(word.value)) return;
    draft.acts = true;
    const add = (path: EffectPath) =>
      findings.effect(draft, { kind: "write", how, ...(recursive && { recursive }), ...path });
    // To delete a directory with what is below it: a word that may be one is checked as written.
    const isListed = how === "modify" || (how === "delete" && (word.pattern || !recursive));
    const paths = remote || !isListed ? null : listedPaths(word, directories);
    if (paths) paths.forEach(add);
    else file(word, add);
    if (how === "delete" && !isListed)
      for (const path of listedPaths(word, directories) ?? []) add({ ...path, isPossible: true });
  };
  return {
    program,
    args,
    input: script.surroundings.input,
    isHome: directories?.every((directory) => start !== undefined && containsPath(directory, start)) ?? false,
    isHere: (word) => {
      const paths = effectPaths(word, directories).map(({ path }) => path);
      return (
        directories !== null &&
        paths.length === directories.length &&
        paths.every((path, at) => path === directories[at])
      );
    },
    acts: () => {
      draft.acts = true;
    },
    onlyReads: () => {
      draft.reads = true;
    },
    onlyReadsInRepository: (directory) => {
      const paths = directory ? effectPaths(directory, directories).map(({ path }) => path) : (directories ?? [null]);
      draft.readsIn = paths.every((path) => path !== null) ? paths : null;
    },
    onlyReadsWithout: (files) => {
      draft.readsWithout = directories && { files, directories };
    },
    doubt: (kind, reason, like) => findings.doubt(draft, kind, reason, like),
    read: (word, how) => {
      const add = (path: EffectPath) => findings.effect(draft, { kind: "read", ...readHow(how), ...path });
      const paths = remote ? null : listedPaths(word, directories);
      if (paths) paths.forEach(add);
      else file(word, add);
    },
    lists: (word) => {
      const paths =
        listedPaths(word, directories) ??
        effectPaths(word, directories).map((path) => ({ ...path, listing: EXPANDED }));
      for (const path of paths) findings.effect(draft, { kind: "read", only: "names", ...path });
    },
    loads: (word) => file(word, (path) => findings.effect(draft, { kind: "read", loads: true, ...path })),
    readDirectory: (how) =>
      file(literalWord("."), (path) =>
        findings.effect(draft, { kind: "read", ...readHow({ ...how, recursive: true }), ...path }),
      ),
    write,
    unpacks: (word) => {
      write(word, "modify");
      file(word, (path) =>
        findings.effect(draft, { kind: "write", how: "create", recursive: true, ...path, isPossible: true }),
      );
    },
    network: (host) => {
      draft.acts = true;
      findings.effect(draft, { kind: "network", host: host && lookedUp(host) });
    },
    mayRun: (text) => follower.mayRun(draft, text, directories),
    mayRead: (word, how) => {
      if (word.value === null && !word.pattern) return;
      file(word, (path) => findings.effect(draft, { kind: "read", ...path, ...readHow(how), isPossible: true }));
    },
    mayWrite: (word) => {
      if (word.value === null) return;
      file(word, (path) => findings.effect(draft, { kind: "write", how: "modify", ...path, isPossible: true }));
    },
    start: (words, options) => follower.startInside(draft, words.map(toldHere), directories, options),
    script: (code, options) => follower.readInside(draft, code, directories, options),
  };
}

function readHow({ recursive, only }: ReadHow = {}): ReadHow {
  return { ...(recursive && { recursive }), ...(only && { only }) };
}
