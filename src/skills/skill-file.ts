// One SKILL.md: what is clear in it is used, and the rest is reported with file and line. Nothing in a file throws.
import { basename, dirname } from "node:path";
import type { JsonValue } from "../contracts/json.js";
import { type Frontmatter, type FrontmatterProblem, readFrontmatter } from "../frontmatter/frontmatter.js";
import { firstCharacters } from "../text/cut.js";
import { isSkillName, MAX_SKILL_DESCRIPTION_CHARS, type Skill } from "./skill.js";
import { toolRulesIn } from "./tool-rules.js";

/** Fields of the open format, and those others write that mean something here. */
const KNOWN = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  "required-tools",
  "chains-to",
]);
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
  if (name === null || description === null) return { skill: null, problems: report.all };
  const skill: Skill = Object.freeze({
    name,
    description,
    instructions: about.readBody,
    requiredTools: namesIn(fields["required-tools"], "required-tools", report),
    guardrails: Object.freeze([]),
    chainsTo: namesIn(fields["chains-to"], "chains-to", report),
    allowedTools: toolRulesIn(fields["allowed-tools"], (message) => report("allowed-tools", message)),
    onlyTools: null,
    resources: about.resources,
    directory: dirname(file),
    file,
    isTrusted: about.isTrusted,
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
    if (!KNOWN.has(key)) report(key, `"${key}" is not a field of the open format; it is ignored`);
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

function namesIn(value: JsonValue | undefined, key: string, report: Reporter): readonly string[] {
  if (value === undefined || value === null) return Object.freeze([]);
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,]+/) : null;
  if (items === null) report(key, `${key} is not a list of names; it is ignored`);
  return Object.freeze((items ?? []).filter((item): item is string => typeof item === "string" && item !== ""));
}
