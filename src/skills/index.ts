export type { FrontmatterProblem } from "../frontmatter/frontmatter.js";
export { type LoadSkillsOptions, loadSkills } from "./load-skills.js";
export { defineSkill, type Guardrail, type Skill, type SkillOptions } from "./skill.js";
export type { SelectedSkill, SkillCatalog } from "./skill-catalog.js";
export { createSkillTool } from "./skill-tool.js";
