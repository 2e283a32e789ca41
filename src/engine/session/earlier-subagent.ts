// A sub-agent that has ended, for one that goes on from there.
import { SessionError } from "../../contracts/errors.js";
import { joinLabels } from "../../labels/join-labels.js";
import { labelOfCalls } from "../calls/call-label.js";
import { OPENING_PATIENCE_MS } from "../run/abandoned-work.js";
import type { RunState } from "../run/run-state.js";
import { type Beginning, closedView } from "../subagents/beginning.js";
import { branchOf } from "../transcript/branch.js";
import { Transcript } from "../transcript/transcript.js";
import { readAll } from "./open-session.js";

/** The messages and the label of the sub-agent with the session `id`. @throws SessionError `SESSION_NOT_FOUND`, … */
export async function continuedBeginning(parent: RunState, id: string): Promise<Beginning> {
  const reading = readAll(parent.config.store.read(id));
  const entries = await parent.lifetime.unlessStuck(reading, "The session store's read()", OPENING_PATIENCE_MS);
  if (entries.length === 0) {
    const message = `The sub-agent cannot go on: its session "${id}" is gone. Start a new one with the whole task.`;
    throw new SessionError("SESSION_NOT_FOUND", { message });
  }
  const earlier = new Transcript();
  for (const entry of branchOf(entries)) earlier.apply(entry);
  const asked = labelOfCalls(parent);
  return { history: closedView(earlier, NO_RESULT), label: asked && joinLabels(asked, earlier.label) };
}

const NO_RESULT = "[You were stopped while this call was under way. It is not known whether it was carried out.]";
