import { firstCharacters } from "../text/cut.js";
import type { Skill } from "./skill.js";

/** Characters a token has at least, in most texts. */
const CHARS_PER_TOKEN = 3;
const SHORTEST_DESCRIPTION = 40;

const HEADING = `Skills are instructions for certain kinds of work. When one of them fits the task, call the tool "skill" with its name
before you begin; its instructions follow then. Each is listed with what it is for:`;

/** The list of skills for the system prompt: within its tokens, the longest descriptions are cut first. */
export function skillSection(skills: readonly Skill[], maxTokens: number): string {
  const room = maxTokens * CHARS_PER_TOKEN - HEADING.length;
  const descriptions = skills.map(({ description }) => description.replace(/\s+/g, " "));
  const names = skills.reduce((sum, { name }) => sum + name.length + 6, 0);
  const longest = fittingLength(descriptions, room - names);
  const lines = skills.map(({ name }, index) =>
    longest < SHORTEST_DESCRIPTION ? `- ${name}` : `- ${name}: ${shortened(descriptions[index]!, longest)}`,
  );
  return [HEADING, ...linesThatFit(lines, room)].join("\n");
}

/** The length to which each description has to be cut so that all fit. */
function fittingLength(descriptions: readonly string[], room: number): number {
  let left = room;
  const lengths = descriptions.map(({ length }) => length).sort((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function shortened(description: string, maxChars: number): string {
  return description.length <= maxChars ? description : `${firstCharacters(description, maxChars - 1).trimEnd()}…`;
}

function linesThatFit(lines: readonly string[], room: number): string[] {
  const fitting: string[] = [];
  let left = room;
  for (const [index, line] of lines.entries()) {
    left -= line.length + 1;
    if (left < 0) return [...fitting, `- and ${lines.length - index} more`];
    fitting.push(line);
  }
  return fitting;
}
