import { homedir } from "node:os";
import { dirname } from "node:path";
import pLimit from "p-limit";
import type { ProjectDirectory, ProjectFiles } from "../files/project-files.js";
import { PROJECT_DIRECTORY, projectDirectoryOf } from "../files/project-files.js";
import type { FrontmatterProblem } from "../frontmatter/frontmatter.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  STRING,
  type WithDefaults,
  withMethods,
} from "../json/check-options.js";
import { isUsersOwn } from "../paths/users-own.js";
import { byName } from "../text/by-name.js";
import type { Skill } from "./skill.js";
import { createCatalog, type SkillCatalog, type SkillListing } from "./skill-catalog.js";
import { readSkillText, resourcesOf, skillFilesIn } from "./skill-directories.js";
import { bodyOf, readSkillFile } from "./skill-file.js";

/** Options of `loadSkills()`. */
export interface LoadSkillsOptions {
  /**
   * Directories of skills, strongest first: of two skills of one name the first counts. One of another machine is
   * `{ path, files: projectFiles(workspace) }`; its skills allow nothing, also in a project that is trusted. Default: none.
   */
  readonly dirs?: readonly (string | ProjectDirectory)[] | undefined;
  /**
   * Whether skills of a project may be used. Default: `false`. A directory is the user's own, and always trusted, when it is
   * really in `.claude`, `.agents` or `.loopwright` of `home`.
   */
  readonly trustProject?: boolean | undefined;
  /** Skills in code; they count before those of the directories. Default: none. */
  readonly skills?: readonly Skill[] | undefined;
  /** Names of the tools the agent has: a skill that requires another one is reported and left out. Default: not checked. */
  readonly tools?: readonly string[] | undefined;
  /** The share of the prompt for the list of skills. Unit: tokens, estimated. Default: 4,000. */
  readonly maxTokens?: number | undefined;
  /** The user's directory. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
  /** Skills that are left out (`off`), or that the user alone may begin to use, by name. Default: none. */
  readonly hidden?: ReadonlyMap<string, "off" | "user-only"> | undefined;
}

const OPTIONS = {
  dirs: byDefault([], listOf(PROJECT_DIRECTORY, "paths, or { path, files }")),
  trustProject: byDefault(false, FLAG),
  skills: byDefault([], listOf(withMethods("instructions"), "skills made by defineSkill()")),
  tools: listOf(STRING, "names of tools"),
  maxTokens: byDefault(4_000, numberFrom(100, "tokens")),
  home: optionOf((value) => value === null || typeof value === "string", "a path or null"),
  hidden: withMethods("get"),
} satisfies OptionTable<LoadSkillsOptions>;

const READ_AT_ONCE = 16;

/**
 * Loads skills of the open Agent Skills format: directories with a `SKILL.md`.
 *
 * Nothing in a file makes it throw: what is clear is used, the rest is in `problems` with file and line. Bodies are read
 * when a skill is used; the list is read again when a run begins.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function loadSkills(options: LoadSkillsOptions = {}): Promise<SkillCatalog> {
  const settings = checkOptions("loadSkills()", options, OPTIONS);
  return createCatalog(() => listSkills(settings), settings.maxTokens);
}

async function listSkills(options: WithDefaults<LoadSkillsOptions, typeof OPTIONS>): Promise<SkillListing> {
  const { dirs, trustProject, skills, tools, home = homedir() } = options;
  const found = new Map(skills.map((skill) => [skill.name, skill]));
  const untrusted = new Map<string, Skill>();
  const problems: FrontmatterProblem[] = [];
  const atMost = pLimit(READ_AT_ONCE);
  for (const dir of dirs.map(projectDirectoryOf)) {
    const { onDisk = false } = dir.files;
    const isTrusted = trustProject || (onDisk && (await isUsersOwn(dir.path, home)));
    const files = await skillFilesIn(dir);
    const about = { isTrusted: isTrusted && onDisk, within: isTrusted && onDisk ? null : dir.path };
    const read = await Promise.all(files.map((file) => atMost(() => readOne(dir.files, file, about))));
    for (const { skill, problems: ofFile } of read) {
      problems.push(...ofFile);
      if (!skill) continue;
      const into = isTrusted ? found : untrusted;
      const other = into.get(skill.name);
      if (other)
        problems.push(
          problemOf(
            skill.file!,
            `"${skill.name}" is already defined in ${JSON.stringify(other.file ?? "code")}, which counts`,
          ),
        );
      else into.set(skill.name, skill);
    }
  }
  for (const skill of found.values()) {
    const missing = tools === undefined ? [] : skill.requiredTools.filter((name) => !tools.includes(name));
    if (missing.length === 0) continue;
    found.delete(skill.name);
    problems.push(
      problemOf(
        skill.file ?? skill.name,
        `it requires ${missing.join(", ")}, which the agent does not have; it is left out`,
        "required-tools",
      ),
    );
  }
  for (const [name, skill] of found) {
    const visibility = options.hidden?.get(name);
    if (visibility === "off") found.delete(name);
    // One for models alone that is hidden from models is for nobody.
    else if (visibility && skill.usedBy === "model") found.delete(name);
    else if (visibility) found.set(name, Object.freeze({ ...skill, usedBy: "user" as const }));
  }
  return {
    skills: Object.freeze([...found.values()].sort(byName)),
    untrusted: Object.freeze([...untrusted.values()].sort(byName)),
    problems: Object.freeze(problems),
  };
}

async function readOne(
  files: ProjectFiles,
  file: string,
  { isTrusted, within }: { readonly isTrusted: boolean; readonly within: string | null },
) {
  try {
    const text = await readSkillText(files, file, within);
    const resources = await resourcesOf(files, dirname(file));
    const readBody = async () => bodyOf(await readSkillText(files, file, within), file);
    return await readSkillFile(text, file, { isTrusted, resources, readBody });
  } catch (error) {
    return { skill: null, problems: [problemOf(file, (error as Error).message)] };
  }
}

function problemOf(file: string, message: string, key = ""): FrontmatterProblem {
  return { file, line: 1, key, message };
}
