import { ConfigurationError } from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { SUBAGENT_TABLE } from "../engine/subagents/subagent-table.js";
import { checkOptions } from "../json/check-options.js";
import { canonicalName } from "../rules/tool-names.js";

const RENAMED = { prompt: "systemPrompt", allowedTools: "tools", background: "kind", permissionMode: "permissions" };

/**
 * A sub-agent made in code. Tools may have their names of either dialect (`Read`, `read_file`).
 *
 * @throws ConfigurationError `OPTION_INVALID` that names the option
 */
export function defineSubagent(definition: SubagentDefinition): SubagentDefinition {
  checkOptions("defineSubagent()", definition, SUBAGENT_TABLE, { renamed: RENAMED });
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
