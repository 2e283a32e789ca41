import type { ProviderRequest } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { RUN_PROGRAM } from "../../json/program-source.js";
import { followSignal } from "../../time/follow-signal.js";
import type { RunState } from "../run/run-state.js";
import { isRetryingForRun } from "./retry.js";

/** The reasons that end a run's attempts. */
interface AttemptOwner {
  /** Calls `abort` when the run is ended from outside, at once if it has been; returns what takes it back. */
  onAbort(abort: (reason: unknown) => void): () => void;
}

/** A run's own request: the only signal it needs is the attempt's, which follows the run itself. */
export interface OwnedRequest extends Omit<ProviderRequest, "signal"> {
  readonly owner: AttemptOwner;
}

/** The purpose of an attempt: a run's own request, or one from elsewhere. */
export type AttemptRequest = ProviderRequest | OwnedRequest;

/** A controller of an attempt's own. */
export interface Linked {
  readonly controller: AbortController;
  /** The purpose of the attempt. */
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

/** Beside the tools of the model those for programs alone, where the vendor's server runs the programs and the run has none of its own. */
function toolsOf({ prompt, provider }: RunState): readonly ToolDefinition[] {
  const { tools, forPrograms = [], serverTools } = prompt;
  if (forPrograms.length === 0 || !serverTools?.includes(provider.programs!)) return tools;
  return tools.some(({ name }) => name === RUN_PROGRAM) ? tools : Object.freeze([...tools, ...forPrograms]);
}

/** The same object for every request of an epoch: its arrays grow by themselves. */
export function requestOf(run: RunState): ProviderRequest {
  if (run.prompt.request) return run.prompt.request;
  const { epoch } = run.transcript;
  const request: AttemptRequest = {
    system: run.prompt.system,
    tools: toolsOf(run),
    messages: run.transcript.view,
    ...run.config.modelOptions,
    ...(run.setup.output && { output: run.setup.output.jsonSchema() }),
    ...(run.prompt.serverTools && { serverTools: run.prompt.serverTools }),
    ...(run.config.fitMedia && { fitMedia: run.config.fitMedia }),
    ...(run.limits.maxOutputTokens !== undefined && { maxOutputTokens: run.limits.maxOutputTokens }),
    ...(isRetryingForRun(run.provider) ? { owner: run.lifetime } : { signal: run.lifetime.signal }),
    sessionId: run.sessionId,
    ...(epoch && { epoch: { id: epoch.id, transcriptId: run.transcriptId, cause: epoch.cause } }),
  };
  run.prompt.request = request as ProviderRequest;
  return run.prompt.request;
}
