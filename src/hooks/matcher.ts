import { basename } from "node:path";
import { createContext, Script } from "node:vm";
import type { HookInput } from "../contracts/hook.js";
import { namesOfTool } from "./dialect.js";

/** The value to which matchers of the event are compared; `null` where the event has nothing to match: every hook runs. */
export function matchValuesOf(input: HookInput): readonly string[] | null {
  switch (input.hookEventName) {
    case "PreToolUse":
    case "PermissionRequest":
    case "PermissionDenied":
    case "PostToolUse":
    case "PostToolUseFailure":
      return namesOfTool(input.toolName);
    case "SessionStart":
    case "ConfigChange":
      return [input.source];
    case "UserPromptExpansion":
    case "PreSkillShellCommand":
      return [input.commandName];
    case "SessionEnd":
      return [input.reason];
    case "PreCompact":
    case "PostCompact":
    case "Setup":
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
 * Absent, `""` and `*` match all; names joined by `|` or commas exactly those; anything else is a regular expression,
 * and one that twice takes longer than 100 ms matches.
 *
 * @throws SyntaxError for what is neither
 */
export function createMatcher(matcher: string | undefined): (values: readonly string[] | null) => boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  if (/^[\w.-]+(\s*[|,]\s*[\w.-]+)*$/.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/).map((name) => name.trim()));
    return (values) => values === null || values.some((value) => names.has(value));
  }
  const test = createBoundedTest(new RegExp(matcher));
  return (values) => values === null || values.some(test);
}

/** The time for one value: expressions that people write can take for ever on a name that others choose. */
const MATCH_MS = 100;
/** A machine that stands still takes time, too, but not each time. */
const MATCH_ATTEMPTS = 2;
const MAX_KNOWN = 1_000;
const TEST = new Script("pattern.test(value)");

/** Where no answer comes in time the hook is run: it may guard something. */
function createBoundedTest(pattern: RegExp): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    if (known.size > MAX_KNOWN) known.clear();
    const matches = known.get(value) ?? matchesOrHangs(pattern, value);
    known.set(value, matches);
    return matches;
  };
}

function matchesOrHangs(pattern: RegExp, value: string): boolean {
  for (let attempt = 0; attempt < MATCH_ATTEMPTS; attempt++) {
    try {
      return TEST.runInContext(createContext({ pattern, value }), { timeout: MATCH_MS });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    }
  }
  return true;
}
