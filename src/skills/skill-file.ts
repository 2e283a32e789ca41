// One SKILL.md: what is clear in it is used, and the rest is reported with file and line. Nothing in a file throws.
import { basename, dirname } from "node:path";
import type { JsonValue } from "../contracts/json.js";
import { type Frontmatter, type FrontmatterProblem, readFrontmatter } from "../frontmatter/frontmatter.js";
import { firstCharacters } from "../text/cut.js";
import { type Guardrail, isSkillName, MAX_SKILL_DESCRIPTION_CHARS, type Skill } from "./skill.js";
import { SKILL_FIELDS } from "./skill-fields.js";
import { toolRulesIn } from "./tool-rules.js";

const MAX_COMPATIBILITY_CHARS = 500;
/** More than the 5,000 tokens a body should have, by far. */
const MAX_BODY_CHARS = 200_000;

export interface ReadSkill {
  /** `null` when nothing in the file could be used as a skill. */
  readonly skill: Skill | null;
  readonly problems: readonly FrontmatterProblem[];
}

/** Reads the text of a SKILL.md. `readBody` reads the file again when the skill is used. */
export async function readSkillFile(
  text: string,
  file: string,
  about: {
    readonly isTrusted: boolean;
    readonly resources: readonly string[];
    readonly readBody: () => Promise<string>;
  },
): Promise<ReadSkill> {
  const front = await readFrontmatter(text, file);
  const report = reporterOf(front, file);
  if (!front.fields) report("", "it has no frontmatter; begin it with name and description between two lines of ---");
  const fields = front.fields ?? {};
  const name = nameOf(fields.name, basename(dirname(file)), report);
  const description = descriptionOf(fields.description, front.body, report);
  checkOthers(fields, report);
  if (front.body.length > MAX_BODY_CHARS)
    report("", `its instructions have ${front.body.length} characters; the first ${MAX_BODY_CHARS} are used`);
  const isRefused = refusesField(fields, report);
  const prohibitions = prohibitionsIn(fields["disallowed-tools"], report);
  if (name === null || description === null || isRefused || prohibitions === null)
    return { skill: null, problems: report.all };
  const skill: Skill = Object.freeze({
    name,
    description,
    instructions: about.readBody,
    requiredTools: namesIn(fields["required-tools"], "required-tools", report),
    guardrails: Object.freeze(prohibitions),
    chainsTo: namesIn(fields["chains-to"], "chains-to", report),
    allowedTools: toolRulesIn(fields["allowed-tools"], (message) => report("allowed-tools", message)),
    onlyTools: null,
    resources: about.resources,
    directory: dirname(file),
    file,
    isTrusted: about.isTrusted,
    ...usedByOf(fields, report),
  });
  return { skill, problems: report.all };
}

/** The instructions of a SKILL.md, bounded. */
export async function bodyOf(text: string, file: string): Promise<string> {
  return firstCharacters((await readFrontmatter(text, file)).body.trim(), MAX_BODY_CHARS);
}

interface Reporter {
  (key: string, message: string): void;
  readonly all: FrontmatterProblem[];
}

function reporterOf(front: Frontmatter, file: string): Reporter {
  const all = [...front.problems];
  const report = (key: string, message: string) => all.push({ file, line: front.lineOf(key), key, message });
  return Object.assign(report as (key: string, message: string) => void, { all });
}

/** The field if it is a name; else the directory if that is one. */
function nameOf(value: JsonValue | undefined, directory: string, report: Reporter): string | null {
  const given = typeof value === "string" ? value.trim() : "";
  if (isSkillName(given)) {
    if (given !== directory)
      report("name", `"${given}" is not the name of its directory, "${directory}"; "${given}" is used`);
    return given;
  }
  const tidied = (given || directory)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64)
    .replace(/-+$/, "");
  if (tidied === "") {
    report("name", "it has no usable name; a name is 1 to 64 lower-case letters, digits and single hyphens");
    return null;
  }
  const what =
    given === ""
      ? "the name is missing"
      : `${JSON.stringify(given.slice(0, 80))} is not a name (1 to 64 lower-case letters, digits and single hyphens)`;
  report("name", `${what}; "${tidied}" is used`);
  return tidied;
}

function descriptionOf(value: JsonValue | undefined, body: string, report: Reporter): string | null {
  const given = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
  if (given.length > MAX_SKILL_DESCRIPTION_CHARS) {
    report(
      "description",
      `the description has ${given.length} characters; the first ${MAX_SKILL_DESCRIPTION_CHARS} are used`,
    );
  }
  if (given !== "") return firstCharacters(given, MAX_SKILL_DESCRIPTION_CHARS);
  const paragraph = body
    .split(/\n\s*\n/)
    .map((part) => part.replace(/^#+\s.*$/gm, "").trim())
    .find((part) => part !== "" && !part.startsWith("```"));
  if (paragraph === undefined) {
    report(
      "description",
      "it has no description and no text to take one from; say what the skill does and when to use it",
    );
    return null;
  }
  report("description", "the description is missing; the first paragraph of the instructions is used");
  return firstCharacters(paragraph.replace(/\s+/g, " "), MAX_SKILL_DESCRIPTION_CHARS);
}

function checkOthers(fields: { readonly [key: string]: JsonValue }, report: Reporter): void {
  for (const key of Object.keys(fields)) {
    const known = SKILL_FIELDS.get(key);
    if (!known) report(key, `"${key}" is not a field that is known; if it restricts something, that does not count`);
    else if (key === "model") report(key, known.note);
  }
  const { license, compatibility, metadata } = fields;
  if (license !== undefined && typeof license !== "string")
    report("license", "the license is not a string; it is ignored");
  if (
    compatibility !== undefined &&
    (typeof compatibility !== "string" || compatibility.length > MAX_COMPATIBILITY_CHARS)
  ) {
    report(
      "compatibility",
      `compatibility is not a string of at most ${MAX_COMPATIBILITY_CHARS} characters; it is ignored`,
    );
  }
  const isMap = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  if (metadata !== undefined && !(isMap && Object.values(metadata).every((value) => typeof value === "string"))) {
    report("metadata", "metadata is not a map of strings; nothing here reads it");
  }
}

/** Fields that restrict and that nothing here enforces: the skill is left out rather than used without them. */
function refusesField(fields: { readonly [key: string]: JsonValue }, report: Reporter): boolean {
  const refused = Object.entries(fields).filter(([key, value]) => {
    if (SKILL_FIELDS.get(key)?.treatment !== "refused" || value === null || value === "" || value === false)
      return false;
    return !(key === "context" && value === "inherit");
  });
  for (const [key] of refused) {
    report(
      key,
      `"${key}" restricts, and cannot be enforced here (${SKILL_FIELDS.get(key)!.note}); the skill is left out`,
    );
  }
  return refused.length > 0;
}

/** `null` when one of them cannot be read: the skill would be used with less than it forbids. */
function prohibitionsIn(value: JsonValue | undefined, report: Reporter): Guardrail[] | null {
  let isWhole = true;
  const rules = toolRulesIn(value, (message) => {
    isWhole = false;
    const about = message
      .replaceAll("allowed-tools", "disallowed-tools")
      .replace("it is ignored", "the skill is left out");
    report("disallowed-tools", about);
  });
  return isWhole ? rules.map((rule) => Object.freeze({ text: `Do not use ${rule}.`, rule })) : null;
}

/** A switch that is neither on nor off is taken as the one that restricts. */
function usedByOf(fields: { readonly [key: string]: JsonValue }, report: Reporter): Pick<Skill, "usedBy"> {
  const isOn = (key: string, otherwise: boolean, strict: boolean) => {
    const value = fields[key] ?? otherwise;
    if (typeof value === "boolean") return value;
    if (/^(?:true|yes|on|false|no|off)$/i.test(String(value))) return /^(?:true|yes|on)$/i.test(String(value));
    report(key, `"${key}" is not true or false; it is taken as ${strict}`);
    return strict;
  };
  const isUsersOnly = isOn("disable-model-invocation", false, true) || (fields.paths ?? null) !== null;
  const isForUsers = isOn("user-invocable", true, false);
  if (isUsersOnly && !isForUsers) report("user-invocable", "neither the model nor the user may begin to use it");
  if (isUsersOnly) return { usedBy: "user" };
  return isForUsers ? {} : { usedBy: "model" };
}

function namesIn(value: JsonValue | undefined, key: string, report: Reporter): readonly string[] {
  if (value === undefined || value === null) return Object.freeze([]);
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,]+/) : null;
  if (items === null) report(key, `${key} is not a list of names; it is ignored`);
  return Object.freeze((items ?? []).filter((item): item is string => typeof item === "string" && item !== ""));
}
