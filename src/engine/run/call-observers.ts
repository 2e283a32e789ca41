// Around what the code of calls runs: observers put the context of a trace around it, so that what a tool or a provider
// traces by itself is part of the call. Without an observer nothing is added to a call.
import type { ProviderRequest } from "../../contracts/provider.js";

/** What one observer puts around calls. Each function calls `work` once, at once, and returns what that returns. */
export interface CallObserver {
  /** Around a tool's function, and around each step of one that is a generator. */
  aroundTool<T>(runId: string, toolCallId: string, work: () => T): T;
  /** Around the start of a model's stream, and each time its next event is asked for. */
  aroundModel<T>(runId: string, request: ProviderRequest, work: () => T): T;
  /** A model's stream has sent something. */
  onChunk(runId: string): void;
}

/** The observers of an engine's calls. */
export class CallObservers {
  #all: readonly CallObserver[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Returns what removes it again. */
  add(observer: CallObserver): () => void {
    this.#all = [...this.#all, observer];
    return () => {
      this.#all = this.#all.filter((other) => other !== observer);
    };
  }

  aroundTool<T>(runId: string, toolCallId: string, work: () => T): T {
    return this.#all.reduceRight((inner, observer) => () => observer.aroundTool(runId, toolCallId, inner), work)();
  }

  aroundModel<T>(runId: string, request: ProviderRequest, work: () => T): T {
    return this.#all.reduceRight((inner, observer) => () => observer.aroundModel(runId, request, inner), work)();
  }

  onChunk(runId: string): void {
    for (const observer of this.#all) observer.onChunk(runId);
  }
}
