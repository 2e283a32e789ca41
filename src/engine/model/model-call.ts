// One request to the model: its events become a message and tool calls. A provider that the run has given up
// holds nobody up.
import type { ServerCompactor } from "../../contracts/context.js";
import { type HarnessError, ProviderError } from "../../contracts/errors.js";
import type { AssistantMessage } from "../../contracts/message.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import { MessageCalls } from "../calls/message-calls.js";
import type { CallObservers } from "../run/event-sink.js";
import type { RunState } from "../run/run-state.js";
import { credibleUsage } from "../run/usage-meter.js";
import { MessageBuilder } from "./message-builder.js";
import { requestOf } from "./model-request.js";
import { asProviderFailure } from "./provider-failure.js";
import { openStream, type PullIterator } from "./retrying-stream.js";

/** The end of a model call. */
export type ModelReply =
  | {
      readonly kind: "message";
      readonly message: AssistantMessage;
      readonly calls: MessageCalls;
      readonly usage: Usage;
    }
  /** The run was ended from outside; what there is of the message, if anything. */
  | { readonly kind: "interrupted"; readonly message: AssistantMessage | null; readonly calls: MessageCalls }
  | { readonly kind: "failed"; readonly error: HarnessError };

/** Asks the model once, with the view as it is. */
export function callModel(run: RunState): Promise<ModelReply> {
  const { id: provider, model } = run.provider;
  run.emit("model-call-start", { provider, model });
  return new ModelStream(run).read();
}

type StreamEnd =
  | { readonly kind: "message"; readonly finishReason: FinishReason; readonly usage: Usage | undefined }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly error: HarnessError };

const PROVIDER_NOTICES = new Set("MEDIA_LEFT_OUT SERVER_STATE".split(" "));

const FINISH_REASONS = new Set("stop tool-calls length content-filter error aborted pause other".split(" "));

/** Reads a provider's stream by callbacks: one promise for the whole call, so that an abort settles it at once. */
class ModelStream {
  readonly #calls: MessageCalls;
  readonly #builder: MessageBuilder;
  readonly #observers: CallObservers;
  #iterator: AsyncIterator<ProviderEvent> | undefined;
  #resolve: (reply: ModelReply) => void = () => {};
  #reject: (fault: unknown) => void = () => {};
  #settled = false;
  #misunderstood = 0;
  #isPulling = false;
  /** The step that came while it was asked for. */
  #ready: IteratorResult<ProviderEvent> | undefined;

  constructor(private readonly run: RunState) {
    this.#calls = new MessageCalls(run);
    this.#builder = new MessageBuilder(run.provider, this.#calls, run.transcript);
    this.#observers = run.setup.sink.observers;
  }

  read(): Promise<ModelReply> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      // A listener may have ended the run a moment ago.
      if (this.run.lifetime.ending) return this.interrupt();
      this.run.lifetime.underWay = this;
      try {
        this.#enter(() => {
          this.#iterator = openStream(this.run.provider, requestOf(this.run));
          this.#pullNext();
        });
        this.#takeReady();
      } catch (error) {
        this.#onFailure(error);
      }
    });
  }

  interrupt(): void {
    this.#end({ kind: "interrupted" });
  }

  #pull(): void {
    this.#enter(this.#pullNext);
  }

  /** Runs a piece of the provider's code, inside what observers put around it. */
  #enter(work: () => void): void {
    if (this.#observers.isEmpty) work();
    else this.#observers.aroundModel(this.run.id, requestOf(this.run), work);
  }

  readonly #pullNext = (): void => {
    const iterator = this.#iterator!;
    if (!("pullEvent" in iterator)) {
      iterator.next().then(this.#onStep, this.#onFailure);
      return;
    }
    this.#isPulling = true;
    try {
      (iterator as PullIterator).pullEvent(this.#onStep, this.#onFailure);
    } finally {
      this.#isPulling = false;
    }
  };

  readonly #onStep = (step: IteratorResult<ProviderEvent>): void => {
    this.#ready = step;
    if (!this.#isPulling) this.#takeReady();
  };

  /** Takes the chunks that have come already in a loop, so that the stack stays flat. */
  #takeReady(): void {
    for (let step = this.#ready; step; step = this.#ready) {
      this.#ready = undefined;
      this.#takeStep(step);
      const late = this.#ready as IteratorResult<ProviderEvent> | undefined;
      // A consumer that is behind gets its turn after each event. Bound: a closure would cost every pass a context.
      if (!late || !this.run.setup.sink.isBehind) continue;
      this.#ready = undefined;
      queueMicrotask(this.#onStep.bind(null, late));
      return;
    }
  }

  #takeStep(step: IteratorResult<ProviderEvent>): void {
    if (this.#settled) return;
    if (step.done) {
      this.#settled = true;
      const message = `Provider "${this.run.provider.id}" ended its stream without a message-end.`;
      this.#settle({ kind: "failed", error: new ProviderError("STREAM_BROKEN", { message, retryable: true }) });
      return;
    }
    try {
      if (!this.#observers.isEmpty && step.value?.type !== "restart") this.#observers.onChunk(this.run.id);
      this.#take(step.value);
      if (!this.#settled) this.#pull();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  readonly #onFailure = (thrown: unknown): void => {
    this.#end({ kind: "failed", error: asProviderFailure(thrown, this.run.provider.id) });
  };

  #end(end: StreamEnd): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#closeIterator();
    // The run may have been ended by a listener of an event that is not part of the message yet.
    if (end.kind === "interrupted") queueMicrotask(() => this.#settle(end));
    else this.#settle(end);
  }

  #settle(end: StreamEnd): void {
    this.run.lifetime.underWay = null;
    try {
      this.#resolve(this.#replyOf(end));
    } catch (fault) {
      this.#reject(fault);
    }
  }

  #replyOf(end: StreamEnd): ModelReply {
    const { run } = this;
    const calls = this.#calls;
    const builder = this.#builder;
    if (end.kind === "failed") {
      calls.discard();
      return end;
    }
    if (end.kind === "interrupted") {
      builder.dropOpenCalls();
      calls.dropOrphans();
      const begun = (usage?: Usage) => (builder.isEmpty ? null : builder.message("aborted", usage));
      const usage = run.meter.measure(requestOf(run), undefined, begun());
      run.meter.add(usage, run.meter.priceOf(builder.author, usage));
      return { kind: "interrupted", message: begun(usage), calls };
    }
    builder.closeCalls();
    calls.dropOrphans();
    const reported = credibleUsage(end.usage);
    const usage = run.meter.measure(
      requestOf(run),
      reported ?? undefined,
      reported ? null : builder.message("other", undefined),
    );
    const message = builder.message(end.finishReason, usage);
    const costUsd = run.meter.priceOf(builder.author, usage);
    run.meter.add(usage, costUsd);
    const { response } = builder;
    run.emit("model-call-end", { finishReason: end.finishReason, usage, costUsd, ...(response && { response }) });
    if (run.hasListeners("usage")) run.emit("usage", { usage: run.meter.usage, costUsd: run.meter.costUsd });
    return { kind: "message", message, calls, usage };
  }

  /** Lets the provider clean up. Its cleanup may hang; the run does not. */
  #closeIterator(): void {
    try {
      const closing = this.#iterator?.return?.();
      const { abandoned, provider } = this.run;
      if (closing) abandoned.follow(closing, () => `The stream of provider "${provider.id}"`);
    } catch {
      // A provider that cannot even begin to clean up has nothing that we could wait for.
    }
  }

  #take(event: ProviderEvent): void {
    const { run } = this;
    const builder = this.#builder;
    switch (event?.type) {
      case "text-delta":
        if (typeof event.text !== "string") break;
        builder.text(event.text);
        if (!run.config.hooks?.has("MessageDisplay")) run.emitText("text-delta", event.text);
        return;
      case "tool-call-delta": {
        if (typeof event.json !== "string") break;
        const slot = builder.callDelta(event.index, event.json);
        if (slot) run.emitInput(event.index, event.json, slot.id, slot.name);
        return;
      }
      case "tool-call-end":
        if (builder.endCall(event.index, event.call)) return;
        break;
      case "waiting":
        return;
      case "notice":
        if (!PROVIDER_NOTICES.has(event.code) || typeof event.message !== "string") break;
        run.notice(event.code, event.message, event.details);
        return;
      case "message-start":
        builder.start(event);
        return;
      case "message-end":
        this.#takeEnd(event);
        return;
      case "reasoning-delta":
        if (typeof event.text !== "string") break;
        builder.reasoning(event.text);
        run.emitText("reasoning-delta", event.text);
        return;
      case "reasoning-end": {
        const use = builder.endReasoning(event.providerData, event.serverTool);
        if (use) {
          run.transcript.readByServer(use);
          run.emit("server-tool", { use });
        }
        return;
      }
      case "media": {
        const part = builder.media(event.part);
        if (!part) break;
        run.emit("media", { part });
        return;
      }
      case "tool-call-start":
        builder.startCall(event.index, event.id, event.name);
        return;
      case "restart": {
        const { attempt, delayMs, error } = event;
        builder.restart();
        run.emit("model-restart", { attempt, delayMs, error });
        return;
      }
    }
    this.#ignore(event);
  }

  #takeEnd({ finishReason, usage }: Extract<ProviderEvent, { type: "message-end" }>): void {
    this.#end({ kind: "message", finishReason: FINISH_REASONS.has(finishReason) ? finishReason : "other", usage });
  }

  /** A value that is no event of the contract is skipped, and the first one is reported. */
  #ignore(event: unknown): void {
    if (this.#misunderstood++ > 0) return;
    const type = typeof event === "object" && event !== null && "type" in event ? String(event.type) : typeof event;
    const message = `Provider "${this.run.provider.id}" sent an event that is not understood (type "${type.slice(0, 50)}"); it was skipped.`;
    this.run.notice("PROVIDER_NONSENSE", message);
  }
}

/** The run's model as one whose server compacts, if it does: asked as in the next request, so that its cache hits. */
export function compactorOf(run: RunState): ServerCompactor | undefined {
  const { id, model, compacts } = run.provider;
  if (!compacts) return undefined;
  const compact: ServerCompactor["compact"] = (messages, instructions) => {
    const { output: _, toolChoice: _free, ...request } = requestOf(run);
    return run.provider.stream({ ...request, messages, compact: instructions === null ? {} : { instructions } });
  };
  return { id, model, compact };
}
