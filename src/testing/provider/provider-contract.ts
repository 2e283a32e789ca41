import { isHarnessError, type ProviderErrorCode, RunAbortedError } from "../../contracts/errors.js";
import type { ProviderAdapter, ProviderEvent } from "../../contracts/provider.js";
import type { FinishReason } from "../../contracts/usage.js";
import { checkOptions, listOf, type OptionTable, oneOf, TEXT } from "../../json/check-options.js";
import { IS_RETRYABLE } from "../../providers/shared/failures/provider-error.js";
import { type ContractCase, claim, claimFailure, claimSame, collect, show, within } from "../contract-case.js";
import {
  ANSWERS,
  BOTH,
  BREAK,
  FEATURES,
  HELLO,
  type ProviderFeature,
  type ProviderScenario,
  STALL,
  STRUCTURED,
} from "./contract-scenarios.js";
import { DOCUMENTS, HISTORY, MADE_MEDIA, MEDIA_HISTORY, makeRequest } from "./sample-request.js";
import { type CompletedMessage, checkStream } from "./stream-grammar.js";

/** Options of `providerContract()`. */
export interface ProviderContractOptions {
  /** The failures the API can report. Default: `AUTH`, `BAD_REQUEST`, `RATE_LIMITED`, `SERVER`, `CONTEXT_TOO_LONG`. */
  readonly failures?: readonly ProviderErrorCode[] | undefined;
  /** Further features of the API, so that scenarios ask for them. Default: none. */
  readonly features?: readonly ProviderFeature[] | undefined;
}

/** Options of the suite, for suites that take them as well. */
export const PROVIDER_CONTRACT_OPTIONS = {
  failures: listOf(TEXT, "error codes"),
  features: listOf(oneOf("reasoning", "usage", "finish-reasons", "documents", "images"), "features"),
} satisfies OptionTable<ProviderContractOptions>;

/**
 * The promises of every `ProviderAdapter`.
 *
 * `makeProvider` is called once for each case and yields an adapter whose model (a local server, a fake `fetch`, a
 * script) does what the scenario says with every request, also with several at once. The adapter must not retry by
 * itself.
 *
 * @example
 * const cases = providerContract((scenario) => openai({ model: "m", apiKey: "k", fetch: play(scenario) }));
 * for (const c of cases) test(c.name, c.run);
 */
export function providerContract(
  makeProvider: (scenario: ProviderScenario) => ProviderAdapter | Promise<ProviderAdapter>,
  options: ProviderContractOptions = {},
): ContractCase[] {
  checkOptions("providerContract()", options, PROVIDER_CONTRACT_OPTIONS);
  const { failures = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "SERVER", "CONTEXT_TOO_LONG"], features = [] } = options;
  const contractCase = (name: string, scenario: ProviderScenario, check: Check): ContractCase => ({
    name,
    run: async () => within(CASE_TIMEOUT_MS, check(await makeProvider(scenario), scenario), name),
  });
  return [
    contractCase("id and model are stable names, and windows are whole numbers", HELLO, checkNames),
    ...Object.entries(ANSWERS).map(([name, scenario]) => contractCase(name, scenario, checkAnswer)),
    ...features.flatMap((feature) =>
      Object.entries(FEATURES[feature]).map(([name, scenario]) => contractCase(name, scenario, checkAnswer)),
    ),
    contractCase("requests at once do not mix", BOTH, checkConcurrent),
    contractCase("a long and varied history is sent, and the request is left unchanged", HELLO, checkHistory),
    contractCase("images and text files go along, also images of tool results", HELLO, checkMedia),
    contractCase("a history with an image that a model has made is sent", HELLO, checkMadeMedia),
    ...(features.includes("documents") ? [contractCase("PDF documents go along", HELLO, checkDocuments)] : []),
    contractCase("an answer by a schema is asked for, and arrives as text", STRUCTURED, checkStructured),
    ...failures.map((code) => contractCase(`a refusal is thrown as ${code}`, { kind: "refuse", code }, checkRefusal)),
    contractCase("a lost connection is thrown as retryable, and the message does not end", BREAK, checkBreak),
    contractCase("an abort in the middle ends the stream without an end of the message", STALL, checkAbort),
    contractCase("a request that is already aborted ends soon", STALL, checkAborted),
    contractCase("leaving a stream early closes it, and the next request works", BOTH, checkLeave),
  ];
}

type Check = (provider: ProviderAdapter, scenario: ProviderScenario) => Promise<void>;

const CASE_TIMEOUT_MS = 60_000;

/** The time until a stream must be over once it is not wanted any more. */
const SETTLE_MS = 2_000;

async function checkNames(provider: ProviderAdapter): Promise<void> {
  for (const name of ["id", "model"] as const) {
    const value = provider[name];
    claim(typeof value === "string" && value !== "", `${name} is ${show(value)}; expected a name.`);
    claim(provider[name] === value, `${name} changes from one reading to the next.`);
  }
  for (const name of ["contextWindow", "maxOutputTokens"] as const) {
    const value = provider[name];
    const isCount = value === undefined || (Number.isInteger(value) && value > 0);
    claim(isCount, `${name} is ${show(value)}; expected a positive whole number or nothing.`);
  }
}

async function checkAnswer(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  claimAnswer(checkStream(await collect(provider.stream(makeRequest()))), scenario);
}

async function checkConcurrent(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  const streams = await Promise.all([1, 2, 3].map(() => collect(provider.stream(makeRequest()))));

  for (const events of streams) claimAnswer(checkStream(events), scenario);
}

async function checkHistory(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  const request = makeRequest({ messages: HISTORY });
  const before = JSON.stringify(HISTORY);

  const events = await collect(provider.stream(request));

  claimAnswer(checkStream(events), scenario);
  claimSame(JSON.stringify(HISTORY), before, "messages after the request");
}

async function checkMedia(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  claimAnswer(checkStream(await collect(provider.stream(makeRequest({ messages: MEDIA_HISTORY })))), scenario);
}

async function checkMadeMedia(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  for (const { id, model } of [provider, { id: "another", model: "another-model" }]) {
    const messages = MADE_MEDIA.map((message) =>
      message.role === "assistant" ? { ...message, provider: id, model } : message,
    );
    claimAnswer(checkStream(await collect(provider.stream(makeRequest({ messages })))), scenario);
  }
}

async function checkDocuments(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  claimAnswer(checkStream(await collect(provider.stream(makeRequest({ messages: DOCUMENTS })))), scenario);
}

async function checkStructured(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  const output = {
    type: "object",
    properties: { city: { type: "string" }, rains: { type: "boolean" } },
    required: ["city", "rains"],
    additionalProperties: false,
  };

  const events = await collect(provider.stream(makeRequest({ tools: [], output })));

  claimAnswer(checkStream(events), scenario);
}

async function checkRefusal(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  if (scenario.kind !== "refuse") return;

  const failure = claimFailure(() => collect(provider.stream(makeRequest())), scenario.code, "a refused request");

  const { retryable } = (await failure) as Error & { retryable?: unknown };
  const expected = IS_RETRYABLE[scenario.code];
  claim(retryable === expected, `retryable of ${scenario.code} is ${show(retryable)}; expected ${expected}.`);
}

async function checkBreak(provider: ProviderAdapter): Promise<void> {
  const events: ProviderEvent[] = [];

  const failure = await readInto(events, provider.stream(makeRequest()));

  claim(isHarnessError(failure), `a lost connection ended in ${show(failure)}; expected a thrown ProviderError.`);
  claim(failure.retryable, `a lost connection was thrown as ${failure.code}, which is not retryable.`);
  claimUnfinished(events);
}

async function checkAbort(provider: ProviderAdapter): Promise<void> {
  const controller = new AbortController();
  const events: ProviderEvent[] = [];
  const onDelta = (event: ProviderEvent) => {
    if (event.type === "text-delta") controller.abort(new RunAbortedError("the contract suite asked for it"));
  };

  const reading = readInto(events, provider.stream(makeRequest({ signal: controller.signal })), onDelta);

  await within(SETTLE_MS, reading, "a stream whose signal aborted");
  claim(controller.signal.aborted, "the text sent before the silence never arrived.");
  claimUnfinished(events);
}

async function checkAborted(provider: ProviderAdapter): Promise<void> {
  const signal = AbortSignal.abort(new RunAbortedError("before it began"));
  const events: ProviderEvent[] = [];

  const reading = readInto(events, provider.stream(makeRequest({ signal })));

  await within(SETTLE_MS, reading, "a stream whose signal had aborted before");
  claimUnfinished(events);
}

async function checkLeave(provider: ProviderAdapter, scenario: ProviderScenario): Promise<void> {
  const leave = async () => {
    for await (const _ of provider.stream(makeRequest())) return;
  };

  await within(SETTLE_MS, leave(), "leaving a stream after its first event");

  claimAnswer(checkStream(await collect(provider.stream(makeRequest()))), scenario);
}

function claimAnswer(message: CompletedMessage, scenario: ProviderScenario): void {
  if (scenario.kind !== "answer") return;
  claimSame(message.text, scenario.text, "text");
  const calls = message.calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  claimSame(calls, scenario.toolCalls, "tool calls");
  const ids = new Set(message.calls.map((call) => call.id));
  claim(ids.size === message.calls.length, "two tool calls of one message have the same id.");
  const finishReason: FinishReason = scenario.toolCalls.length > 0 ? "tool-calls" : "stop";
  claimSame(message.finishReason, scenario.finishReason ?? finishReason, "finish reason");
  if (scenario.images !== undefined) claimSame(message.media, scenario.images, "images");
  if (scenario.reasoning !== undefined) claimSame(message.reasoning, scenario.reasoning, "reasoning");
  if (scenario.usage !== undefined) {
    const { inputTokens, outputTokens, cacheReadTokens } = message.usage ?? {};
    claimSame({ inputTokens, outputTokens, cacheReadTokens }, scenario.usage, "usage");
  }
}

function claimUnfinished(events: readonly ProviderEvent[]): void {
  const ended = events.some((event) => event.type === "message-end");
  claim(!ended, "a message-end was sent for a message that did not end.");
}

/** Resolves with what the stream threw, if anything. */
async function readInto(
  events: ProviderEvent[],
  stream: AsyncIterable<ProviderEvent>,
  onEvent?: (event: ProviderEvent) => void,
): Promise<unknown> {
  try {
    for await (const event of stream) {
      events.push(event);
      onEvent?.(event);
    }
  } catch (error) {
    return error;
  }
  return undefined;
}
