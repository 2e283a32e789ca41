// Turns that stop in the middle, and the states they leave.
import { text, toolCall } from "../../providers/scripted/scripted-turn.js";
import { claim, claimSame, isJson } from "../contract-case.js";
import { continueTurn, promptTurn, startSession } from "./harness-host.js";
import { type HarnessChecks, HOST_TOOL, resultsOf } from "./harness-place.js";

/** A state has to fit into a row of a database, however long the session is. */
const MAX_STATE_CHARS = 2_000;
const LONG = "x".repeat(50_000);

export const UNFINISHED_TURNS: HarnessChecks = {
  "a state is small JSON, and a session goes on from it with all that was said": async (place) => {
    const first = await place.process(text(LONG));
    const session = await startSession(first.harness);
    await (await promptTurn(session, LONG)).done();
    const state = await session.doStop();
    claimState(state);

    const second = await place.process(text("Yes."));
    const resumed = await startSession(second.harness, { resumeFrom: asJson(state) });
    await (await promptTurn(resumed, "Go on.")).done();

    claimSame(resumed.isResume, true, "isResume");
    claimSame(second.provider.requests[0]?.messages.length, 3, "The messages that the model has read");
  },

  "another process answers an approval and a host tool": async (place) => {
    const ask = { tools: [HOST_TOOL] };
    const start = { permissionMode: "allow-reads" } as const;
    const first = await place.process([toolCall("act", { name: LONG }), toolCall("host_tool")]);
    const session = await startSession(first.harness, start);
    const turn = await promptTurn(session, "Go.", ask);
    await turn.hostCall();
    const state = await session.doSuspendTurn();
    await turn.done();
    claimState(state);
    claimSame(place.done, [], "What was done before the answers");

    const second = await place.process(text("Done."));
    const resumed = await startSession(second.harness, { ...start, continueFrom: asJson(state) });
    const rest = await continueTurn(resumed, ask);
    const host = await rest.hostCall();
    await rest.control.submitToolResult({ toolCallId: host.toolCallId, output: "from the host" });
    const { approvalId } = await rest.first("tool-approval-request");
    await rest.control.submitToolApproval({ approvalId, approved: true });
    await rest.done();

    claimSame(place.done, [LONG], "What was done");
    claimSame(rest.text, "Done.", "The text of the rest");
    claimSame(resultsOf(second.provider.requests[0])[1], "from the host", "The host's result");
  },

  "a turn that is suspended in a tool ends cleanly, and goes on without a finished call made again": async (place) => {
    const first = await place.process([toolCall("act", { name: "a" }), toolCall("hang")]);
    const session = await startSession(first.harness);
    const turn = await promptTurn(session, "Go.");
    await place.hanging;
    const state = await session.doSuspendTurn();
    await turn.done();
    const shown = turn.parts.length;

    const second = await place.process(text("Went on."));
    const rest = await continueTurn(await startSession(second.harness, { continueFrom: asJson(state) }));
    await rest.done();

    claimSame(place.done, ["a"], "What was done");
    claimSame(turn.parts.length, shown, "The parts that the frozen turn has shown");
    claimSame(rest.text, "Went on.", "The text of the rest");
  },

  "a turn that is suspended in a model call goes on": async (place) => {
    const first = await place.process(text("A long answer.", { chunkSize: 1, chunkDelayMs: 20 }));
    const session = await startSession(first.harness);
    const turn = await promptTurn(session, "Go.");
    await turn.first("text-delta");
    const state = await session.doSuspendTurn();
    await turn.done();

    const second = await place.process(text("The rest."));
    const rest = await continueTurn(await startSession(second.harness, { continueFrom: asJson(state) }));
    await rest.done();

    claimSame(rest.text, "The rest.", "The text of the rest");
  },

  "the host reads on in the same process where it has stopped": async (place) => {
    const { harness } = await place.process(toolCall("act", { name: "a" }), text("Done."));
    const session = await startSession(harness, { permissionMode: "allow-edits" });
    const turn = await promptTurn(session, "Go.");
    const { approvalId } = await turn.first("tool-approval-request");

    const rest = await continueTurn(session);
    await turn.done();
    await rest.control.submitToolApproval({ approvalId, approved: true });
    await rest.done();

    claimSame(rest.text, "Done.", "The text of the rest");
    claimSame(rest.all("tool-result")[0]?.result, "did a", "The result");
  },
};

function asJson<T>(state: T): T {
  return JSON.parse(JSON.stringify(state)) as T;
}

function claimState(state: unknown): void {
  claim(isJson(state), "A state has to be plain JSON.");
  const { length } = JSON.stringify(state);
  claim(
    length <= MAX_STATE_CHARS,
    `A state has ${length} characters, and at most ${MAX_STATE_CHARS}: the transcript is in the store.`,
  );
}
