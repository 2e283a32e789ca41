import type { ProviderRequest } from "../../contracts/provider.js";
import { followSignal } from "../../time/follow-signal.js";

/** A controller of an attempt's own. */
export interface Linked {
  readonly controller: AbortController;
  /** What the attempt is for. */
  readonly request: ProviderRequest;
  /** The same with the controller's signal, which follows the run's. */
  readonly own: ProviderRequest;
  readonly unlink: () => void;
}

/**
 * Controllers that follow a run's signal. Each attempt needs one of its own; the last one is kept for the run's next
 * request, since making and linking one costs more than the rest of an attempt. Links to a signal that outlives the run are removed.
 */
export class LinkedControllers {
  #spare: Linked | undefined;

  constructor(private readonly keepsLast: boolean) {}

  take(request: ProviderRequest): Linked {
    const spare = this.#spare;
    if (spare?.request === request) {
      this.#spare = undefined;
      return spare;
    }
    const { signal } = request;
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    const unlink = followSignal(signal, abort);
    const own = { ...request, signal: controller.signal };
    return { controller, request, own, unlink };
  }

  giveBack(linked: Linked): void {
    const isKept = this.keepsLast && !linked.controller.signal.aborted;
    const dropped = isKept ? this.#spare : linked;
    if (isKept) this.#spare = linked;
    dropped?.unlink();
  }
}
