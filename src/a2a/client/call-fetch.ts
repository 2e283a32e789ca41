// The `fetch` of one call: where it may go, what it takes along, and how much and how long it waits for.
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";

/** The bounds on where an agent and its card may lead a call. */
export interface CallBounds {
  /** The only origin that credentials are sent to. */
  readonly origin: string;
  readonly otherOrigins: readonly string[];
  headers(): Promise<Readonly<Record<string, string>>>;
  /** The limit of one response. Unit: bytes. */
  readonly maxBytes: number;
  /** The time without a byte after which the agent counts as gone. Unit: milliseconds. */
  readonly silenceMs: number;
}

/** Whether anything may be sent to an address that a card names. */
export function isAllowed({ origin, otherOrigins }: CallBounds, url: string): boolean {
  return URL.canParse(url) && [origin, ...otherOrigins].includes(new URL(url).origin);
}

/**
 * A `fetch` that rejects, or breaks its response off, at each of the bounds; `tooMuch` makes the error for too many bytes. Redirections
 * are not followed.
 */
export function callFetch(bounds: CallBounds, tooMuch: () => Error): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isAllowed(bounds, url.href)) throw new Error(`${url.origin} is not an origin that this tool may call`);
    const headers = new Headers(init?.headers);
    if (url.origin === bounds.origin)
      for (const [name, value] of Object.entries(await bounds.headers())) headers.set(name, value);
    const silence = startSilence(bounds.silenceMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal;
    try {
      const response = await fetch(url, { ...init, headers, redirect: "manual", signal });
      if (response.status >= 300 && response.status < 400)
        throw new Error(`it redirects to ${response.headers.get("location")}: pass the address that it is really at`);
      if (!response.body) silence.stop();
      return response.body
        ? bounded(response, response.body, silence, { maxBytes: bounds.maxBytes, tooMuch })
        : response;
    } catch (error) {
      silence.stop();
      throw silence.signal.aborted ? silence.signal.reason : error;
    }
  };
}

type Silence = ReturnType<typeof startSilence>;

function startSilence(ms: number) {
  const control = new AbortController();
  const giveUp = () => control.abort(new Error(`nothing came from it for ${ms} ms`));
  let timer = setTimeout(giveUp, Math.min(ms, LONGEST_TIMER_MS));
  return {
    signal: control.signal,
    stop: () => clearTimeout(timer),
    broken() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, Math.min(ms, LONGEST_TIMER_MS));
    },
  };
}

function bounded(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array>,
  silence: Silence,
  { maxBytes, tooMuch }: { readonly maxBytes: number; readonly tooMuch: () => Error },
): Response {
  const reader = body.getReader();
  let bytes = 0;
  const limited = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const step = await reader.read();
        silence.broken();
        bytes += step.value?.length ?? 0;
        if (bytes > maxBytes) throw tooMuch();
        if (!step.done) return controller.enqueue(step.value);
        silence.stop();
        controller.close();
      } catch (error) {
        silence.stop();
        void reader.cancel().catch(() => {});
        controller.error(silence.signal.aborted ? silence.signal.reason : error);
      }
    },
    cancel(reason) {
      silence.stop();
      return reader.cancel(reason);
    },
  });
  return new Response(limited, { status, statusText, headers });
}
