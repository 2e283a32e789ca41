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

/** Whose settings file it is. */
export type SettingsSource = Extract<RuleSource, "user" | "project" | "local">;

/** What the readers of a file's parts need. */
export interface SettingsReader {
  readonly file: SettingsFile;
  readonly source: SettingsSource;
  readonly dir: string;
  readonly isTrusted: boolean;
  /** A setting that is left out. */
  wrong(path: JsonPath, message: string): void;
  /** A setting that a trusted file must not have: without it the file would guard less than it says. */
  refuse(path: JsonPath, message: string): void;
  untrusted(path: JsonPath, value: JsonValue, why: string): void;
  unsupported(path: JsonPath, value: JsonValue, why: string): void;
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
  const isTrusted = source === "user" || isProjectTrusted;
  return {
    file,
    source,
    dir,
    isTrusted,
    wrong: (where, message) => found.problem({ ...at(where), message }),
    refuse: (where, message) => found[isTrusted ? "refuse" : "problem"]({ ...at(where), message }),
    untrusted: (where, value, why) => found.untrusted.push({ ...at(where), value, why }),
    unsupported: (where, value, why) => found.unsupported.push({ ...at(where), value, why }),
  };
}

/** Beyond this many, more of them only say that a file is not a settings file. */
const MAX_SHOWN_PROBLEMS = 100;

/** What was found wrong or inert in all files. */
export class SettingsFindings {
  readonly problems: SettingsProblem[] = [];
  readonly untrusted: InertSetting[] = [];
  readonly unsupported: InertSetting[] = [];
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

  throwIfRefused(): void {
    if (this.#refused.length === 0 || this.onProblem) return;
    const shown = this.#refused.slice(0, MAX_SHOWN_PROBLEMS);
    const lines = shown.map(({ file, line, key, message }) => `${file}:${line}${key && `: ${key}`} ${message}`);
    const more = this.#refused.length - shown.length;
    if (more > 0) lines.push(`… and ${more} more`);
    throw new ConfigurationError("SETTINGS_INVALID", {
      message: `The settings cannot be used as they stand:\n${lines.join("\n")}\nFix them, or pass onProblem to load the rest.`,
      details: { problems: shown.map((problem) => ({ ...problem })) },
    });
  }
}
