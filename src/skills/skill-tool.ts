import { ToolError } from "../contracts/errors.js";
import type { Message } from "../contracts/message.js";
import type { BaseTool, ToolContext } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { ActiveSkills, skillMark } from "./active-skills.js";
import type { Skill } from "./skill.js";
import { activeSkillsOf, type SkillCatalog } from "./skill-catalog.js";

interface SkillInput {
  readonly name: string;
  readonly arguments?: string;
}

/**
 * The tool `skill`: brings the instructions of a skill into the conversation, as a message that stays.
 *
 * A skill that is already in use is not brought twice, so chains end. Its files are named with their directory and read with
 * the ordinary tools, through the sandbox and the gate.
 */
export function createSkillTool(catalog: SkillCatalog): BaseTool<SkillInput> {
  const active = activeSkillsOf.get(catalog) ?? new ActiveSkills();
  return defineTool<SkillInput>({
    name: "skill",
    description:
      "Loads the instructions of a skill from the list of skills. Call it before you begin work that a skill is for.",
    input: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 129, description: "A name from the list of skills." },
        arguments: {
          type: "string",
          maxLength: 10_000,
          description: "What to use the skill for, if it asks for that.",
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
    permission: "none",
    returns: { integrity: "trusted", sources: [{ kind: "host", name: "skill" }] },
    describe: ({ name = "" }) => ({ title: `Use the skill ${name}`, kind: "read" }),
    claims: () => [{ mode: "write", key: "skill" }],
    onUnknown: "retry",
    reminder({ sessionId, transcriptId, messages }) {
      const kept = catalog.skills.filter(({ usedBy }) => usedBy === "user");
      // A sub-agent's prompt was written by a model.
      if (kept.length === 0 || transcriptId !== sessionId) return null;
      const fresh = active.ask(transcriptId, namedByUser(kept, messages?.() ?? []));
      if (fresh.length === 0) return null;
      return `The user asks for ${fresh.map((name) => `the skill "${name}"`).join(" and ")}. Load it with the tool "skill" before you begin.`;
    },
    async execute({ name, arguments: given }, context) {
      const skill = catalog.get(name);
      if (skill.usedBy === "user" && !active.isAsked(context.transcriptId, name)) throw usersAlone(name);
      const chain = active.of(context.transcriptId);
      if (chain.includes(name)) {
        return `The skill "${name}" is already in use in this run (${[...chain, name].join(" → ")}). Go on with its instructions above.`;
      }
      const body = await bodyOf(skill, given);
      active.add(context.transcriptId, name);
      return brought(skill, body, [...chain, name], context);
    },
  });
}

function usersAlone(name: string): ToolError {
  return new ToolError("SKILL_UNKNOWN", {
    message: `The skill "${name}" is for the user alone to begin, and the user has not asked for it. Go on without it, or say that the user can ask for it with "/${name}".`,
    details: { name },
  });
}

/** The skills that the user's newest message names, as `/deploy` or as the skill "deploy". */
function namedByUser(skills: readonly Skill[], messages: readonly Message[]): string[] {
  const newest = messages.findLast((message) => {
    return message.role === "user" && ["user", "steering"].includes(message.origin ?? "user");
  });
  const text = (newest?.content ?? []).flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
  return skills.map(({ name }) => name).filter((name) => names(name).test(text));
}

function names(skill: string): RegExp {
  // The name of a plugin, in front, may have dots; nothing else in a name means something in an expression.
  const name = skill.replaceAll(".", "\\.");
  return new RegExp(
    `(?:^|\\s)/${name}(?![\\w/-])|\\bskill ["'\`]?${name}(?![\\w-])|(?<![\\w-])${name}["'\`]? skill\\b`,
    "i",
  );
}

async function bodyOf(skill: Skill, given = ""): Promise<string> {
  const text = await skill.instructions();
  const asked = given.trim();
  if (text.includes("$ARGUMENTS")) return text.replaceAll("$ARGUMENTS", () => asked);
  return asked === "" ? text : `${text}\n\nArguments: ${asked}`;
}

function brought(skill: Skill, body: string, chain: readonly string[], context: ToolContext) {
  const parts = [
    `${skillMark(skill.name)} Instructions of the skill "${skill.name}":`,
    body.trim(),
    ...guardrailsOf(skill),
    ...resourcesOf(skill),
    ...(skill.chainsTo.length > 0
      ? [`When this is done, these skills usually come next: ${skill.chainsTo.join(", ")}.`]
      : []),
  ];
  const text = parts.join("\n\n");
  const details = { name: skill.name, chain: [...chain] };
  const way = chain.length > 1 ? ` The chain so far: ${chain.join(" → ")}.` : "";
  if (!context.deliver) return { output: `${text}${way}`, details };
  context.deliver(text, "skill");
  return { output: `The skill "${skill.name}" is in use; its instructions follow.${way}`, details };
}

function guardrailsOf({ guardrails }: Skill): string[] {
  if (guardrails.length === 0) return [];
  return [`While this skill is in use:\n${guardrails.map(({ text }) => `- ${text}`).join("\n")}`];
}

function resourcesOf({ directory, resources }: Skill): string[] {
  if (resources.length === 0) return [];
  const where = directory === null ? "" : ` (relative to ${JSON.stringify(directory)})`;
  return [
    `Files of this skill${where}, to be read or run when the instructions ask for them:\n${resources.map((path) => `- ${path}`).join("\n")}`,
  ];
}
