import { basename } from "node:path";
import type { HookInput } from "../contracts/hook.js";
import { namesOfTool } from "./dialect.js";

/** What matchers of the event are compared with; `null` where the event has nothing to match: every hook runs. */
export function matchValuesOf(input: HookInput): readonly string[] | null {
  switch (input.hookEventName) {
    case "PreToolUse":
    case "PermissionRequest":
    case "PermissionDenied":
    case "PostToolUse":
    case "PostToolUseFailure":
      return namesOfTool(input.toolName);
    case "SessionStart":
      return [input.source];
    case "SessionEnd":
      return [input.reason];
    case "PreCompact":
    case "PostCompact":
      return [input.trigger];
    case "Notification":
      return [input.notificationType];
    case "SubagentStart":
    case "SubagentStop":
      return [input.agentType ?? ""];
    case "FileChanged":
      return [basename(input.filePath)];
    default:
      return null;
  }
}

/**
 * Absent, `""` and `*` match all; names joined by `|` or commas exactly those; anything else is a regular expression.
 *
 * @throws SyntaxError for what is neither
 */
export function createMatcher(matcher: string | undefined): (values: readonly string[] | null) => boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  if (/^[\w.-]+(\s*[|,]\s*[\w.-]+)*$/.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/).map((name) => name.trim()));
    return (values) => values === null || values.some((value) => names.has(value));
  }
  const pattern = new RegExp(matcher);
  return (values) => values === null || values.some((value) => pattern.test(value));
}
