import type { HookInput } from "../contracts/hook.js";
import type { JsonValue } from "../contracts/json.js";
import { createRequestReader } from "../permissions/request/resolved-request.js";
import { matchesRestrictively } from "../permissions/rules/rule-match.js";
import { compileRules, defaultDirectories } from "../permissions/rules/rules.js";

/**
 * Whether a hook's condition, a permission rule such as `Bash(git *)`, is about an event: one about a tool call that a deny
 * rule of the same text would catch. So a hook that guards something is not got round by quotes or wrappers; a call that
 * cannot be read counts as one it is about.
 *
 * @throws ConfigurationError for a malformed rule
 */
export function createCondition(rule: string, dir: string): (input: HookInput) => boolean {
  const directories = defaultDirectories(dir);
  const [compiled] = compileRules([{ source: "flag", deny: [rule] }], directories);
  const read = createRequestReader(undefined, directories);

  return (input) => {
    if (!("toolName" in input)) return false;
    try {
      const call = read({ tool: input.toolName, input: input.toolInput as JsonValue }, "default");
      return call instanceof Promise || matchesRestrictively(compiled!, call) !== null;
    } catch {
      return true;
    }
  };
}
