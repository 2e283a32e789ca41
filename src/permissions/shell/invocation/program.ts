import type { CommandAssignment, CommandDoubt, EffectPath } from "../analysis.js";
import type { ListedNames } from "../names/found-names.js";
import type { CommandFollower } from "../script/command-follower.js";
import type { CommandDraft } from "../script/findings.js";
import type { ScriptReader } from "../script/script-reader.js";
import { containsPath, type Directories, effectPaths, isStream, listedPaths } from "../words/paths.js";
import { literalWord, type ShellWord } from "../words/shell-word.js";
import { lookedUp } from "./hosts.js";

export type { ParsedOption, ParsedOptions } from "./options.js";

/** Where a command's standard input comes from, as far as it matters to a shell that reads its script there. */
export type CommandInput =
  | { readonly kind: "none" }
  | {
      readonly kind: "unknown";
      /** It is known to be names of files. */
      readonly names?: ListedNames;
      /** Each line of it is a number or a commit. */
      readonly isPlain?: boolean;
    }
  | { readonly kind: "text"; readonly text: string };

export interface StartOptions {
  /** It starts in this directory instead of the current one. */
  readonly directory?: ShellWord | undefined;
  /** It starts in a directory that is not known. */
  readonly elsewhere?: boolean | undefined;
  /** It runs on another machine: its paths are not ours. */
  readonly remote?: boolean | undefined;
  /** To allow the outer program is to allow whatever it starts. */
  readonly impliedByParent?: boolean | undefined;
  /** It reads what the outer program would have read. */
  readonly keepsInput?: boolean | undefined;
  /** Variables it gets. */
  readonly assignments?: readonly CommandAssignment[] | undefined;
}

/** How a file or directory is read; by default its content, without what is below a directory. */
export interface ReadHow {
  /** Everything below a directory as well. */
  readonly recursive?: boolean;
  readonly only?: "files" | "names";
  /** Of what git tracks, what is below, or all of the repository unless another word of the command names a part of it. */
  readonly tracked?: "below" | "all";
}

/** What the shell makes of wildcards, each name as it is. */
const EXPANDED = { nul: true, from: "shell", namesOnly: true, skips: [] } as const;

/** A program that a command starts, and where it stands. */
export interface Started {
  readonly draft: CommandDraft;
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly directories: Directories;
}

/** One invocation of a known program, and what its analysis reports, written down for one command. */
export type ProgramCall = ReturnType<typeof programCall>;

export function programCall(
  { draft, program, args, directories }: Started,
  script: ScriptReader,
  follower: CommandFollower,
) {
  const { findings, surroundings } = script;
  const { start } = script.shell;
  const { remote } = surroundings;
  const toldHere = (word: ShellWord) => (word.listed ? { ...word, listed: { at: directories, ...word.listed } } : word);
  const file = (word: ShellWord, add: (path: EffectPath) => void) => {
    // A process substitution is read through a pipe of the shell's own.
    if (remote || /^<\(.*\)$/s.test(word.raw)) return;
    for (const path of effectPaths(word, directories)) add(path);
  };
  const write = (word: ShellWord, how: "create" | "modify" | "delete", recursive?: boolean): void => {
    if (isStream(word.value)) return;
    draft.acts = true;
    const add = (path: EffectPath) =>
      findings.effect(draft, { kind: "write", how, ...(recursive && { recursive }), ...path });
    // To delete a directory with what is below it: a word that may be one is checked as written.
    const isListed =
      how === "modify" || (how === "delete" && (word.pattern || word.listed !== undefined || !recursive));
    const paths = remote || !isListed ? null : listedPaths(word, directories);
    if (paths) paths.forEach(add);
    else file(word, add);
    if (how === "delete" && !isListed)
      for (const path of listedPaths(word, directories) ?? []) add({ ...path, isPossible: true });
  };
  return {
    /** The program's base name. */
    program,
    args,
    input: surroundings.input,
    /** It stands in the directory the script starts in, or above. */
    isHome: directories?.every((directory) => start !== undefined && containsPath(directory, start)) ?? false,
    /** A word names the directory it stands in, whichever that is. */
    isHere(word: ShellWord): boolean {
      const paths = effectPaths(word, directories).map(({ path }) => path);
      return paths.length === directories?.length && paths.every((path, at) => path === directories[at]);
    },
    /** It does more than read and print. */
    acts(): void {
      draft.acts = true;
    },
    /** It does not. Void when anything else reported says more. */
    onlyReads(): void {
      draft.reads = true;
    },
    /** Whether what it does is known, though words of it are not. */
    knowsWords(areKnown: boolean): void {
      draft.knowsWords = areKnown;
    },
    /** It only reads, if it stands, or is sent, into the repository that the line starts in. */
    onlyReadsInRepository(directory?: ShellWord): void {
      const paths = directory ? effectPaths(directory, directories).map(({ path }) => path) : (directories ?? [null]);
      draft.readsIn = paths.every((path) => path !== null) ? paths : null;
    },
    /** The same, if none of these files of the project steers it. */
    onlyReadsWithout(files: readonly string[]): void {
      draft.readsWithout = directories && { files, directories };
    },
    doubt: (kind: CommandDoubt["kind"], reason: string): void => findings.doubt(draft, kind, reason),
    read(word: ShellWord, how?: ReadHow): void {
      const add = (path: EffectPath) => findings.effect(draft, { kind: "read", ...readHow(how), ...path });
      const paths = remote ? null : listedPaths(word, directories);
      if (paths) paths.forEach(add);
      else file(word, add);
    },
    /** To be looked up, since a name among them may be taken for an option. */
    lists(word: ShellWord): void {
      const paths =
        listedPaths(word, directories) ??
        effectPaths(word, directories).map((path) => ({ ...path, listing: EXPANDED }));
      for (const path of paths) findings.effect(draft, { kind: "read", only: "names", ...path });
    },
    /** It takes settings or code from there. */
    loads: (word: ShellWord): void =>
      file(word, (path) => findings.effect(draft, { kind: "read", loads: true, ...path })),
    /** The directory it stands in, with all that is below. */
    readDirectory: (how?: ReadHow): void =>
      file(literalWord("."), (path) =>
        findings.effect(draft, { kind: "read", ...readHow({ ...how, recursive: true }), ...path }),
      ),
    write,
    /** It puts something into a directory, or anywhere below: what, is not in its words. */
    unpacks(word: ShellWord): void {
      write(word, "modify");
      file(word, (path) =>
        findings.effect(draft, { kind: "write", how: "create", recursive: true, ...path, isPossible: true }),
      );
    },
    network(host: string | null): void {
      draft.acts = true;
      findings.effect(draft, { kind: "network", host: host && lookedUp(host) });
    },
    /** A text that may be shell code the program runs: it counts for rules that deny, if it reads as a command. */
    mayRun: (text: string): void => follower.mayRun(draft, text, directories),
    /** A word that may name a file the program reads, or a directory it takes whole: it counts for rules that deny. */
    mayRead(word: ShellWord, how?: ReadHow): void {
      if (word.value === null && !word.pattern) return;
      file(word, (path) => findings.effect(draft, { kind: "read", ...path, ...readHow(how), isPossible: true }));
    },
    /** The same for a file it may change, or a directory in which it may. */
    mayWrite(word: ShellWord, recursive?: true): void {
      if (word.value === null) return;
      const effect = { kind: "write", how: "modify", ...(recursive && { recursive }), isPossible: true } as const;
      file(word, (path) => findings.effect(draft, { ...effect, ...path, isPossible: true }));
    },
    /** Starts a program with these words. None: nothing. */
    start: (words: readonly ShellWord[], options?: StartOptions): void =>
      follower.startInside(draft, words.map(toldHere), directories, options),
    /** Runs shell code in a shell of its own. */
    script: (code: ShellWord, options?: StartOptions): void => follower.readInside(draft, code, directories, options),
  };
}

function readHow({ recursive, only, tracked }: ReadHow = {}): ReadHow {
  return { ...(recursive && { recursive }), ...(only && { only }), ...(tracked && { tracked }) };
}
