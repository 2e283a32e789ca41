import type { SkillChoice } from "./options.js";
import type { ChosenSkill, Work } from "./work.js";

type Found = ReturnType<SkillChoice["select"]>[number];

/** The skill that fits a goal best, if any does. */
export function findSkill(skills: SkillChoice | undefined, goal: string): Found | undefined {
  return skills?.select(goal, { limit: 1 })[0];
}

/** The instructions of a skill, what it forbids included; `null` for one that is not there any more. */
export async function loadSkill(
  skills: SkillChoice | undefined,
  goal: string,
  name: string,
): Promise<ChosenSkill | null> {
  const found = skills?.select(goal, { limit: 20 }).find(({ skill }) => skill.name === name);
  if (!found) return null;
  const rules = found.skill.guardrails.map(({ text }) => `- ${text}`);
  const instructions = await found.skill.instructions();
  return { name, instructions: rules.length > 0 ? `${instructions}\n\nAlways:\n${rules.join("\n")}` : instructions };
}

/** The rules of the skill count for what is done in this session. */
export function useSkill({ skill, options }: Work, sessionId: string): void {
  if (skill) options.skills?.use?.(skill.name, sessionId);
}
