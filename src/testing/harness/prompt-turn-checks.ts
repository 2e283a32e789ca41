// Turns that come to their end.
import type { HarnessPart } from "../../ai-sdk/harness-v1.js";
import { isHarnessError } from "../../contracts/errors.js";
import { text, toolCall } from "../../providers/scripted/scripted-turn.js";
import { claim, claimSame } from "../contract-case.js";
import { promptTurn, startSession } from "./harness-host.js";
import { type HarnessChecks, HOST_TOOL, resultsOf } from "./harness-place.js";

export const PROMPT_TURNS: HarnessChecks = {
  "a turn begins with stream-start, ends each part and step, and finishes once": async (place) => {
    const { harness } = await place.process(
      [{ reasoning: "Let me see." }, text("First."), toolCall("act", { name: "a" })],
      text("Done.", { chunkSize: 2 }),
    );

    const turn = await promptTurn(await startSession(harness), "Go.");
    await turn.done();

    claimGrammar(turn.parts);
    claimSame(turn.text, "First.Done.", "The text of the turn");
    claimSame(turn.all("finish-step").length, 2, "The number of steps");
    const [finish] = turn.all("finish");
    claimSame(finish?.finishReason.unified, "stop", "The finish reason");
    claimSame(finish?.totalUsage.inputTokens.total, 20, "The input tokens of both model calls");
  },

  "a call of the engine's tool is shown as run there, with its result": async (place) => {
    const { harness } = await place.process(toolCall("act", { name: "a" }), text("Done."));

    const turn = await promptTurn(await startSession(harness), "Go.");
    await turn.done();

    const [call, ...others] = turn.all("tool-call");
    claimSame(others.length, 0, "Further calls");
    claimSame([call?.toolName, call?.providerExecuted], ["act", true], "The call");
    claimSame(turn.all("tool-result")[0]?.result, "did a", "The result");
  },

  "a host tool waits for the host's result, which the model reads": async (place) => {
    const { harness, provider } = await place.process(
      [toolCall("host_tool", { n: 1 }), toolCall("host_tool", { n: 2 })],
      text("Done."),
    );

    const turn = await promptTurn(await startSession(harness), "Go.", { tools: [HOST_TOOL] });
    await turn.hostCall();
    const calls = turn.all("tool-call");
    for (const { toolCallId } of calls) await turn.control.submitToolResult({ toolCallId, output: { id: toolCallId } });
    await turn.done();

    claimSame(
      calls.map(({ providerExecuted, input }) => [providerExecuted, input]),
      [
        [undefined, '{"n":1}'],
        [undefined, '{"n":2}'],
      ],
      "The calls",
    );
    claimSame(
      calls.map(({ stepToolCallCount }) => stepToolCallCount),
      [2, 2],
      "The number of calls that the host is told",
    );
    const outputs = calls.map(({ toolCallId }) => JSON.stringify({ id: toolCallId }));
    claimSame(resultsOf(provider.requests[1]), outputs, "What the model has read");
    claimSame(turn.all("tool-result").length, 2, "The results that are echoed");
  },

  "what asks runs only when it is approved": async (place) => {
    const { harness, provider } = await place.process(
      [toolCall("act", { name: "a" }), toolCall("act", { name: "b" })],
      text("Done."),
    );

    const turn = await promptTurn(await startSession(harness, { permissionMode: "allow-reads" }), "Go.");
    const { approvalId } = await turn.first("tool-approval-request");
    claimSame(place.done, [], "What was done before the answer");
    await turn.control.submitToolApproval({ approvalId, approved: false, reason: "Not a." });
    const second = await turn.first("tool-approval-request", (part) => part.approvalId !== approvalId);
    await turn.control.submitToolApproval({ approvalId: second.approvalId, approved: true });
    await turn.done();

    claimSame(place.done, ["b"], "What was done");
    claim(
      String(resultsOf(provider.requests[1])[0]).includes("Not a."),
      "The model has to read why a call was refused.",
    );
  },

  "a structured answer is its JSON, and nothing else": async (place) => {
    const { harness } = await place.process(text("no JSON"), text('```json\n{"n": 1}\n```'));
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

    const turn = await promptTurn(await startSession(harness), "Go.", { responseFormat: { type: "json", schema } });
    await turn.done();

    const last = turn.parts.slice(turn.parts.findIndex(({ type }) => type === "finish-step"));
    const texts = last.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    claimSame(texts.join(""), '{"n":1}', "The text of the last step");
  },

  "instructions, skills and tools are those of the turn": async (place) => {
    const { harness, provider } = await place.process(text("One."), text("Two."));
    const session = await startSession(harness);
    const skills = [{ name: "knots", description: "Ties knots.", content: "Over, under." }];

    await (await promptTurn(session, "Go.", { instructions: "Be brief.", skills, tools: [HOST_TOOL] })).done();
    await (await promptTurn(session, "Go.", { instructions: "Be long." })).done();

    const [first, second] = provider.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    for (const words of ["Be brief.", "Ties knots.", "host_tool"]) {
      claim(first!.includes(words), `The first request has to say "${words}".`);
      claim(!second!.includes(words), `The second request must not say "${words}".`);
    }
    claim(second!.includes("Be long."), 'The second request has to say "Be long.".');
  },

  "an abort fails the turn, and the session takes the next prompt": async (place) => {
    const { harness } = await place.process(toolCall("hang"), text("Next."));
    const session = await startSession(harness);
    const controller = new AbortController();
    const turn = await promptTurn(session, "Go.", { abortSignal: controller.signal });
    await place.hanging;
    controller.abort();
    const failed = await turn.done().then(
      () => false,
      () => true,
    );
    claim(failed, "`done` of an aborted turn has to reject.");

    const next = await promptTurn(session, "Next?");
    await next.done();
    claimSame(next.text, "Next.", "The text of the next turn");
  },

  "a message during a turn reaches the model in its next request": async (place) => {
    const { harness, provider } = await place.process(toolCall("host_tool"), text("Done."));
    const turn = await promptTurn(await startSession(harness), "Go.", { tools: [HOST_TOOL] });
    const { toolCallId } = await turn.hostCall();
    await turn.control.submitUserMessage("Be quick.");
    await turn.control.submitToolResult({ toolCallId, output: "ok" });
    await turn.done();

    claim(
      JSON.stringify(provider.requests[1]?.messages).includes("Be quick."),
      "The next request has to have the message.",
    );
  },

  "what cannot be done says what to do, as the AI SDK's own error": async (place) => {
    const { harness } = await place.process();
    const session = await startSession(harness);

    const error = await promptTurn(session, "Go.", { model: "no such model" }).then(
      () => null,
      (thrown) => thrown,
    );

    claim(isHarnessError(error), "An unknown model has to be refused.");
    const mark = Symbol.for("vercel.ai.error.AI_HarnessCapabilityUnsupportedError");
    claimSame(Reflect.get(error, mark), true, "The mark of the AI SDK's error");
  },

  "a session that is destroyed leaves nothing running": async (place) => {
    const { harness } = await place.process(toolCall("hang"));
    const session = await startSession(harness);
    const turn = await promptTurn(session, "Go.");
    await place.hanging;

    await session.doDestroy();

    const failed = await turn.done().then(
      () => false,
      () => true,
    );
    claim(failed, "The turn of a destroyed session has to end.");
  },
};

/** Each text, thought and input ends before its step, each step before the turn, and nothing comes after that. */
function claimGrammar(parts: readonly HarnessPart[]): void {
  claimSame(parts[0]?.type, "stream-start", "The first part");
  const open = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const { type } = part;
    if (type.endsWith("-start") && "id" in part) open.add(part.id);
    if (type.endsWith("-end") && "id" in part) claim(open.delete(part.id), `"${type}" ends what has not begun.`);
    if (type.endsWith("-delta") && "id" in part) claim(open.has(part.id), `"${type}" belongs to nothing that is open.`);
    if (type === "finish-step") claimSame([...open], [], "What is open at the end of a step");
    if (type === "finish") claimSame(parts[index - 1]?.type, "finish-step", "The part before the end");
  }
  claimSame(parts.at(-1)?.type, "finish", "The last part");
}
