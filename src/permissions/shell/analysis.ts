/** The effects that a script would have if bash ran it, as far as they can be read without running it. */
export interface CommandAnalysis {
  /**
   * Every simple command bash may start, wherever it stands: in lists, pipes, subshells, loops, functions,
   * substitutions, here-documents of shells, and inside wrappers such as `xargs` or `bash -c`. In source order, an
   * outer one first.
   */
  readonly commands: readonly AnalyzedCommand[];
  readonly effects: readonly Effect[];
  /** Words of programs that do more than read, which may be paths: they count where they lead out of the workspace. */
  readonly words: readonly ({ readonly command: number } & EffectPath)[];
  /** The directories git takes its settings from: those it stands in, and others it is given. */
  readonly repositories: readonly ({ readonly command: number } & EffectPath)[];
  /** More may run than `commands` says: something was not understood, not known before it runs, or too large. */
  readonly opaque: boolean;
  /** The reason why it is opaque. Empty when it is not. */
  readonly reasons: readonly string[];
  /**
   * The parts outside the grammar of lines that may run without a rule; empty when all is inside. Each entry is part
   * of a sentence: `"${x:-y}" is not plain`.
   */
  readonly outsideGrammar: readonly string[];
  /** The part that was too long or too deep to parse, as it stands. `null` when all was parsed. */
  readonly unparsed: string | null;
  /**
   * Names of branches or tags that git prints become words of commands. They are taken not to look like options, which
   * has to be true of the repository.
   */
  readonly takesRefs: boolean;
  /** A function starts itself more than once, without end. */
  readonly forkBomb: boolean;
  /** The commands of each pipe: positions from `first` up to, not including, `end`. */
  readonly pipes: readonly { readonly first: number; readonly end: number }[];
}

/** One simple command: a program or builtin with its words. */
export interface AnalyzedCommand {
  /** The name as written, without quotes; `null` when it is known only at run time. */
  readonly program: string | null;
  /** The program and its arguments after quote removal; `null` for a word known only at run time. */
  readonly words: readonly (string | null)[];
  /**
   * The words joined by spaces, for allow rules and for people. A word that is not plain is quoted, so that a space in
   * a word never looks like the end of one; a word known only at run time stands as written. Always one line.
   */
  readonly text: string;
  readonly assignments: readonly CommandAssignment[];
  /** The programs that start this command on behalf of the shell, outermost first: `timeout 5 xargs rm` → timeout, xargs. */
  readonly wrappers: readonly CommandWrapper[];
  /** The position in `commands` of what starts this one; `null` when the shell does, or a harmless wrapper. */
  readonly startedBy: number | null;
  /**
   * To allow `startedBy` is to allow this one too, as `ssh` or `npx`, or it only may run: it counts for rules that deny
   * or ask, and for destruction.
   */
  readonly impliedByParent: boolean;
  /** Every word that is known only at run time is a number, a commit, or a name of a file: `find … -exec rm {} +`. */
  readonly takesNames: boolean;
  /** True when its effects are known: its unknown words are numbers, commits, names of files, or values of plain options. */
  readonly knowsWords: boolean;
  /** The position of the command in whose words this one stands as a substitution: `bash <(curl …)`. */
  readonly parentIndex: number | null;
  /** The text of its input, when the script gives it literally, in a here-document or here-string. */
  readonly input: string | null;
  /** The program is in the tables: what its words mean is known. */
  readonly known: boolean;
  /** Known to do no more than read, print, and start the commands listed after it. Its reads are among the effects. */
  readonly readOnly: boolean;
  /** It is read-only as well if all of these directories belong to the repository that the line starts in. */
  readonly readOnlyIn: readonly string[] | null;
  /** It is read-only as well if none of these files is in these directories, or in one above in the project. */
  readonly readOnlyWithout: { readonly files: readonly string[]; readonly directories: readonly string[] } | null;
  /** The reason why a rule that allows this program by name does not speak about this invocation. */
  readonly doubts: readonly CommandDoubt[];
  /**
   * Spellings for rules that deny or ask: with and without wrappers and directories, without global options, with flags
   * in one order and one by one, and with the values that variables may have. The first is `text`.
   */
  readonly variants: readonly string[];
}

/** A variable set in front of a command, as in `CI=1 npm test`. */
export interface CommandAssignment {
  readonly name: string;
  /** `null` when it is known only at run time. */
  readonly value: string | null;
}

/** A program that runs another one. */
export interface CommandWrapper {
  readonly program: string;
  /** It changes when or how fast the command runs, not what it does: `timeout`, `nice`, `nohup`, `command`. */
  readonly harmless: boolean;
}

/**
 * - `opaque`: what it starts is known only at run time, or not understood.
 * - `script`: it runs a file, or its input, that was not read.
 * - `option`: an option, or a word that may become one, makes it run or write more than its name says.
 * - `edit`: an option makes it change the files it would read; they are among the effects.
 * - `code`: it is given code of a language of its own that may do anything, or that is not known. Only a rule for the
 * exact line allows it.
 * - `environment`: it runs with a variable that can change what programs do.
 */
export interface CommandDoubt {
  readonly kind: "opaque" | "script" | "code" | "option" | "edit" | "environment";
  readonly reason: string;
}

/** Something a command does. `command` is the position in `commands` of the one that does it. */
export type Effect = { readonly command: number } & (
  | { readonly kind: "exec"; readonly program: string | null }
  | ({
      readonly kind: "read";
      /** Everything below the path as well. */
      readonly recursive?: boolean;
      /** The program takes settings or code from there. */
      readonly loads?: boolean;
      /** A word of a program that leads out of the workspace: what it is to the program is not known. */
      readonly isWord?: boolean;
      /** `files`: a directory is not opened. `names`: it reveals names, kinds, sizes and times, and no content. */
      readonly only?: "files" | "names";
      /** Only tracked files: those below, or all of the repository unless another word names a part of it. */
      readonly tracked?: "below" | "all";
    } & EffectPath)
  | ({
      readonly kind: "write";
      readonly how: "create" | "modify" | "delete";
      /** Everything below the path as well. */
      readonly recursive?: boolean;
      /** By a redirection of the shell, not by the program. */
      readonly redirect?: boolean;
    } & EffectPath)
  | {
      readonly kind: "network";
      /** `null` when it is known only at run time. */
      readonly host: string | null;
      /** By a redirection of the shell to `/dev/tcp` or `/dev/udp`. */
      readonly redirect?: boolean;
    }
);

/** A path that a command touches. */
export interface EffectPath {
  /** Absolute, resolved by its text alone (links are not followed); `null` when it is known only at run time. */
  readonly path: string | null;
  /** The same with its `..` and the slash at its end, which lead elsewhere behind a link; absent when there are not. */
  readonly asWritten?: string;
  /** Behind a link, `..` leads elsewhere than the text says, or nobody knows where. */
  readonly isElsewhere?: boolean;
  /** `path` holds wildcards the shell would expand to names. */
  readonly pattern?: boolean;
  /** `path` represents the names that another command lists. */
  readonly listing?: NameListing;
  /** It is one that wildcards or a list match, which rules have been compared with; a list may leave it out. */
  readonly certainty?: "certain" | "possible";
  /** A value a variable may have: for what must not be missed, next to an effect whose path is not known. */
  readonly isPossible?: boolean;
}

/** The names handed from the command that lists them to the one that reads them: `find … | xargs …`. */
export interface NameListing {
  /** Each ends with a zero byte; otherwise spaces and quotes in a name make it something else. */
  readonly nul: boolean;
  /** The source they are taken from: directories, git's index, or the wildcards of the shell. */
  readonly from: "disk" | "index" | "shell";
  /** The shell expands wildcards in them. */
  readonly expands?: boolean;
  /** They are those of git, relative to the repository's root. */
  readonly fromRoot?: boolean;
  /** A directory is listed by its name, not by what is in it. */
  readonly namesOnly?: boolean;
  /** All that is there is listed: none is left out for what it is. */
  readonly whole?: boolean;
  /** Directories are not among them. */
  readonly filesOnly?: boolean;
  /** Files are not among them. */
  readonly directoriesOnly?: boolean;
  /** No deeper below where the listing starts than so many directories. */
  readonly depth?: number;
  /** Directories that are left out, by their names; with `./` in front only where the listing starts. */
  readonly skips: readonly string[];
}

/** Options of `analyzeCommand()`. */
export interface AnalyzeOptions {
  /** Absolute directory where relative paths start. Without it relative paths are unknown. */
  readonly cwd?: string | undefined;
  /** Absolute home directory, for `~` and `$HOME`. Without it such paths are unknown. */
  readonly home?: string | undefined;
  /** Absolute directory that `$TMPDIR` names. Without it that is unknown. */
  readonly temporary?: string | undefined;
  /** Says that a directory is there, so that `cd` into it does not fail. Without it both ways are followed. */
  readonly isDirectory?: ((path: string) => boolean) | undefined;
  /** The text of a file that a program may be given as code. Without it such files are not read. */
  readonly textOf?: ((path: string) => string | undefined) | undefined;
  /** Says which directory `git rev-parse --show-toplevel` prints in a directory. Without it that is not known. */
  readonly topLevelOf?: ((directory: string) => string | undefined) | undefined;
}

/** A command that destroys. */
export interface Destruction {
  /**
   * `catastrophic` takes the machine, the home or the workspace with it; `recoverable` loses work that somebody may
   * still have or make again.
   */
  readonly tier: "catastrophic" | "recoverable";
  readonly reason: string;
  /** The position in `commands`; `null` when it is the script as a whole. */
  readonly command: number | null;
}

/** Options of `assessDestruction()`. */
export interface DestructionOptions {
  /** Absolute directory of the workspace. */
  readonly root: string;
  /** Absolute home directory, for `~` and `$HOME`. */
  readonly home?: string | undefined;
  /** Says that an absolute path can be made again, as one that git ignores. `node_modules` and the like always can. */
  readonly isRegenerable?: ((path: string) => boolean) | undefined;
}
