// Every way by which a tool can come to run, each as a short program that makes one call arrive there.

import { ProviderError } from "../../contracts/errors.js";
import type { ProviderAdapter, ProviderEvent } from "../../contracts/provider.js";
import type { SessionRecord, SessionStore } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { scripted, text } from "../../providers/scripted/index.js";
import { DEFERRED_PATHS } from "./gate-deferred-paths.js";
import {
  answer,
  call,
  callEvent,
  engineFor,
  type GatePath,
  inTurns,
  type PathDrive,
  recordedEntries,
  run,
  USAGE,
} from "./gate-drive.js";
import { MCP_PATHS } from "./gate-mcp-paths.js";
import { NESTED_PATHS } from "./gate-nested-paths.js";
import { SCHEDULER_PATHS } from "./gate-scheduler-paths.js";
import { SUBAGENT_PATHS } from "./gate-subagent-paths.js";

/** By name. A new way to run a tool joins here. */
export const GATE_PATHS: Readonly<Record<string, GatePath>> = {
  async "the main run"(drive) {
    await run(drive, scripted([call(drive, drive.input), text("Done.")]));
  },

  async "a call in the middle of a batch"(drive) {
    const batch = [drive.allowed, drive.input, drive.allowed].map((input) => call(drive, input));
    await run(drive, scripted([batch, text("Done.")]));
  },

  async "a later turn, after steering"(drive) {
    const engine = engineFor(drive, scripted([text("Yes?"), call(drive, drive.input), text("Done.")]));
    const stream = engine.stream("Go.");
    stream.followUp("Now.");
    await stream.result;
    await engine.close();
  },

  async "an eager call, while the model still streams"(drive) {
    await run({ ...drive, tool: { ...drive.tool, replayable: true } }, lingering(drive));
  },

  async "a retry after the model's stream broke"(drive) {
    await run({ ...drive, tool: { ...drive.tool, replayable: true } }, breaking(drive));
  },

  ...SUBAGENT_PATHS,

  ...NESTED_PATHS,

  ...DEFERRED_PATHS,

  ...MCP_PATHS,

  ...SCHEDULER_PATHS,

  async "an approver's changed input"(drive) {
    await run(drive, scripted([call(drive, drive.asked), text("Done.")]), {
      approver: () => ({ decision: "allow", updatedInput: drive.input }),
    });
  },

  async "a PreToolUse hook's changed input"(drive) {
    const change = { run: () => ({ updatedInput: drive.input, permissionDecision: "allow" as const }) };
    const hooks = {
      ...drive.hooks,
      PreToolUse: [{ ...change, matcher: drive.tool.name }, ...(drive.hooks.PreToolUse ?? [])],
    };
    await run({ ...drive, hooks }, scripted([call(drive, drive.allowed), text("Done.")]));
  },

  async "a PermissionRequest hook's changed input"(drive) {
    const change = { run: () => ({ updatedInput: drive.input, permissionDecision: "allow" as const }) };
    await run(
      { ...drive, hooks: { ...drive.hooks, PermissionRequest: [change] } },
      scripted([call(drive, drive.asked), text("Done.")]),
    );
  },

  async "an approval resumed by another engine"(drive) {
    const sessions = createMemorySessionStore();
    const first = engineFor(drive, scripted([call(drive, drive.asked)]), { sessions, approver: undefined });
    const { sessionId, pending } = await first.run("Go.");
    await first.close();
    const second = engineFor(drive, scripted([text("Done.")]), { sessions });
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await second.resume(sessionId, { answers }).result;
    await second.close();
  },

  async "a call left open by a crash"(drive) {
    const engine = engineFor(drive, scripted([text("Done.")]), { sessions: await crashedSession(drive, false) });
    await engine.resume("crashed").result;
    await engine.close();
  },

  async "a call that a crash interrupted, run again"(drive) {
    const tool: BaseTool = { ...drive.tool, onUnknown: "retry" };
    const sessions = await crashedSession(drive, true);
    const engine = engineFor({ ...drive, tool }, scripted([text("Done.")]), { sessions });
    await engine.resume("crashed").result;
    await engine.close();
  },
};

/** A model that goes on after its call is complete, so that the call may start early. */
function lingering(drive: PathDrive): ProviderAdapter {
  return inTurns(async function* () {
    yield callEvent(drive);
    for (let pause = 0; pause < 5; pause++) await new Promise((resolve) => setTimeout(resolve, 1));
    yield { type: "message-end", finishReason: "tool-calls", usage: USAGE };
  }, answer);
}

/** A model whose stream breaks behind the call, and says the same again. */
function breaking(drive: PathDrive): ProviderAdapter {
  async function* broken(): AsyncGenerator<ProviderEvent> {
    yield callEvent(drive);
    await new Promise((resolve) => setTimeout(resolve, 2));
    throw new ProviderError("STREAM_BROKEN", { message: "The stream broke.", retryable: true });
  }
  async function* whole(): AsyncGenerator<ProviderEvent> {
    yield callEvent(drive);
    yield { type: "message-end", finishReason: "tool-calls", usage: USAGE };
  }
  return inTurns(broken, whole, answer);
}

/** A session whose process ended before, or while, the call ran. */
async function crashedSession({ tool, input }: PathDrive, isStarted: boolean): Promise<SessionStore> {
  const records: SessionRecord[] = [
    { type: "run-start" },
    { type: "message", message: { role: "user", content: [{ type: "text", text: "Go." }] } },
    {
      type: "message",
      message: {
        role: "assistant",
        content: [{ type: "tool-call", id: "call_1", name: tool.name, arguments: input }],
        finishReason: "tool-calls",
        provider: "contract",
        model: "contract",
      },
    },
  ];
  if (isStarted) records.push({ type: "tool-start", toolCallId: "call_1", inputDigest: "0" });
  const sessions = createMemorySessionStore();
  await sessions.append("crashed", recordedEntries(records));
  return sessions;
}
