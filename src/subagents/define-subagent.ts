import { ConfigurationError } from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import {
  ANYTHING,
  checkOptions,
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
} from "../json/check-options.js";
import { canonicalName } from "../rules/tool-names.js";

/** Can stand in a rule, `task(name)`, in an `agentPath` and on one line of a tool's description. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} _.+-]{0,63}$/u;
export const MAX_SUBAGENT_DESCRIPTION_CHARS = 20_000;

export function isSubagentName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name) && name.trim() === name;
}

const name = required(optionOf(isSubagentName, "1 to 64 letters, digits, spaces and _ . + -"));
const description = required(
  optionOf(
    (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_SUBAGENT_DESCRIPTION_CHARS,
    `a non-empty string of at most ${MAX_SUBAGENT_DESCRIPTION_CHARS} characters`,
  ),
);

const OPTIONS = {
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

const RENAMED = { prompt: "systemPrompt", allowedTools: "tools", background: "kind", permissionMode: "permissions" };

/**
 * A sub-agent made in code. Tools may have their names of either dialect (`Read`, `read_file`).
 *
 * @throws ConfigurationError `OPTION_INVALID` that names the option
 */
export function defineSubagent(definition: SubagentDefinition): SubagentDefinition {
  checkOptions("defineSubagent()", definition, OPTIONS, { renamed: RENAMED });
  const { tools, disallowedTools, kind, isolation } = definition;
  if (kind === "fork" && isolation === "worktree") {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `The sub-agent "${definition.name}" is a fork in a work tree. A fork has read its parent's files; use kind "fresh" for a work tree.`,
      details: { option: "isolation" },
    });
  }
  if (kind === "fork" && definition.ownTools) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `The sub-agent "${definition.name}" is a fork with ownTools. A fork has its parent's tools; use kind "fresh" for tools of its own.`,
      details: { option: "ownTools" },
    });
  }
  return Object.freeze({
    ...definition,
    ...(tools && { tools: ownNames(tools) }),
    ...(disallowedTools && { disallowedTools: ownNames(disallowedTools) }),
  });
}

/** A name in lower case may be that of a tool of the host's own, such as `write`. */
function ownNames(names: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(names.map((each) => (/^[A-Z]/.test(each) ? canonicalName(each) : each)))]);
}
