import type { EffectPath } from "./analysis.js";
import type { CommandDraft } from "./findings.js";
import { effectPaths, type Folders, listedPaths } from "./paths.js";
import type { ProgramCall, ReadHow } from "./programs/program.js";
import { isStream } from "./redirections.js";
import type { ScriptReader } from "./script-reader.js";
import { literalWord, type ShellWord } from "./shell-word.js";
import type { Starter } from "./starter.js";

/** What the shell makes of wildcards, each name as it is. */
const EXPANDED = { nul: true, from: "shell", namesOnly: true, skips: [] } as const;

/** A program that a command starts, and where it stands. */
export interface Started {
  readonly draft: CommandDraft;
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly folders: Folders;
}

/** Takes what a program's analysis reports, and writes it down for one command. */
export function programCall(
  { draft, program, args, folders }: Started,
  script: ScriptReader,
  starter: Starter,
): ProgramCall {
  const { findings } = script;
  const toldHere = (word: ShellWord) => (word.listed ? { ...word, listed: { at: folders, ...word.listed } } : word);
  const remote = script.surroundings.remote;
  const file = (word: ShellWord, add: (path: EffectPath) => void) => {
    // A process substitution is read through a pipe of the shell's own.
    if (remote || /^<\(.*\)$/s.test(word.raw)) return;
    for (const path of effectPaths(word, folders)) add(path);
  };
  return {
    program,
    args,
    input: script.surroundings.input,
    isHome: folders?.every((folder) => isAtOrAbove(folder, script.start)) ?? false,
    isHere: (word) => {
      const paths = effectPaths(word, folders).map(({ path }) => path);
      return folders !== null && paths.length === folders.length && paths.every((path, at) => path === folders[at]);
    },
    acts: () => {
      draft.acts = true;
    },
    onlyReads: () => {
      draft.reads = true;
    },
    onlyReadsInRepository: (folder) => {
      const paths = folder ? effectPaths(folder, folders).map(({ path }) => path) : (folders ?? [null]);
      draft.readsIn = paths.every((path) => path !== null) ? paths : null;
    },
    doubt: (kind, reason) => findings.doubt(draft, kind, reason),
    read: (word, how) => {
      const add = (path: EffectPath) => findings.effect(draft, { kind: "read", ...readHow(how), ...path });
      const paths = remote ? null : listedPaths(word, folders);
      if (paths) paths.forEach(add);
      else file(word, add);
    },
    lists: (word) => {
      const paths =
        listedPaths(word, folders) ?? effectPaths(word, folders).map((path) => ({ ...path, listing: EXPANDED }));
      for (const path of paths) findings.effect(draft, { kind: "read", only: "names", ...path });
    },
    loads: (word) => file(word, (path) => findings.effect(draft, { kind: "read", loads: true, ...path })),
    readFolder: (how, lists = []) => {
      const paths = lists.flatMap((word) => (remote ? [] : (listedPaths(word, folders) ?? [])));
      const [list] = paths.length === 1 ? paths : [];
      const unless = list?.listing && list.path !== null ? { path: list.path, listing: list.listing } : undefined;
      file(literalWord("."), (path) =>
        findings.effect(draft, {
          kind: "read",
          ...readHow({ ...how, recursive: true }),
          ...(unless && { unless }),
          ...path,
        }),
      );
    },
    write: (word, how, recursive) => {
      if (word.value !== null && isStream(word.value)) return;
      draft.acts = true;
      const add = (path: EffectPath) =>
        findings.effect(draft, { kind: "write", how, ...(recursive && { recursive }), ...path });
      // To delete a directory is to delete what is below it: a word that may be one is checked as written.
      const isListed = how === "modify" || (how === "delete" && word.pattern);
      const paths = remote || !isListed ? null : listedPaths(word, folders);
      if (paths) paths.forEach(add);
      else file(word, add);
      if (how === "delete" && !isListed)
        for (const path of listedPaths(word, folders) ?? []) add({ ...path, isPossible: true });
    },
    network: (host) => {
      draft.acts = true;
      findings.effect(draft, { kind: "network", host });
    },
    mayRun: (text) => starter.mayRun(draft, text, folders),
    mayRead: (word) => {
      if (word.value === null) return;
      file(word, (path) => findings.effect(draft, { kind: "read", ...path, isPossible: true }));
    },
    mayWrite: (word) => {
      if (word.value === null) return;
      file(word, (path) => findings.effect(draft, { kind: "write", how: "modify", ...path, isPossible: true }));
    },
    start: (words, options) => starter.words(draft, words.map(toldHere), folders, options),
    script: (code, options) => starter.code(draft, code, folders, options),
  };
}

function readHow({ recursive, only }: ReadHow = {}): ReadHow {
  return { ...(recursive && { recursive }), ...(only && { only }) };
}

function isAtOrAbove(folder: string, start: string | undefined): boolean {
  return start !== undefined && (folder === start || start.startsWith(folder === "/" ? "/" : `${folder}/`));
}
