import { ConfigurationError } from "../contracts/errors.js";
import { checkOptions, listOf, type OptionTable, oneOf, optionOf, required, STRING } from "../json/check-options.js";

/** A promise about what is not done while a skill is in use. */
export interface Guardrail {
  /** The rule as the model reads it, as in "Never publish without a changelog entry." */
  readonly text: string;
  /** A permission rule that the gate enforces, as in `bash(npm publish *)`. Default: none. */
  readonly rule?: string | undefined;
  /** The gate's decision on calls that the rule speaks about. Default: `deny`. */
  readonly behavior?: "deny" | "ask" | undefined;
}

/** Instructions for one kind of work, listed by name and description and loaded when needed. */
export interface Skill {
  /** 1 to 64 lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Its purpose and when to use it: all that the model sees before it chooses. */
  readonly description: string;
  /** The instructions, read when the skill is used. */
  readonly instructions: () => Promise<string>;
  /** Names of tools without which it cannot work. */
  readonly requiredTools: readonly string[];
  readonly guardrails: readonly Guardrail[];
  /** Skills that usually come next. */
  readonly chainsTo: readonly string[];
  /** Permission rules that allow calls while the skill is in use. They count in trusted skills only. */
  readonly allowedTools: readonly string[];
  /** While it is in use only these tools may be called. `null`: all. */
  readonly onlyTools: readonly string[] | null;
  /** Files that belong to it, relative to its directory. */
  readonly resources: readonly string[];
  /** Absolute; `null` for a skill in code. */
  readonly directory: string | null;
  /** The file it was read from; `null` for a skill in code. */
  readonly file: string | null;
  readonly isTrusted: boolean;
  /** The users of the skill: the model is not shown one for `user`, and a list for people has none for `model`. Absent: both. */
  readonly usedBy?: "user" | "model" | undefined;
}

/** Options of `defineSkill()`. */
export interface SkillOptions {
  /** 1 to 64 lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Its purpose and when to use it: all that the model sees before it chooses. */
  readonly description: string;
  /** The text that the model reads when it uses the skill; a function is called then. */
  readonly instructions: string | (() => string | Promise<string>);
  /** Names of tools without which it cannot work. Default: none. */
  readonly requiredTools?: readonly string[] | undefined;
  /** A string is shown to the model; one with a `rule` is enforced by the gate, too. */
  readonly guardrails?: readonly (string | Guardrail)[] | undefined;
  /** Names of skills that usually come next. Default: none. */
  readonly chainsTo?: readonly string[] | undefined;
  /** Permission rules that allow calls while it is in use. Default: none. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Names of the only tools that may be called while it is in use. Default: all. */
  readonly onlyTools?: readonly string[] | undefined;
  /** Files the instructions mention, as paths the model can read. */
  readonly resources?: readonly string[] | undefined;
  /** The users of the skill. Default: the model and the user. */
  readonly usedBy?: "user" | "model" | undefined;
}

const GUARDRAIL = optionOf(isGuardrail, "a string, or { text, rule?, behavior? } with behavior deny or ask");
const OPTIONS = {
  name: required(STRING),
  description: required(STRING),
  instructions: required(
    optionOf(
      (value) => typeof value === "function" || (typeof value === "string" && value.trim() !== ""),
      "a string or a function",
    ),
  ),
  requiredTools: listOf(STRING, "names of tools"),
  guardrails: listOf(GUARDRAIL, "guardrails"),
  chainsTo: listOf(STRING, "names of skills"),
  allowedTools: listOf(STRING, "permission rules"),
  onlyTools: listOf(STRING, "names of tools"),
  resources: listOf(STRING, "paths"),
  usedBy: oneOf("user", "model"),
} satisfies OptionTable<SkillOptions>;

function isGuardrail(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { text, rule, behavior, ...others } = value as Partial<Guardrail>;
  const isRule = rule === undefined || (typeof rule === "string" && rule.trim() !== "");
  return (
    typeof text === "string" &&
    isRule &&
    [undefined, "deny", "ask"].includes(behavior) &&
    Object.keys(others).length === 0
  );
}

export const MAX_SKILL_NAME_CHARS = 64;
export const MAX_SKILL_DESCRIPTION_CHARS = 1_024;

/** Whether a name is one of the open Agent Skills format. @see https://agentskills.io/specification (read 2026-11) */
export function isSkillName(name: string): boolean {
  return name.length <= MAX_SKILL_NAME_CHARS && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/**
 * A skill in code. It is the host's own and so is trusted.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a wrong option, `SKILL_INVALID` for a name or a description that is not one
 */
export function defineSkill(options: SkillOptions): Skill {
  checkOptions("defineSkill()", options, OPTIONS);
  const { name, description, instructions, onlyTools = null } = options;
  if (!isSkillName(name)) {
    throw invalidSkill(name, "its name has to be 1 to 64 lower-case letters, digits and single hyphens between them");
  }
  if (description.length > MAX_SKILL_DESCRIPTION_CHARS) {
    throw invalidSkill(
      name,
      `its description has ${description.length} characters; at most ${MAX_SKILL_DESCRIPTION_CHARS} are allowed`,
    );
  }
  return Object.freeze({
    name,
    description: description.trim(),
    instructions: async () => (typeof instructions === "string" ? instructions : await instructions()),
    requiredTools: frozen(options.requiredTools),
    guardrails: Object.freeze((options.guardrails ?? []).map(readGuardrail)),
    chainsTo: frozen(options.chainsTo),
    allowedTools: frozen(options.allowedTools),
    onlyTools: onlyTools && frozen(onlyTools),
    resources: frozen(options.resources),
    directory: null,
    file: null,
    isTrusted: true,
    ...(options.usedBy && { usedBy: options.usedBy }),
  });
}

function readGuardrail(guardrail: string | Guardrail): Guardrail {
  return Object.freeze(typeof guardrail === "string" ? { text: guardrail } : { ...guardrail });
}

function frozen(items: readonly string[] = []): readonly string[] {
  return Object.freeze([...items]);
}

function invalidSkill(name: string, reason: string): ConfigurationError {
  return new ConfigurationError("SKILL_INVALID", {
    message: `The skill ${JSON.stringify(name.slice(0, 80))} cannot be used: ${reason}.`,
  });
}
