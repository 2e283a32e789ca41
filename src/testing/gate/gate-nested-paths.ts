// The ways by which a tool that composes others comes to run one of them.
import type { SessionRecord } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { NestedCall } from "../../contracts/tool-call.js";
import { ToolRegistry } from "../../engine/tools/tool-registry.js";
import { childTranscriptId } from "../../engine/transcript/child-id.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { deferTools } from "../../mcp/deferred-tools/defer-tools.js";
import { scripted, text, toolCall } from "../../providers/scripted/index.js";
import { engineFor, type GatePath, type PathDrive, recordedEntries, run } from "./gate-drive.js";
import { delegate } from "./gate-subagent-paths.js";

/** By name. */
export const NESTED_PATHS: Readonly<Record<string, GatePath>> = {
  async "a call by a tool"(drive) {
    await composed(drive, [[inner(drive)]]);
  },

  async "a call by a tool, in its second wave"(drive) {
    await composed(drive, [[inner(drive, drive.allowed)], [inner(drive)]]);
  },

  async "two calls by a tool at once"(drive) {
    await composed(drive, [[inner(drive, drive.allowed), inner(drive)]]);
  },

  async "a call by a tool that a tool calls"(drive) {
    const tools = [drive.tool, composer("compose", [[{ name: "compose_below", input: {} }]])];
    await composed(drive, [], [...tools, composer("compose_below", [[inner(drive)]])]);
  },

  async "a call by a tool in a sub-agent"(drive) {
    const turns = [toolCall("delegate"), toolCall("compose"), text("Found."), text("Done.")];
    const tools = [drive.tool, delegate(), composer("compose", [[inner(drive)]])];
    await run(drive, scripted(turns), { tools });
  },

  async "a call of a deferred tool by a tool"(drive) {
    const { name, input } = inner(drive);
    const waves = [[{ name: "call_tool", input: { name, arguments: input } }]];
    const registry = new ToolRegistry([drive.tool, composer("compose", waves)]);
    await run(drive, scripted(TURNS), { tools: deferTools(registry, { keep: ["compose"] }) });
  },

  async "an approver's changed input of a call by a tool"(drive) {
    const tools = [drive.tool, composer("compose", [[inner(drive, drive.asked)]])];
    const approver = () => ({ decision: "allow" as const, updatedInput: drive.input });
    await run(drive, scripted(TURNS), { tools, approver });
  },

  async "a call by a tool, resumed by another engine"(drive) {
    const sessions = createMemorySessionStore();
    const waves = [[inner(drive, drive.allowed)], [inner(drive, drive.asked)]];
    const options = { sessions, tools: [drive.tool, composer("compose", waves)] };
    const first = engineFor(drive, scripted(TURNS), { ...options, approver: undefined });
    const { sessionId, pending } = await first.run("Go.");
    await first.close();
    const second = engineFor(drive, scripted([text("Done.")]), options);
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await second.resume(sessionId, { answers }).result;
    await second.close();
  },

  async "a call by a tool left open by a crash"(drive) {
    await afterCrash(drive, []);
  },

  async "a call by a tool that a crash interrupted, run again"(drive) {
    const tool: BaseTool = { ...drive.tool, onUnknown: "retry" };
    await afterCrash({ ...drive, tool }, [{ type: "tool-start", toolCallId: "call_1.1.1", inputDigest: "0" }]);
  },
};

const TURNS = [toolCall("compose"), text("Done.")];

async function composed(drive: PathDrive, waves: readonly (readonly NestedCall[])[], tools?: readonly BaseTool[]) {
  await run(drive, scripted(TURNS), { tools: tools ?? [drive.tool, composer("compose", waves)] });
}

function inner({ tool, input: last }: PathDrive, input = last): NestedCall {
  return { name: tool.name, input };
}

function composer(name: string, waves: readonly (readonly NestedCall[])[]): BaseTool {
  return {
    name,
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    definition: () => ({ name, description: "Calls other tools.", inputSchema: { type: "object" } }),
    async execute(_input, { calls }) {
      for (const wave of waves) await calls!.run(wave);
      return "Composed.";
    },
  };
}

/** Goes on with a session whose process ended while a tool's call was open. */
async function afterCrash(drive: PathDrive, further: readonly SessionRecord[]): Promise<void> {
  const sessions = createMemorySessionStore();
  const go = { role: "user" as const, content: [{ type: "text" as const, text: "Go." }] };
  const above: SessionRecord[] = [
    { type: "run-start" },
    { type: "message", message: go },
    messageOf({ provider: "contract", model: "contract" }, "call_1", { name: "compose", input: {} }),
    { type: "tool-start", toolCallId: "call_1", inputDigest: "0" },
  ];
  await sessions.append("crashed", recordedEntries(above));
  const below = [messageOf({ provider: "program", model: "compose" }, "call_1.1.1", inner(drive)), ...further];
  await sessions.append(childTranscriptId("crashed", "call_1", 1), recordedEntries(below));
  const tools = [drive.tool, composer("compose", [[inner(drive)]])];
  const engine = engineFor(drive, scripted([text("Done.")]), { sessions, tools });
  await engine.resume("crashed").result;
  await engine.close();
}

/** A tool that makes calls is the author of them. */
function messageOf(
  author: { readonly provider: string; readonly model: string },
  id: string,
  { name, input }: NestedCall,
): SessionRecord {
  const content = [{ type: "tool-call" as const, id, name, arguments: input }];
  return { type: "message", message: { role: "assistant", content, finishReason: "tool-calls", ...author } };
}
