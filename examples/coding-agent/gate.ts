import { defaultGate, type PermissionDecision, type PermissionGate, type PermissionRequest } from "loopwright";

/** Exactly these commands, with nothing behind them: no other program can hide in one. */
const TEST_COMMANDS: ReadonlySet<string> = new Set(["node --test", "node --test --test-reporter=spec", "npm test"]);

/** For a folder of the user's own: what only reads runs, everything that writes or runs is asked. */
export const askingGate: PermissionGate = {
  decide(request: PermissionRequest): PermissionDecision {
    const decision = defaultGate.decide(request) as PermissionDecision;
    if (decision.behavior !== "ask" || typeof request.tool === "string") return decision;
    const reason = request.tool.permission === "execute" ? "runs a command" : "changes your files";
    return { ...decision, reason };
  },
};

/**
 * Decides each tool call: what reads or edits files of the folder runs, so do the tests, everything else is asked.
 *
 * That a path is in the folder is not decided here: the workspace's sandbox refuses every other one.
 */
export const gate: PermissionGate = {
  decide({ tool, input, agentPath = [], sessionId = "" }: PermissionRequest): PermissionDecision {
    if (typeof tool === "string") return { behavior: "ask", reason: `"${tool}" is only a name.` };
    // A tool may object by itself, as the file tools do for `.env` or `.github/workflows`.
    const own = tool.checkPermission?.(input, { agentPath, sessionId });
    if (own?.behavior === "deny" || own?.behavior === "ask") {
      return { behavior: own.behavior, reason: own.reason ?? "The tool itself objects." };
    }
    switch (tool.permission) {
      case "none":
      case "read_only":
        return { behavior: "allow" };
      case "read_write":
        return { behavior: "allow", reason: "edits a file of the folder" };
      case "execute":
        return isTestCommand(input)
          ? { behavior: "allow", reason: "runs the tests" }
          : { behavior: "ask", reason: "runs something other than the tests" };
    }
  },
};

function isTestCommand(input: PermissionRequest["input"]): boolean {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  return typeof input.command === "string" && TEST_COMMANDS.has(input.command);
}
