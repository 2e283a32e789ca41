// Every field of a SKILL.md that is known, and what becomes of it. The reader and the reference page use this one list.
// Serves: the open Agent Skills format and Claude Code's additions (read 2026-11).

/** `honoured`: it counts. `refused`: the skill is left out. `ignored`: without it nothing more is allowed. */
type Treatment = "honoured" | "refused" | "ignored";

export const SKILL_FIELDS: ReadonlyMap<string, { readonly treatment: Treatment; readonly note: string }> = new Map([
  ["name", { treatment: "honoured", note: "without it the directory's name" }],
  ["description", { treatment: "honoured", note: "without it the first paragraph" }],
  ["license", { treatment: "ignored", note: "is for people" }],
  ["compatibility", { treatment: "ignored", note: "is for people" }],
  ["metadata", { treatment: "ignored", note: "is for other programs" }],
  ["allowed-tools", { treatment: "honoured", note: "trusted skills: allows calls while the skill is in use" }],
  ["disallowed-tools", { treatment: "honoured", note: "denies calls while the skill is in use" }],
  ["required-tools", { treatment: "honoured", note: "without them the skill is left out" }],
  ["chains-to", { treatment: "honoured", note: "is named when the skill is used" }],
  ["disable-model-invocation", { treatment: "honoured", note: "`true`: only the user may begin to use it" }],
  ["user-invocable", { treatment: "honoured", note: "`false`: it is not offered to the user" }],
  ["context", { treatment: "refused", note: "`fork`: it would see the whole conversation instead of running apart" }],
  ["agent", { treatment: "refused", note: "it would have the tools of the agent that uses it" }],
  ["hooks", { treatment: "refused", note: "its hooks, which may guard something, would not run" }],
  ["paths", { treatment: "honoured", note: "only the user may begin to use it, since files do not bring skills here" }],
  ["model", { treatment: "ignored", note: "the agent's own model is used" }],
  ["effort", { treatment: "ignored", note: "the agent's own effort is used" }],
  ["when_to_use", { treatment: "ignored", note: "say it in the description" }],
  ["argument-hint", { treatment: "ignored", note: "is for a menu" }],
  ["arguments", { treatment: "ignored", note: "$ARGUMENTS is filled in as a whole" }],
  ["shell", { treatment: "ignored", note: "no line of a skill is run when it is loaded" }],
]);
