// The fields of an answer: those of every answer, and those that count at one point.
import type { HookPoint, HookResult } from "../contracts/hook.js";
import type { JsonObject } from "../contracts/json.js";
import { clip } from "../text/cut.js";

/** The fields of an answer. An object that has none of them is not one, such as a line of a log. */
export const ANSWER_FIELDS = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "permissionDecision",
  "hookSpecificOutput",
];

/** The fields of every answer, and of a hook that goes on in the background. */
const COMMON_FIELDS = [...ANSWER_FIELDS, "permissionDecisionReason", "async", "asyncTimeout"];
const CONTEXT = ["additionalContext"];
/** Points of which a model reads what their hooks add. */
const READ_BY_MODEL: ReadonlySet<HookPoint> = new Set([
  "SessionStart",
  "UserPromptExpansion",
  "UserPromptSubmit",
  "PreModelCall",
  "PostModelCall",
  "PermissionDenied",
  "PostToolUseFailure",
  "PostToolBatch",
  "PreCompact",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "PostModelSwitch",
]);
const DECISION_FIELDS = ["permissionDecision", "permissionDecisionReason"];
/** The fields of the object for one point. A point that is not named has context alone, if a model is there to read it. */
const POINT_FIELDS: { readonly [P in HookPoint]?: readonly string[] } = {
  PreToolUse: [...CONTEXT, ...DECISION_FIELDS, "updatedInput"],
  PermissionRequest: ["decision"],
  PostToolUse: [...CONTEXT, "updatedToolOutput", "updatedMCPToolOutput"],
  Elicitation: ["action", "content"],
  ElicitationResult: ["action", "content"],
  PreModelSwitch: DECISION_FIELDS,
  PreSkillShellCommand: [...DECISION_FIELDS, "updatedInput"],
  WorktreeCreate: ["worktreePath"],
  MessageDisplay: ["displayContent"],
};
/** Names that are not known are shown, so they have an end. */
const MAX_UNREAD = 5;
const MAX_NAME_CHARS = 40;

/** A result with the fields of the answer that have no effect. */
export type HookAnswer = HookResult & { readonly unread?: readonly string[] };

/** The names, as JSON, of the fields that have no effect at the point. */
export function unreadIn(answer: JsonObject, point: HookPoint): Pick<HookAnswer, "unread"> {
  const known = ["hookEventName", ...(POINT_FIELDS[point] ?? (READ_BY_MODEL.has(point) ? CONTEXT : []))];
  const specific = Object.keys(Object(answer.hookSpecificOutput)).filter((name) => !known.includes(name));
  const unread = [...Object.keys(answer).filter((name) => !COMMON_FIELDS.includes(name)), ...specific];
  if (unread.length === 0) return {};
  return { unread: unread.slice(0, MAX_UNREAD).map((name) => JSON.stringify(clip(name, MAX_NAME_CHARS))) };
}
