// One settings file as the readers of its parts see it: what it holds, whether it is trusted, and where what is wrong goes.
import { ConfigurationError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { RuleSource } from "../../contracts/permission.js";
import { type JsonPath, keyOf, printable, type SettingsFile, type SettingsProblem } from "./settings-file.js";

/** A setting that does not count. */
export interface InertSetting {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly why: string;
  readonly value: JsonValue;
}

/** The owner of a settings file. */
export type SettingsSource = Extract<RuleSource, "policy" | "user" | "project" | "local">;

/** The file under its readers, and what they report to. */
export interface SettingsReader {
  readonly file: SettingsFile;
  readonly source: SettingsSource;
  readonly dir: string;
  readonly isTrusted: boolean;
  /** A setting that is left out. */
  wrong(path: JsonPath, message: string): void;
  /** A setting that a trusted file must not have: without it the file would guard less than it says. */
  refuse(path: JsonPath, message: string): void;
  /**
   * A restriction that nothing enforces as it stands, in any file: an agent must not open without it. `isThrown`: whether loading
   * throws, too. Default: for a file that is trusted.
   */
  restrict(path: JsonPath, message: string, isThrown?: boolean): void;
  untrusted(path: JsonPath, value: JsonValue, why: string): void;
  unsupported(path: JsonPath, value: JsonValue, why: string): void;
  /** A setting without effect, and without which nothing more is allowed. */
  ignored(path: JsonPath, value: JsonValue, why: string): void;
}

/** A settings file that was opened. */
export interface OpenedFile {
  readonly source: SettingsSource;
  readonly file: SettingsFile;
}

export function readerOf(
  { source, file }: OpenedFile,
  dir: string,
  isProjectTrusted: boolean,
  found: SettingsFindings,
): SettingsReader {
  const at = (where: JsonPath) => ({ file: file.path, line: file.lineOf(where), key: keyOf(where) });
  const isTrusted = isUsersOrManaged(source) || isProjectTrusted;
  return {
    file,
    source,
    dir,
    isTrusted,
    wrong: (where, message) => found.problem({ ...at(where), message }),
    refuse: (where, message) => found[isTrusted ? "refuse" : "problem"]({ ...at(where), message }),
    restrict: (where, message, isThrown = isTrusted) => found.restrict({ ...at(where), message }, isThrown),
    untrusted: (where, value, why) => found.untrusted.push({ ...at(where), value, why }),
    unsupported: (where, value, why) => found.unsupported.push({ ...at(where), value, why }),
    ignored: (where, value, why) => found.ignored.push({ ...at(where), value, why }),
  };
}

/** Whether a file is the user's own or the machine's, not a project's. */
export function isUsersOrManaged(source: SettingsSource): boolean {
  return source === "user" || source === "policy";
}

/** Beyond this many, more of them only say that a file is not a settings file. */
const MAX_SHOWN_PROBLEMS = 100;

/** The problems of all files, and the settings without effect. */
export class SettingsFindings {
  readonly problems: SettingsProblem[] = [];
  readonly untrusted: InertSetting[] = [];
  readonly unsupported: InertSetting[] = [];
  readonly ignored: InertSetting[] = [];
  /** Restrictions that nothing enforces. */
  readonly unenforced: SettingsProblem[] = [];
  readonly #refused: SettingsProblem[] = [];

  constructor(private readonly onProblem: ((problem: SettingsProblem) => void) | undefined) {}

  problem(found: SettingsProblem): void {
    const problem = { ...found, message: printable(found.message) };
    this.problems.push(problem);
    this.onProblem?.(problem);
  }

  /** A problem that the host has to know before it starts. */
  refuse(found: SettingsProblem): void {
    this.#refused.push({ ...found, message: printable(found.message) });
    this.problem(found);
  }

  /** A problem with which an agent would have a restriction less than its files say. */
  restrict(found: SettingsProblem, isThrown: boolean): void {
    this.unenforced.push({ ...found, message: printable(found.message) });
    if (isThrown) this.refuse(found);
    else this.problem(found);
  }

  throwIfRefused(): void {
    if (this.onProblem) return;
    throwUnusable(this.#refused, "Fix them, or pass onProblem to load the rest.");
  }
}

/** @throws ConfigurationError `SETTINGS_INVALID` that names each problem with file, line and key, if there are some */
export function throwUnusable(problems: readonly SettingsProblem[], remedy: string): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS);
  const lines = shown.map(({ file, line, key, message }) => `${file}:${line}${key && `: ${key}`} ${message}`);
  const more = problems.length - shown.length;
  if (more > 0) lines.push(`… and ${more} more`);
  throw new ConfigurationError("SETTINGS_INVALID", {
    message: `The settings cannot be used as they stand:\n${lines.join("\n")}\n${remedy}`,
    details: { problems: shown.map((problem) => ({ ...problem })) },
  });
}
