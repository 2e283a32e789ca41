import type { EffectPath } from "../analysis.js";
import type { CommandDraft } from "../script/findings.js";
import type { Follower, ShellScript } from "../script/script.js";
import { containsPath, effectPaths, isStream, listedPaths } from "../words/paths.js";
import { type Directories, literalWord, type ShellWord } from "../words/shell-word.js";
import { lookedUp } from "./hosts.js";
import type { ProgramCall, ReadHow, StartOptions } from "./program-call.js";

/** The listing of wildcards that the shell expands, each name as it is. */
const EXPANDED = { nul: true, from: "shell", namesOnly: true, skips: [] } as const;

/** A program that a command starts, and where it stands. */
export interface Started {
  readonly draft: CommandDraft;
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly directories: Directories;
}

/** One invocation, whose analysis is written down for one command. */
export function programCall(
  { draft, program, args, directories }: Started,
  script: ShellScript,
  follower: Follower,
): ProgramCall {
  const { findings, surroundings } = script;
  const { start } = script.shell;
  const { remote } = surroundings;
  const toldHere = (word: ShellWord) => (word.listed ? { ...word, listed: { at: directories, ...word.listed } } : word);
  const file = (word: ShellWord, add: (path: EffectPath) => void) => {
    // A process substitution is read through a pipe of the shell's own.
    if (remote || /^<\(.*\)$/s.test(word.raw)) return;
    for (const path of effectPaths(word, directories)) add(path);
  };
  /** The names of a list, where the word represents one. */
  const files = (word: ShellWord, add: (path: EffectPath) => void) => {
    const paths = remote ? null : listedPaths(word, directories);
    if (paths) paths.forEach(add);
    else file(word, add);
  };
  const reported = new Set<ShellWord>();
  const write = (word: ShellWord, how: "create" | "modify" | "delete", recursive?: boolean): void => {
    reported.add(word);
    if (isStream(word.value)) return;
    draft.acts = true;
    const add = (path: EffectPath) =>
      findings.effect(draft, { kind: "write", how, ...(recursive && { recursive }), ...path });
    // To delete a directory with what is below it: a word that may be one is checked as written.
    const isListed =
      how === "modify" || (how === "delete" && (word.pattern || word.listed !== undefined || !recursive));
    (isListed ? files : file)(word, add);
    if (how === "delete" && !isListed)
      for (const path of listedPaths(word, directories) ?? []) add({ ...path, isPossible: true });
  };
  const { input } = surroundings;
  const codeIn = (word: ShellWord): string | null => {
    reported.add(word);
    const [found, ...others] = word.value === null ? [] : effectPaths(word, directories);
    if (!found || others.length > 0 || found.path === null) return null;
    findings.effect(draft, { kind: "read", loads: true, ...found });
    const text = script.shell.textOf(found.path) ?? null;
    if (text !== null) draft.code = `${draft.code ?? ""}${text}\n`;
    return text;
  };
  return {
    program,
    args,
    input,
    isHome: directories?.every((directory) => start !== undefined && containsPath(directory, start)) ?? false,
    isHere(word: ShellWord): boolean {
      const paths = effectPaths(word, directories).map(({ path }) => path);
      return paths.length === directories?.length && paths.every((path, at) => path === directories[at]);
    },
    acts(): void {
      draft.acts = true;
    },
    onlyReads(): void {
      draft.reads = true;
    },
    knowsWords(areKnown: boolean): void {
      draft.knowsWords = areKnown;
    },
    onlyReadsInRepository(directory?: ShellWord): void {
      const paths = directory ? effectPaths(directory, directories).map(({ path }) => path) : (directories ?? [null]);
      draft.readsIn = paths.every((path) => path !== null) ? paths : null;
    },
    standsIn(directory: ShellWord | undefined): void {
      if (remote) return;
      const paths = directory ? effectPaths(directory, directories) : (directories ?? [null]).map((path) => ({ path }));
      for (const path of paths) findings.repositories.push({ command: draft.index, ...path });
    },
    onlyReadsWithout(files: readonly string[]): void {
      draft.readsWithout = directories && { files, directories };
    },
    doubt: (kind, reason) => findings.doubt(draft, kind, reason),
    read(word: ShellWord, how?: ReadHow): void {
      reported.add(word);
      files(word, (path) => findings.effect(draft, { kind: "read", ...readHow(how), ...path }));
    },
    lists(word: ShellWord): void {
      const paths =
        listedPaths(word, directories) ??
        effectPaths(word, directories).map((path) => ({ ...path, listing: EXPANDED }));
      for (const path of paths) findings.effect(draft, { kind: "read", only: "names", ...path });
    },
    loads: (word: ShellWord): void =>
      file(word, (path) => findings.effect(draft, { kind: "read", loads: true, ...path })),
    readDirectory: (how?: ReadHow): void =>
      file(literalWord("."), (path) =>
        findings.effect(draft, { kind: "read", ...readHow({ ...how, recursive: true }), ...path }),
      ),
    write,
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
    codeIn: (file: ShellWord): string | null => (remote ? null : codeIn(file)),
    codeInInput: (): string | null =>
      input.kind === "text" ? input.text : input.kind === "unknown" && input.file ? codeIn(input.file) : null,
    mayRun: (text: string): boolean => follower.mayRun(draft, text, directories),
    mayRead(word: ShellWord, how?: ReadHow): void {
      if (word.known === null && word.guesses.length === 0 && !word.listed) return;
      files(word, (path) => findings.effect(draft, { kind: "read", ...path, ...readHow(how), isPossible: true }));
    },
    mayReach: (word: ShellWord): void => file(word, (path) => findings.word(draft, path)),
    isText: (word: ShellWord): void => void reported.add(word),
    isReported: (word: ShellWord): boolean => reported.has(word),
    mayWrite(word: ShellWord, recursive?: true): void {
      if (word.value === null) return;
      const effect = { kind: "write", how: "modify", ...(recursive && { recursive }), isPossible: true } as const;
      file(word, (path) => findings.effect(draft, { ...effect, ...path, isPossible: true }));
    },
    start(words: readonly ShellWord[], options?: StartOptions): void {
      for (const word of words) reported.add(word);
      follower.startInside(draft, words.map(toldHere), directories, options);
    },
    script(code: ShellWord, options?: StartOptions): void {
      reported.add(code);
      follower.readInside(draft, code, directories, options);
    },
  };
}

function readHow({ recursive, only, tracked }: ReadHow = {}): ReadHow {
  return { ...(recursive && { recursive }), ...(only && { only }), ...(tracked && { tracked }) };
}
