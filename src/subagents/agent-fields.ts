// Every field of an agent file that is known, and what becomes of it. The reader and the reference page use this one list.
// Serves: Claude Code's agent files (read 2026-11).

/** `honoured`: it counts. `ignored`: without it nothing more is allowed. */
type Treatment = "honoured" | "ignored";

export const AGENT_FIELDS: ReadonlyMap<string, { readonly treatment: Treatment; readonly note: string }> = new Map([
  ["name", { treatment: "honoured", note: "without it the file's name" }],
  ["description", { treatment: "honoured", note: "without it the first line" }],
  ["tools", { treatment: "honoured", note: "the only tools it has" }],
  ["disallowedTools", { treatment: "honoured", note: "tools it does not have" }],
  ["model", { treatment: "honoured", note: "if the host has it and settings allow it; else the parent's" }],
  ["maxTurns", { treatment: "honoured", note: "at most so many turns" }],
  ["background", { treatment: "honoured", note: "the call returns at once" }],
  ["isolation", { treatment: "honoured", note: "`worktree`; with another value the agent is left out" }],
  ["mcpServers", { treatment: "honoured", note: "trusted files, in a preset or with `connect`" }],
  [
    "permissionMode",
    {
      treatment: "honoured",
      note: "`plan` only reads; in wider modes the parent's rules and mode decide; with `dontAsk` or an unknown mode the agent is left out",
    },
  ],
  [
    "hooks",
    { treatment: "honoured", note: "they do not run; with a hook that guards, each call that is not harmless asks" },
  ],
  ["skills", { treatment: "ignored", note: "skills are not loaded before they are used" }],
  ["memory", { treatment: "ignored", note: "an agent file's memory is not kept" }],
  ["version", { treatment: "ignored", note: "is for people" }],
  ["author", { treatment: "ignored", note: "is for people" }],
  ["tags", { treatment: "ignored", note: "is for people" }],
  ["color", { treatment: "ignored", note: "is for a screen" }],
  ["effort", { treatment: "ignored", note: "the provider's own effort is used" }],
  ["initialPrompt", { treatment: "ignored", note: "is for the main agent" }],
  ["omitClaudeMd", { treatment: "ignored", note: "a sub-agent has the context sources of its engine" }],
  ["autoCompactWindow", { treatment: "ignored", note: "compaction is an option of the engine" }],
  ["observer", { treatment: "ignored", note: "nothing observes an agent but the engine's events" }],
  ["observerMessage", { treatment: "ignored", note: "as `observer`" }],
]);
