// A new prompt ends what a suspended session was waiting for, also inside its sub-agents.
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { begunResult, madeOnRecord } from "../calls/begun-result.js";
import { labelOfRefusal } from "../calls/call-label.js";
import { toolOf } from "../calls/prepare-call.js";
import { errorResult, unknownResult, withOutcome } from "../calls/tool-result.js";
import type { RunState } from "../run/run-state.js";
import { NO_USAGE } from "../run/usage-meter.js";
import { childTranscriptId } from "../transcript/child-id.js";
import type { OpenTurn } from "../transcript/open-turn.js";
import { Recorder } from "../transcript/recorder.js";
import { PROGRAM_PROVIDER, Transcript } from "../transcript/transcript.js";

/** Records a result for each open call, also in the sub-agents that work for one. `agentId`: the transcript that their tools know. */
export async function denyOpenTurn(
  run: RunState,
  transcriptId: string,
  recorder: Recorder,
  open: OpenTurn,
  agentId = transcriptId,
): Promise<void> {
  const message = "The call was not answered: the user sent a new prompt instead.";
  for (const [index, call] of open.calls.entries()) {
    if (open.results[index]) continue;
    const wasBegun = open.wasBegun(call.id);
    const wasAtWork = open.wasStarted(call.id) || open.askedFromBelow(call.id).length > 0;
    if (wasAtWork) await denyChildrenOf(run, transcriptId, call.id, agentId);
    if (wasBegun) await endCall(run, agentId, call);
    const made = wasBegun ? await madeOnRecord(run, transcriptId, call.id) : undefined;
    const denied = errorResult(call, "denied", "PERMISSION_DENIED", message);
    const ended = withOutcome(open.wasStarted(call.id) ? unknownResult(call) : denied, wasBegun);
    // A tool without effects that was at its own question has only asked.
    const hasOnlyAsked = !wasAtWork && !made && toolOf(run.registry, call)?.permission === "none";
    const result = wasBegun && !hasOnlyAsked ? begunResult(ended, made) : ended;
    recorder.record({ type: "tool-result", result, label: labelOfRefusal(run), ...(made && { calls: made.calls }) });
  }
}

/** Has the tool release what it kept for a call that was left open. */
async function endCall(run: RunState, transcriptId: string, call: ToolCall): Promise<void> {
  const { sessionId, lifetime } = run;
  const tool = toolOf(run.registry, call);
  if (!tool?.endCall) return;
  const { name } = tool;
  try {
    const about = { toolCallId: call.id, transcriptId, sessionId };
    await lifetime.unlessStopped(tool.endCall(about), `The endCall() of tool "${name}"`);
  } catch (error) {
    run.notice("TOOL_FAILED", `Tool "${name}" did not release what it held for a call: ${describeThrown(error)}`);
  }
}

async function denyChildrenOf(run: RunState, transcriptId: string, toolCallId: string, agentId: string): Promise<void> {
  for (let nth = 1; ; nth++) {
    const childId = childTranscriptId(transcriptId, toolCallId, nth);
    try {
      const denying = denyInside(run, childId, agentId);
      if (!(await run.lifetime.unlessStopped(denying, `The sub-agent's session "${childId}"`))) return;
    } catch (error) {
      run.notice("SESSION_WRITE", `The sub-agent's session "${childId}" was left open: ${describeThrown(error)}`);
    }
  }
}

/** `false` when there is no such child. */
async function denyInside(run: RunState, childId: string, agentId: string): Promise<boolean> {
  const { store, runtime } = run.config;
  const transcript = new Transcript();
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(childId)) entries.push(entry);
  if (entries.length === 0) return false;
  const release = await store.lock(childId);
  try {
    for (const entry of entries) transcript.apply(entry);
    if (!transcript.open && !transcript.unfinished) return true;
    const recorder = new Recorder(transcript, store, childId, run.id, runtime);
    recorder.record({ type: "run-start" });
    const isAgent = transcript.lastAssistant?.provider !== PROGRAM_PROVIDER;
    if (transcript.open) await denyOpenTurn(run, childId, recorder, transcript.open, isAgent ? childId : agentId);
    recorder.record({ type: "run-end", status: "aborted", usage: NO_USAGE });
    await recorder.commit();
    if (recorder.failure) throw recorder.failure;
  } finally {
    await release();
  }
  return true;
}
