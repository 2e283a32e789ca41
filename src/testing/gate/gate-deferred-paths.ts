// The ways to a tool that is not listed: through `call_tool`, which the gate never sees.
import type { JsonObject } from "../../contracts/json.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import { ToolRegistry } from "../../engine/tools/tool-registry.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { deferTools } from "../../mcp/deferred-tools/defer-tools.js";
import { scripted, text, toolCall } from "../../providers/scripted/index.js";
import { answer, call, engineFor, type GatePath, inTurns, type PathDrive, run, USAGE } from "./gate-drive.js";
import { delegate } from "./gate-subagent-paths.js";

export const DEFERRED_PATHS: Readonly<Record<string, GatePath>> = {
  async "a deferred tool, through call_tool"(drive) {
    await run(drive, scripted([deferredCall(drive, drive.input), text("Done.")]), { tools: deferred(drive.tool) });
  },

  async "a deferred tool, called early"(drive) {
    const tool = { ...drive.tool, replayable: true };
    const early = inTurns(async function* () {
      yield { type: "tool-call-end", index: 0, call: { id: "call_1", ...innerCall(drive, drive.input) } };
      yield { type: "message-end", finishReason: "tool-calls", usage: USAGE };
    }, answer);
    await run(drive, early, { tools: deferred(tool) });
  },

  async "a deferred tool, called by its own name"(drive) {
    await run(drive, scripted([call(drive, drive.input), text("Done.")]), { tools: deferred(drive.tool) });
  },

  async "a deferred tool in a sub-agent"(drive) {
    const turns = [toolCall("delegate"), deferredCall(drive, drive.input), text("Found."), text("Done.")];
    await run(drive, scripted(turns), { tools: deferred(drive.tool, delegate()) });
  },

  async "a deferred tool's approval resumed by another engine"(drive) {
    const options = { sessions: createMemorySessionStore(), tools: deferred(drive.tool) };
    const first = engineFor(drive, scripted([deferredCall(drive, drive.asked)]), { ...options, approver: undefined });
    const { sessionId, pending } = await first.run("Go.");
    await first.close();
    const second = engineFor(drive, scripted([text("Done.")]), options);
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await second.resume(sessionId, { answers }).result;
    await second.close();
  },
};

function deferredCall(drive: PathDrive, input: JsonObject) {
  const { name, arguments: args } = innerCall(drive, input);
  return toolCall(name, args);
}

function innerCall({ tool }: PathDrive, input: JsonObject) {
  return { name: "call_tool", arguments: { name: tool.name, arguments: input } };
}

function deferred(...tools: readonly BaseTool[]): Registry {
  return deferTools(new ToolRegistry(tools), { keep: ["delegate"] });
}
