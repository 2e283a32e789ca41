import { isHarnessError, ProviderError } from "../../../contracts/errors.js";
import type { JsonObject } from "../../../contracts/json.js";
import type { ProviderEvent } from "../../../contracts/provider.js";
import type { ToolCall } from "../../../contracts/tool-call.js";
import type { Usage } from "../../../contracts/usage.js";
import { wait } from "../../../time/wait.js";
import { ResponseStream } from "../../shared/http/response-stream.js";
import { ChunkReader } from "../chat/chunk-reader.js";
import type { ProbeAccess } from "./probe-access.js";

/** A server's reply to one probe. */
export interface ProbeReply {
  /** The refusal; absent when there was none. */
  readonly refusal?: ProviderError;
  readonly text: string;
  /** Whether each piece of it held all that came before. */
  readonly isCumulative: boolean;
  readonly calls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage?: Usage;
}

/** Attempts for one probe, when the server is busy. */
const MAX_ATTEMPTS = 3;

/** Longest wait between them. Unit: milliseconds. */
const MAX_WAIT_MS = 30_000;

const NOTHING_SAID = { text: "", isCumulative: false, calls: [], finishReason: "" } as const;

/** The limits of a probe that does not end by itself. */
export interface ProbeBounds {
  readonly signal: AbortSignal;
  /** For one reply. Unit: milliseconds. */
  readonly timeoutMs: number;
}

/** Sends one probe: `fields` beside the model. Refusals are replies, too; anything else that fails is thrown. */
export async function sendProbe(
  access: ProbeAccess,
  fields: JsonObject,
  { signal, timeoutMs }: ProbeBounds,
): Promise<ProbeReply> {
  for (let attempt = 1; ; attempt++) {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(timeoutOf(access, timeoutMs)), timeoutMs);
    try {
      return await readProbe(access, fields, AbortSignal.any([signal, timeout.signal]));
    } catch (error) {
      if (signal.aborted || !isHarnessError(error)) throw error;
      const { code, retryable, retryAfterMs = 1_000, status } = error as ProviderError;
      if (code === "BAD_REQUEST" || status === 500 || status === 422) {
        return { refusal: error as ProviderError, ...NOTHING_SAID };
      }
      if (!retryable || attempt === MAX_ATTEMPTS || retryAfterMs > MAX_WAIT_MS) throw error;
      await wait(retryAfterMs, signal);
      signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
    }
  }
}

function timeoutOf({ id }: ProbeAccess, timeoutMs: number): ProviderError {
  const message = `Provider "${id}" did not finish its reply to a probe within ${timeoutMs} ms. Check that the server works, or raise timeoutMs.`;
  return new ProviderError("TIMEOUT", { message });
}

async function readProbe(access: ProbeAccess, fields: JsonObject, signal: AbortSignal): Promise<ProbeReply> {
  const { endpoint, id, model } = access;
  const events: ProviderEvent[] = [];
  const stream = new ResponseStream({
    reader: new ChunkReader(id, () => new Set(["probe"])),
    request: { signal },
    failures: endpoint.failures,
    ...(endpoint.failure && { failure: endpoint.failure }),
    open: (own) => endpoint.send({ model, stream: true, ...fields }, own),
  });
  for await (const event of stream) events.push(event);
  const end = events.at(-1);
  const { finishReason, usage } = end?.type === "message-end" ? end : { finishReason: "", usage: undefined };
  const [text, reasoning] = (["text-delta", "reasoning-delta"] as const).map((type) =>
    events.flatMap((event) => (event.type === type && event.text !== "" ? [event.text] : [])),
  ) as [string[], string[]];
  return {
    text: wholeOf(text),
    isCumulative: grows(text) || grows(reasoning),
    calls: events.flatMap((event) => (event.type === "tool-call-end" ? [event.call] : [])),
    finishReason,
    ...(usage && { usage }),
  };
}

/** The number of growing pieces that is no chance. */
const MIN_PIECES = 3;

/** Whether each piece begins with the one before. Some servers say the last one again. */
function grows(pieces: readonly string[]): boolean {
  if (new Set(pieces).size < MIN_PIECES) return false;
  return pieces.every((piece, at) => at === 0 || piece.startsWith(pieces[at - 1]!));
}

function wholeOf(pieces: readonly string[]): string {
  return grows(pieces) ? pieces.at(-1)! : pieces.join("");
}
