import type { Harness, HarnessPart } from "../../ai-sdk/harness-v1.js";
import { isHarnessError } from "../../contracts/errors.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { SessionStore } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { scripted } from "../../providers/scripted/scripted.js";
import { type ScriptedContent, text, toolCall } from "../../providers/scripted/turn.js";
import { wait } from "../../time/wait.js";
import { type ContractCase, claim, claimSame, isJson } from "../contract-case.js";
import { continueTurn, promptTurn, startSession } from "./harness-host.js";

/** The parts of an engine that a harness of the contract stands over. */
export interface HarnessContractParts {
  readonly provider: ProviderAdapter;
  readonly tools: readonly BaseTool[];
  readonly sessions: SessionStore;
}

/** A harness over an engine of these parts. Called once for each process that a case plays. */
export type HarnessOfParts = (parts: HarnessContractParts) => Harness | Promise<Harness>;

const HOST_TOOL = { name: "host_tool", description: "Runs at the host.", inputSchema: { type: "object" } };
/** A state has to fit into a row of a database, however long the session is. */
const MAX_STATE_CHARS = 2_000;
const LONG = "x".repeat(50_000);

/**
 * The promises of an adapter for the AI SDK's `HarnessAgent` over an engine: what `loopwrightHarness` keeps, and one of your own has to.
 *
 * @example
 * for (const c of harnessContract((parts) => loopwrightHarness({ engine: new AgentEngine(parts) }))) test(c.name, c.run);
 */
export function harnessContract(makeHarness: HarnessOfParts): ContractCase[] {
  return Object.entries(CHECKS).map(([name, check]) => ({ name, run: () => check(new Place(makeHarness)) }));
}

/** What stays when a process ends: the sessions, and what tools have done. */
class Place {
  readonly done: string[] = [];
  readonly sessions = createMemorySessionStore();
  /** Settles when the tool `hang` was entered. */
  readonly hanging: Promise<void>;
  #entered!: () => void;

  constructor(private readonly makeHarness: HarnessOfParts) {
    this.hanging = new Promise((resolve) => {
      this.#entered = resolve;
    });
  }

  async process(...turns: ScriptedContent[]) {
    const provider = scripted(turns);
    const harness = await this.makeHarness({ provider, sessions: this.sessions, tools: this.#tools() });
    return { provider, harness };
  }

  #tools(): BaseTool[] {
    const act = defineTool<{ name: string }>({
      name: "act",
      description: "Does something.",
      input: { type: "object", properties: { name: { type: "string" } } },
      permission: "execute",
      execute: async ({ name }) => {
        await wait(1);
        this.done.push(name);
        return `did ${name}`;
      },
    });
    const hang = defineTool({
      name: "hang",
      description: "Works until it is stopped.",
      permission: "execute",
      timeoutMs: null,
      execute: (_, { signal }) => {
        this.#entered();
        return new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    return [act, hang];
  }
}

const CHECKS: Readonly<Record<string, (place: Place) => Promise<void>>> = {
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

function resultsOf(
  request: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] } | undefined,
): unknown[] {
  const results = request?.messages.findLast(({ role }) => role === "tool");
  return ((results?.content ?? []) as { readonly output: unknown }[]).map(({ output }) => output);
}

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
