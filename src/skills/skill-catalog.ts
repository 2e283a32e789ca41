import type { ContextSource } from "../contracts/context.js";
import { ToolError } from "../contracts/errors.js";
import type { PermissionGate } from "../contracts/permission.js";
import type { FrontmatterProblem } from "../frontmatter/frontmatter.js";
import { nearestNames } from "../text/nearest-names.js";
import { rankDocuments } from "../text/word-index.js";
import { ActiveSkills } from "./active-skills.js";
import type { Skill } from "./skill.js";
import { gateForSkills } from "./skill-gate.js";
import { skillSection } from "./skill-section.js";

/** A skill that fits a task, and why. */
export interface SelectedSkill {
  readonly skill: Skill;
  /** Above 0; comparable within one task only. */
  readonly score: number;
  /** In words, such as `"database" is in its description`. */
  readonly reasons: readonly string[];
}

/** The skills that a reading of the directories found. */
export interface SkillListing {
  readonly skills: readonly Skill[];
  readonly untrusted: readonly Skill[];
  readonly problems: readonly FrontmatterProblem[];
}

/** The skills an agent may use. */
export interface SkillCatalog {
  /** Sorted by name, also those that the user alone may begin to use (`usedBy: "user"`). */
  readonly skills: readonly Skill[];
  /** Skills of a project that is not trusted: to be shown to the user, not used. */
  readonly untrusted: readonly Skill[];
  /** By file and line. What is wrong with one file affects no other. */
  readonly problems: readonly FrontmatterProblem[];
  /** Directories of the skills, for a workspace's `readRoots`, so that their files can be read. */
  readonly directories: readonly string[];
  /** Lists names and descriptions in the system prompt, and notices at each run what has changed on disk. */
  readonly source: ContextSource;
  /**
   * The gate with what skills add while they are in use: `allowed-tools` of trusted skills allow, guardrails with a rule
   * deny or ask, `onlyTools` narrow. Deny and ask rules of the inner gate always win.
   *
   * @throws ConfigurationError `OPTION_INVALID` for a gate that does not understand added rules, while a skill has some
   */
  gate(inner: PermissionGate): PermissionGate;
  /**
   * The skills whose description speaks about the task, best first; the same for the same task. Asks no model. Those that the
   * user alone may begin to use are not among them.
   */
  select(task: string, options?: { readonly limit?: number | undefined }): readonly SelectedSkill[];
  /** @throws ToolError `SKILL_UNKNOWN` that names the nearest ones */
  get(name: string): Skill;
  /**
   * Puts a skill in use for an agent until its next run, as the tool `skill` does: `gate` adds the skill's rules to the
   * agent's calls. For a host that has chosen a skill and brings its instructions itself. Twice is as good as once.
   *
   * @throws ToolError `SKILL_UNKNOWN`
   */
  use(name: string, transcriptId: string): void;
}

/** The part of a catalog that only the skill tool uses. Catalogs of other makers have none. */
export const activeSkillsOf = new WeakMap<SkillCatalog, ActiveSkills>();

/** A catalog of what `list` finds; it is asked again when a run begins. */
export async function createCatalog(list: () => Promise<SkillListing>, maxTokens: number): Promise<SkillCatalog> {
  let listing = await list();
  const active = new ActiveSkills();
  const catalog: SkillCatalog = {
    get skills() {
      return listing.skills;
    },
    get untrusted() {
      return listing.untrusted;
    },
    get problems() {
      return listing.problems;
    },
    get directories() {
      return listing.skills.flatMap(({ directory }) => directory ?? []);
    },
    source: {
      id: "skills",
      async load({ transcriptId, messages, resumed = true }) {
        listing = await list();
        active.beginRun(transcriptId, resumed ? messages() : []);
        const shown = forModels(listing.skills);
        if (shown.length === 0) return null;
        return { id: "skills", text: skillSection(shown, maxTokens) };
      },
    },
    gate: (inner) => gateForSkills(inner, () => listing.skills, active),
    select: (task, { limit = 3 } = {}) => selectSkills(forModels(listing.skills), task, limit),
    get(name) {
      const found = listing.skills.find((skill) => skill.name === name);
      if (found) return found;
      throw unknownSkill(name, listing);
    },
    use(name, transcriptId) {
      active.add(transcriptId, catalog.get(name).name);
    },
  };
  activeSkillsOf.set(catalog, active);
  return catalog;
}

/** Without those that only the user may begin to use. */
function forModels(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(({ usedBy }) => usedBy !== "user");
}

function unknownSkill(name: string, { skills, untrusted }: SkillListing): ToolError {
  const isUntrusted = untrusted.some((skill) => skill.name === name);
  const near = nearestNames(
    name,
    skills.map((skill) => skill.name),
  ).map((each) => JSON.stringify(each));
  const hint = isUntrusted
    ? "It belongs to a project that is not trusted; the user can trust it."
    : near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : `There are ${skills.length === 0 ? "none" : skills.map((skill) => skill.name).join(", ")}.`;
  return new ToolError("SKILL_UNKNOWN", {
    message: `There is no skill ${JSON.stringify(name.slice(0, 80))} to use. ${hint}`,
    details: { name },
  });
}

function selectSkills(skills: readonly Skill[], task: string, limit: number): SelectedSkill[] {
  const documents = skills.map(({ name, description }) => [{ text: name, weight: 3 }, { text: description }]);
  return rankDocuments(task, documents)
    .slice(0, limit)
    .map(({ index, score, matches }) => ({
      skill: skills[index]!,
      score,
      reasons: matches.map((match) => `"${match}" is in its name or description`),
    }));
}
