// The promises of an adapter over HTTP beside `providerContract`: that its events do not depend on how bytes are cut, that
// nothing is taken from half an answer, and that what nobody wants any more is closed. Played on real loopback sockets.
import type { MediaPart } from "../../contracts/content.js";
import { RunAbortedError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ProviderAdapter, ProviderEvent } from "../../contracts/provider.js";
import { withRetry } from "../../engine/model/with-retry.js";
import { checkOptions, FUNCTION, numberFrom, type OptionTable, required } from "../../json/check-options.js";
import { type ContractCase, claim, claimSame, collect, within } from "../contract-case.js";
import type { ProviderScenario } from "../provider/contract-scenarios.js";
import {
  PROVIDER_CONTRACT_OPTIONS,
  type ProviderContractOptions,
  providerContract,
} from "../provider/provider-contract.js";
import { makeRequest, PIXEL } from "../provider/sample-request.js";
import { checkStream } from "../provider/stream-grammar.js";
import { createFaultServer, type FaultServer } from "./fault-server.js";
import type { FaultReply } from "./reply.js";

/** The setup of an adapter on sockets. */
export interface HttpContractOptions extends ProviderContractOptions {
  /** The response of the adapter's API for a scenario. */
  reply(scenario: ProviderScenario): FaultReply;
  /** The adapter, with its server at this URL, which ends with `/v1`. */
  connect(url: string): ProviderAdapter;
  /** Every how many bytes the answer is split and cut. Default: 11; 1 tries all of them. */
  readonly stride?: number | undefined;
}

const OPTIONS = {
  ...PROVIDER_CONTRACT_OPTIONS,
  reply: required(FUNCTION),
  connect: required(FUNCTION),
  stride: numberFrom(1, "bytes"),
} satisfies OptionTable<HttpContractOptions>;

const LONG_CASE_MS = 120_000;

const SETTLE_MS = 2_000;

const CALLS: readonly { readonly name: string; readonly arguments: JsonValue }[] = [
  { name: "read_file", arguments: { path: 'ä "b" \\ 😀 }{' } },
  { name: "todo_write", arguments: { todos: [1, null] } },
];

const ANSWER = { kind: "answer", text: "Grüße 👩‍👧 世界.", toolCalls: CALLS } as const;

const IMAGE: MediaPart = { type: "image", mediaType: "image/png", data: PIXEL };

/** The model's answer, with an image where its API has them. */
function answerOf({ features = [] }: HttpContractOptions): ProviderScenario {
  return features.includes("images") ? { ...ANSWER, images: [IMAGE] } : ANSWER;
}

/**
 * `providerContract` on loopback sockets, in one piece, in small packets and compressed, and what only sockets show: the
 * answer split and cut at every byte, connections that are closed.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 *
 * @example
 * const cases = httpProviderContract({
 *   reply: (scenario) => ({ body: sse(chunksOf(scenario)) }),
 *   connect: (url) => openai({ model: "m", apiKey: "k", baseURL: url }),
 * });
 * for (const c of cases) test(c.name, c.run);
 */
export function httpProviderContract(options: HttpContractOptions): ContractCase[] {
  checkOptions("httpProviderContract()", options, OPTIONS);
  const wireCase = (name: string, check: (options: HttpContractOptions) => Promise<void>, ms = 60_000) => ({
    name,
    run: () => within(ms, check(options), name),
  });
  return [
    ...contractCases(options, "", {}),
    ...contractCases(options, "in small packets, ", { splitEvery: 41 }),
    ...contractCases(options, "compressed, ", { gzip: true }),
    wireCase("split at any byte, an answer is the same", checkSplit, LONG_CASE_MS),
    wireCase("cut at any byte, an answer never ends early and holds no half call", checkCut, LONG_CASE_MS),
    wireCase("cut at any byte and asked for again, an answer is whole, once", checkRepeated, LONG_CASE_MS),
    wireCase("an abort closes the connection, whatever is awaited", checkAbortCloses),
    wireCase("leaving a stream closes the connection", checkLeaveCloses),
    wireCase("requests at once share nothing but the server", checkAtOnce),
  ];
}

function contractCases(options: HttpContractOptions, prefix: string, wire: Partial<FaultReply>): ContractCase[] {
  const { failures, features } = options;
  const settings = { ...(failures && { failures }), ...(features && { features }) };
  const casesWith = (servers: FaultServer[]) =>
    providerContract(async (scenario) => {
      const server = await createFaultServer({ ...options.reply(scenario), ...wire });
      servers.push(server);
      return options.connect(server.url);
    }, settings);
  return casesWith([]).map(({ name }, index) => ({
    name: prefix + name,
    run: async () => {
      const servers: FaultServer[] = [];
      try {
        await casesWith(servers)[index]!.run();
      } finally {
        await Promise.all(servers.map((server) => server.close()));
      }
    },
  }));
}

async function checkSplit(options: HttpContractOptions): Promise<void> {
  const whole = options.reply(answerOf(options));
  let at = 0;
  await using server = await createFaultServer(() => ({ ...whole, splitAt: [at] }));
  const provider = options.connect(server.url);
  const events = async () => comparable(await collect(provider.stream(makeRequest())));
  const expected = await events();
  checkStream(expected);
  for (at of offsets(whole, options)) {
    claimSame(await events(), expected, `the events of an answer split at byte ${at}`);
  }
}

/** Ids that an adapter makes up may differ from one answer to the next: which events share one may not. */
function comparable(events: readonly ProviderEvent[]): ProviderEvent[] {
  const ids: string[] = [];
  const numbered = (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return `id ${ids.indexOf(id)}`;
  };
  return events.flatMap((event) => {
    // How long it took, and notices for the host, are no part of the answer.
    if (event.type === "waiting" || event.type === "notice") return [];
    if (event.type === "tool-call-end") return { ...event, call: { ...event.call, id: numbered(event.call.id) } };
    return "id" in event && event.id !== undefined ? { ...event, id: numbered(event.id) } : event;
  });
}

async function checkCut(options: HttpContractOptions): Promise<void> {
  const whole = options.reply(answerOf(options));
  let fault: Partial<FaultReply> = {};
  await using server = await createFaultServer(() => ({ ...whole, ...fault }));
  const provider = options.connect(server.url);
  for (const end of ["close", "reset"] as const) {
    for (const cutAt of offsets(whole, options)) {
      fault = { cutAt, end };
      const { events, error } = await readAll(provider);
      const where = `an answer cut at byte ${cutAt} by a ${end}`;
      claimWholeCalls(events, where);
      const hasEnded = events.some((event) => event.type === "message-end");
      claim(hasEnded === (error === undefined), `${where} ${hasEnded ? "ended and failed" : "did neither"}.`);
      claim(hasEnded || isRetryable(error), `${where} was thrown as not retryable: ${String(error)}`);
      if (hasEnded) claimSame(textOf(events), ANSWER.text, `the text of ${where}`);
    }
  }
}

async function checkRepeated(options: HttpContractOptions): Promise<void> {
  const whole = options.reply(answerOf(options));
  let cutAt: number | undefined;
  await using server = await createFaultServer(() => {
    const reply = cutAt === undefined ? whole : { ...whole, cutAt, end: "reset" as const };
    cutAt = undefined;
    return reply;
  });
  const provider = withRetry(options.connect(server.url), { baseMs: 0 });
  for (const at of offsets(whole, options)) {
    cutAt = at;
    const { text, calls, media } = checkStream(await collect(provider.stream(makeRequest())));
    claimSame(text, ANSWER.text, `the text of an answer cut at byte ${at} and asked for again`);
    const images = answerOf(options) === ANSWER ? [] : [IMAGE];
    claimSame(media, images, `the images of an answer cut at byte ${at} and asked for again`);
    claimSame(
      calls.map((call) => ({ name: call.name, arguments: call.arguments })),
      CALLS,
      `the calls of an answer cut at byte ${at} and asked for again`,
    );
  }
}

async function checkAbortCloses(options: HttpContractOptions): Promise<void> {
  const half = options.reply({ kind: "stall", text: "Half" });
  for (const fault of [{}, { delayMs: 60_000 }, { splitEvery: 1, packetDelayMs: 50 }]) {
    await using server = await createFaultServer({ ...half, ...fault });
    const controller = new AbortController();
    const provider = options.connect(server.url);
    const reading = readAll(provider, controller.signal);
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));

    controller.abort(new RunAbortedError("the contract suite asked for it"));

    const { events } = await within(SETTLE_MS, reading, "a stream whose signal aborted");
    claim(!events.some((event) => event.type === "message-end"), "an aborted stream sent its message-end.");
    claim(await server.requests[0]!.left, "the connection of an aborted stream was not closed.");
  }
}

async function checkLeaveCloses(options: HttpContractOptions): Promise<void> {
  await using server = await createFaultServer(options.reply({ kind: "stall", text: "Half" }));
  for await (const _ of options.connect(server.url).stream(makeRequest())) break;
  claim(await server.requests[0]!.left, "the connection of a stream that was left was not closed.");
}

async function checkAtOnce(options: HttpContractOptions): Promise<void> {
  const text = (n: number) => `Answer ${n} ${"ä".repeat(n * 50)}`;
  await using server = await createFaultServer((_, n) => ({
    ...options.reply({ kind: "answer", text: text(n), toolCalls: [] }),
    splitEvery: 7 + n,
  }));
  const provider = options.connect(server.url);
  const streams = await Promise.all(Array.from({ length: 8 }, () => collect(provider.stream(makeRequest()))));
  const texts = streams.map((events) => checkStream(events).text).sort();
  claimSame(texts, Array.from({ length: 8 }, (_, n) => text(n)).sort(), "the texts of eight answers at once");
}

function* offsets({ body = "" }: FaultReply, { stride = 11 }: HttpContractOptions): Generator<number> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
  for (let at = 1; at < bytes; at += stride) yield at;
}

function claimWholeCalls(events: readonly ProviderEvent[], where: string): void {
  const names = CALLS.map((call) => JSON.stringify(call));
  for (const event of events) {
    if (event.type === "media") claimSame(event.part.data, PIXEL, `the image of ${where}`);
    if (event.type !== "tool-call-end") continue;
    const { name, arguments: given } = event.call;
    claim(names.includes(JSON.stringify({ name, arguments: given })), `${where} holds half a call to "${name}".`);
  }
}

async function readAll(provider: ProviderAdapter, signal?: AbortSignal) {
  const events: ProviderEvent[] = [];
  try {
    for await (const event of provider.stream(makeRequest(signal ? { signal } : {}))) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

function textOf(events: readonly ProviderEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

function isRetryable(error: unknown): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "retryable") === true;
}
