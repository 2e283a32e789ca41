import type { ContentPart } from "../../contracts/content.js";
import { ConfigurationError, isHarnessError, ProviderError, RunAbortedError } from "../../contracts/errors.js";
import type { AssistantPart, Message, ToolResultPart } from "../../contracts/message.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import type { Usage } from "../../contracts/usage.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  numberFrom,
  type OptionTable,
  optionOf,
  STRING,
} from "../../json/check-options.js";
import { clip } from "../../text/cut.js";
import { wait } from "../../time/wait.js";
import { RecordedRequest } from "./recorded-request.js";
import type { Turn, TurnFunction } from "./scripted-turn.js";
import type { ScriptPart } from "./to-script.js";
import { type Script, toScript } from "./to-script.js";
import { eventsOf } from "./turn-events.js";

/** Options of `scripted()`. */
export interface ScriptedOptions {
  /** Default: `"scripted"`. */
  readonly id?: string | undefined;
  /** Default: `"scripted"`. */
  readonly model?: string | undefined;
  /** Unit: tokens. Default: unknown. */
  readonly contextWindow?: number | undefined;
  /** Unit: tokens. Default: unknown. */
  readonly maxOutputTokens?: number | undefined;
  /** The usage of each turn that has none of its own. Default: 10 input and 5 output tokens, so that sums are easy. */
  readonly usage?: Usage | "none" | undefined;
  /** Starts again with the first turn after the last. Default: `false`. */
  readonly loop?: boolean | undefined;
  /** `false` keeps no requests, so that a request costs the same however long its history is. Default: `true`. */
  readonly record?: boolean | undefined;
}

/** A provider that plays prepared turns. */
export interface ScriptedProvider extends ProviderAdapter {
  /** Every request so far, unexpected ones too, in the order `stream` was called. Empty with `record: false`. */
  readonly requests: readonly RecordedRequest[];
  /** The number of requests, recorded or not. */
  readonly requestCount: number;
  /** @throws Error that lists the turns nobody asked for and the requests that had no turn */
  assertExhausted(): void;
}

const DEFAULT_USAGE: Usage = Object.freeze({ inputTokens: 10, outputTokens: 5 });

/** The most turns or requests that an error message lists. */
const MAX_LISTED = 5;

const OPTIONS = {
  id: byDefault("scripted", STRING),
  model: byDefault("scripted", STRING),
  contextWindow: numberFrom(0, "tokens", undefined, true),
  maxOutputTokens: numberFrom(0, "tokens", undefined, true),
  usage: byDefault(
    DEFAULT_USAGE,
    optionOf((value) => value === "none" || (typeof value === "object" && value !== null), 'a usage, or "none"'),
  ),
  loop: byDefault(false, FLAG),
  record: byDefault(true, FLAG),
} satisfies OptionTable<ScriptedOptions>;

/**
 * A provider that answers the first request with the first turn, the second with the second, and so on; no network.
 *
 * A request beyond the last turn fails with a `ProviderError` `BAD_REQUEST` that is not retried, and
 * `assertExhausted()` fails on unused turns, so that a loop that stops early or asks twice cannot pass a test. The turn
 * of a request is taken when `stream` is called. Waiting obeys `request.signal`, which is read only to wait.
 *
 * @example
 * const provider = scripted([toolCall("bash", { command: "git push" }), text("Understood.")]);
 *
 * @throws ConfigurationError `OPTION_INVALID` for a turn that cannot be played
 */
export function scripted(turns: readonly Turn[], options: ScriptedOptions = {}): ScriptedProvider {
  const { id, model, usage, loop, record } = checkOptions("scripted()", options, OPTIONS);
  if (!Array.isArray(turns)) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `scripted() got turns of type "${typeof turns}". Pass an array with one turn for each expected request.`,
    });
  }
  const scripts = turns.map((turn: Turn, index) => (typeof turn === "function" ? turn : toScript(turn, index + 1)));
  const requests: RecordedRequest[] = [];
  const unexpected: string[] = [];
  let requestCount = 0;
  let unexpectedCount = 0;
  let callCount = 0;
  const nextId = () => `call_${++callCount}`;

  function stream(request: ProviderRequest): AsyncIterable<ProviderEvent> {
    const index = requestCount++;
    if (record) requests.push(new RecordedRequest(request, { copy: true }));
    const script = scripts[loop ? index % scripts.length : index];
    if (script !== undefined) return play(script, request, index);

    const asked = `request ${index + 1}, asked with ${describeRequest(request)}`;
    unexpectedCount += 1;
    if (unexpected.length < MAX_LISTED) unexpected.push(asked);
    return fail(
      new ProviderError("BAD_REQUEST", {
        message: `The scripted provider "${id}" has ${scripts.length} turn(s) and got ${asked}. Add a turn for it, or find out why the run went on.`,
      }),
    );
  }

  async function* play(script: Script | TurnFunction, request: ProviderRequest, index: number) {
    if (typeof script === "function") script = toScript(await script(recorded(request, index), index), index + 1);
    const { delayMs = 0, chunkDelayMs = 0, error, errorAfterChunks } = script.settings;
    if (delayMs > 0) await delay(delayMs, request.signal);
    if (error !== undefined && errorAfterChunks === undefined) throw error;

    let chunksLeft = errorAfterChunks ?? Number.POSITIVE_INFINITY;
    for (const event of eventsOf(script, nextId, usage)) {
      if (error !== undefined && (event.type === "message-end" || (chunksLeft === 0 && event.type !== "message-start")))
        throw error;
      if (event.type.endsWith("-delta")) {
        chunksLeft -= 1;
        if (chunkDelayMs > 0) await delay(chunkDelayMs, request.signal);
      }
      yield event;
    }
    if (error !== undefined) throw error;
  }

  function recorded(request: ProviderRequest, index: number): RecordedRequest {
    return requests[index] ?? new RecordedRequest(request, { copy: false });
  }

  function assertExhausted(): void {
    const unused = scripts.slice(requestCount);
    const previews = unused.slice(0, MAX_LISTED).map((script, offset) => {
      const what = typeof script === "function" ? "a function" : describeScript(script);
      return `turn ${requestCount + offset + 1}: ${what}`;
    });
    const problems = [
      list(`${unused.length} of ${scripts.length} turn(s) were never asked for`, previews, unused.length),
      list(`${unexpectedCount} request(s) had no turn`, unexpected, unexpectedCount),
    ].join("");
    if (problems !== "") throw new Error(`The scripted provider "${id}" was not used as prepared.${problems}`);
  }

  return {
    id,
    model,
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    requests,
    get requestCount() {
      return requestCount;
    },
    stream,
    assertExhausted,
  };
}

// biome-ignore lint/correctness/useYield: a stream that fails before its first event
async function* fail(error: ProviderError): AsyncGenerator<ProviderEvent> {
  throw error;
}

function list(title: string, shown: readonly string[], total: number): string {
  if (total === 0) return "";
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : [];
  return `\n${title}:${[...shown, ...more].map((item) => `\n  ${item}`).join("")}`;
}

/**
 * Waits, or rejects as soon as `signal` aborts; leaves neither a timer nor a listener behind.
 *
 * @throws the signal's reason when it is a `HarnessError`, otherwise a `RunAbortedError` caused by it
 */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, signal);
  if (signal.aborted) throw abortError(signal);
}

function abortError(signal: AbortSignal): Error {
  if (isHarnessError(signal.reason)) return signal.reason;
  return new RunAbortedError("the request's signal aborted", signal.reason);
}

const MAX_PREVIEW_CHARS = 120;

/** A short, bounded account of a request for error messages. */
function describeRequest(request: ProviderRequest): string {
  const last = request.messages.at(-1);
  if (last === undefined) return "no messages";
  return `${request.messages.length} message(s), the last by "${last.role}": ${clip(describeMessage(last), MAX_PREVIEW_CHARS)}`;
}

/** A short, bounded account of a turn for error messages. */
function describeScript(script: Script): string {
  if (script.events !== undefined) return `${script.events.length} event(s) word for word`;
  const parts = script.parts.map(describePart).join(", ");
  const { error } = script.settings;
  if (error === undefined) return clip(parts || "nothing", MAX_PREVIEW_CHARS);
  return clip([parts, `throws ${error}`].filter(Boolean).join(", "), MAX_PREVIEW_CHARS);
}

function describeMessage(message: Message): string {
  return message.content.map(describePart).join(", ");
}

function describePart(part: ScriptPart | AssistantPart | ContentPart | ToolResultPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return `${part.type} ${JSON.stringify(clip(part.text, MAX_PREVIEW_CHARS))}`;
    case "tool-call":
      return `call ${part.name}(${"json" in part ? part.json : JSON.stringify(part.arguments)})`;
    case "tool-result":
      return `result of ${part.name} ${JSON.stringify(part.output.slice(0, MAX_PREVIEW_CHARS))}`;
    default:
      return part.type;
  }
}
