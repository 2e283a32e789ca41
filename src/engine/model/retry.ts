import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { FUNCTION, numberFrom, type OptionTable } from "../../json/check-options.js";
import { followSignal } from "../../time/follow-signal.js";

/** When and how failed model calls are repeated. Units: milliseconds, bytes. */
export interface RetryOptions {
  /** Attempts after the first. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** The first wait; it doubles with each attempt. Default: 1_000. */
  readonly baseMs?: number | undefined;
  /** The longest wait of our own. Default: 30_000. */
  readonly maxMs?: number | undefined;
  /** A server that asks for a longer wait than this makes the call fail at once. Default: 120_000. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Share of a wait that is random, so that many clients do not come back together: 0 to 1. Default: 0.25. */
  readonly jitter?: number | undefined;
  /** Silence allowed before the first event. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number | undefined;
  /** Silence allowed between events. Default: 60_000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Text and arguments of one response. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** For jitter; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Retry options with every default filled in. */
export type RetrySettings = Required<RetryOptions>;

const DEFAULTS = {
  maxRetries: 3,
  baseMs: 1_000,
  maxMs: 30_000,
  maxRetryAfterMs: 120_000,
  jitter: 0.25,
  firstTokenTimeoutMs: 120_000,
  idleTimeoutMs: 60_000,
  maxResponseBytes: 64 * 1024 * 1024,
  random: Math.random,
} satisfies RetrySettings;

export const RETRY_TABLE = {
  maxRetries: numberFrom(0, "attempts"),
  baseMs: numberFrom(0, "milliseconds", undefined, true),
  maxMs: numberFrom(0, "milliseconds", undefined, true),
  maxRetryAfterMs: numberFrom(0, "milliseconds", undefined, true),
  jitter: numberFrom(0, "share of a wait", 1, true),
  firstTokenTimeoutMs: numberFrom(0, "milliseconds", undefined, true),
  idleTimeoutMs: numberFrom(0, "milliseconds", undefined, true),
  maxResponseBytes: numberFrom(0, "bytes"),
  random: FUNCTION,
} satisfies OptionTable<RetryOptions>;

const RETRYING = Symbol.for("loopwright.retrying");

/** Whether a provider repeats failed calls itself, so that no second layer is put around it. */
export function isRetrying(provider: ProviderAdapter): boolean {
  return RETRYING in provider;
}

/** The retry layers of runs. */
const OF_RUNS = new WeakSet<ProviderAdapter>();

export function markForRun(layer: ProviderAdapter): void {
  OF_RUNS.add(layer);
}

/** Whether this is the retry layer of a run, which takes an `OwnedRequest`. */
export function isRetryingForRun(provider: ProviderAdapter): boolean {
  return OF_RUNS.has(provider);
}

/** Marks a decorator whose parts repeat failed calls themselves. */
export function markRetrying<P extends ProviderAdapter>(provider: P): P {
  return Object.defineProperty(provider, RETRYING, { value: true });
}

/** Checked options with every default filled in. */
export function readRetryOptions(options: RetryOptions): RetrySettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...given };
}

/** What a run's attempts end with. */
export interface AttemptOwner {
  /** Calls `abort` when the run is ended from outside, at once if it has been; returns what takes it back. */
  onAbort(abort: (reason: unknown) => void): () => void;
}

/** A run's own request: the only signal it needs is the attempt's, which follows the run itself. */
export interface OwnedRequest extends Omit<ProviderRequest, "signal"> {
  readonly owner: AttemptOwner;
}

/** What an attempt is for: a run's own request, or one from elsewhere. */
export type AttemptRequest = ProviderRequest | OwnedRequest;

/** A controller of an attempt's own. */
export interface Linked {
  readonly controller: AbortController;
  /** What the attempt is for. */
  readonly request: AttemptRequest;
  /** The same with the controller's signal, which follows the run's. */
  readonly own: ProviderRequest;
  readonly unlink: () => void;
}

/** Calls `onAbort` with the reason when what a request is for is ended, at once if it has been. Returns what ends this. */
export function followRequest(request: AttemptRequest, onAbort: (reason: unknown) => void): () => void {
  if ("owner" in request) return request.owner.onAbort(onAbort);
  const { signal } = request;
  return followSignal(signal, () => onAbort(signal.reason));
}

/** Key by key for the requests of runs: what is spread and then added to gets a hidden class of its own each time. */
function withSignal(request: AttemptRequest, signal: AbortSignal): ProviderRequest {
  if (!("owner" in request)) return { ...request, signal };
  const own: { [key: string]: unknown } = {};
  for (const key of Object.keys(request)) if (key !== "owner") own[key] = request[key as keyof OwnedRequest];
  own.signal = signal;
  return own as unknown as ProviderRequest;
}

/**
 * Controllers that follow a run. Each attempt needs one of its own; the last one is kept for the run's next
 * request, since making and linking one costs more than the rest of an attempt. Links to what outlives the run are removed.
 */
export class LinkedControllers {
  #spare: Linked | undefined;

  constructor(private readonly keepsLast: boolean) {}

  take(request: AttemptRequest): Linked {
    const spare = this.#spare;
    if (spare?.request === request) {
      this.#spare = undefined;
      return spare;
    }
    const controller = new AbortController();
    const unlink = followRequest(request, (reason) => controller.abort(reason));
    return { controller, request, own: withSignal(request, controller.signal), unlink };
  }

  giveBack(linked: Linked): void {
    const isKept = this.keepsLast && !linked.controller.signal.aborted;
    const dropped = isKept ? this.#spare : linked;
    if (isKept) this.#spare = linked;
    dropped?.unlink();
  }
}
