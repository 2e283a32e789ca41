// The fields of a sub-agent's definition.
import type { SubagentDefinition } from "../../contracts/subagent.js";
import {
  ANYTHING,
  FLAG,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  STRING,
  withMethods,
} from "../../json/check-options.js";

/** Can stand in a rule, `task(name)`, in an `agentPath` and on one line of a tool's description. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} _.:+-]{0,63}$/u;
export const MAX_SUBAGENT_DESCRIPTION_CHARS = 20_000;

export function isSubagentName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name) && name.trim() === name;
}

const name = required(optionOf(isSubagentName, "1 to 64 letters, digits, spaces and _ . : + -"));
const description = required(
  optionOf(
    (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_SUBAGENT_DESCRIPTION_CHARS,
    `a non-empty string of at most ${MAX_SUBAGENT_DESCRIPTION_CHARS} characters`,
  ),
);

/** A definition: one of `defineSubagent`, and one that a tool hands to `context.spawn`. */
export const SUBAGENT_TABLE = {
  name,
  description,
  systemPrompt: required(optionOf((value) => typeof value === "string", "a string")),
  tools: listOf(STRING, "names of tools"),
  disallowedTools: listOf(STRING, "names of tools"),
  ownTools: FUNCTION,
  readOnly: FLAG,
  model: withMethods("stream"),
  maxTurns: numberFrom(1, "turns"),
  permissions: withMethods("decide"),
  kind: oneOf("fresh", "fork", "background"),
  isolation: oneOf("worktree"),
  output: ANYTHING,
} satisfies OptionTable<SubagentDefinition>;
