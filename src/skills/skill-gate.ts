import { ConfigurationError } from "../contracts/errors.js";
import type { AddedRules, PermissionDecision, PermissionGate, PermissionRequest } from "../contracts/permission.js";
import type { ActiveSkills } from "./active-skills.js";
import type { Skill } from "./skill.js";

/** Tools an agent needs to go on, whatever a skill narrows. */
const ALWAYS = new Set(["skill", "ask_user", "todo_write", "tool_search"]);

/** The inner gate, asked with the rules of the skills that the calling agent uses. */
export function gateForSkills(
  inner: PermissionGate,
  skills: () => readonly Skill[],
  active: ActiveSkills,
): PermissionGate {
  const adds = skills().some(
    ({ guardrails, allowedTools }) => allowedTools.length > 0 || guardrails.some(({ rule }) => rule),
  );
  if (adds && inner.understandsAddedRules !== true) {
    throw new ConfigurationError("OPTION_INVALID", {
      message:
        "This gate does not understand the rules that skills add. Use createPermissionChecker(), or set understandsAddedRules on a gate that honours request.added.",
      details: { option: "gate" },
    });
  }
  return {
    usesLabels: inner.usesLabels,
    understandsAddedRules: inner.understandsAddedRules,
    mode: inner.mode,
    decide(request) {
      const inUse = skillsInUse(request, skills(), active);
      const narrowed = narrowedBy(request, inUse);
      if (narrowed) return narrowed;
      const added = rulesOf(inUse);
      return inner.decide(added === null ? request : { ...request, added: merged(request.added, added) });
    },
    ...(inner.remember && { remember: inner.remember.bind(inner) }),
  };
}

function skillsInUse({ transcriptId }: PermissionRequest, skills: readonly Skill[], active: ActiveSkills): Skill[] {
  if (transcriptId === undefined || !active.knows(transcriptId)) return [];
  const names = active.of(transcriptId);
  return skills.filter(({ name }) => names.includes(name));
}

function narrowedBy({ tool }: PermissionRequest, inUse: readonly Skill[]): PermissionDecision | null {
  const name = typeof tool === "string" ? tool : tool.name;
  const narrowing = inUse.find(({ onlyTools }) => onlyTools !== null && !onlyTools.includes(name) && !ALWAYS.has(name));
  if (!narrowing) return null;
  return {
    behavior: "deny",
    reason: `The skill "${narrowing.name}" is in use and allows only ${narrowing.onlyTools!.join(", ") || "no tools"}.`,
  };
}

function rulesOf(inUse: readonly Skill[]): AddedRules | null {
  const allow = inUse.filter(({ isTrusted }) => isTrusted).flatMap(({ allowedTools }) => allowedTools);
  const guarded = inUse.flatMap(({ guardrails }) => guardrails).filter(({ rule }) => rule !== undefined);
  const deny = guarded.filter(({ behavior = "deny" }) => behavior === "deny").map(({ rule }) => rule!);
  const ask = guarded.filter(({ behavior }) => behavior === "ask").map(({ rule }) => rule!);
  return allow.length + deny.length + ask.length === 0 ? null : { allow, ask, deny };
}

function merged(a: AddedRules = {}, b: AddedRules): AddedRules {
  const both = (key: keyof AddedRules) => [...(a[key] ?? []), ...(b[key] ?? [])];
  return { allow: both("allow"), ask: both("ask"), deny: both("deny") };
}
