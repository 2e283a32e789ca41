// One request to the model: its events become a message and tool calls. Nobody here waits for a provider that the run
// has given up.
import { type HarnessError, isHarnessError, ProviderError } from "../contracts/errors.js";
import type { AssistantMessage } from "../contracts/message.js";
import type { FinishReason, ProviderEvent, ProviderRequest, Usage } from "../contracts/provider.js";
import { MessageBuilder } from "./message-builder.js";
import { credibleUsage, estimateTokens } from "./meter.js";
import type { PullIterator } from "./retrying-stream.js";
import type { RunState } from "./run-state.js";
import { CallBatch } from "./tool-calls.js";
import { describeThrown } from "./tool-result.js";

/** How a model call ended. */
export type ModelReply =
  | { readonly kind: "message"; readonly message: AssistantMessage; readonly batch: CallBatch; readonly usage: Usage }
  /** The run was ended from outside; what there is of the message, if anything. */
  | { readonly kind: "interrupted"; readonly message: AssistantMessage | null; readonly batch: CallBatch }
  | { readonly kind: "failed"; readonly error: HarnessError };

/** Asks the model once, with the view as it is. Never rejects. */
export async function callModel(run: RunState): Promise<ModelReply> {
  const { id: provider, model } = run.provider;
  run.emit("model-call-start", { provider, model });
  const stream = new ModelStream(run);
  const end = await stream.read();
  if (end.kind === "failed") {
    stream.batch.discard();
    return { kind: "failed", error: end.error };
  }
  if (end.kind === "interrupted") {
    stream.builder.dropOpenCalls();
    stream.batch.dropOrphans();
    const usage = meter(run, undefined, stream.builder.isEmpty ? null : stream.builder.message("aborted", undefined));
    run.meter.add(usage, priceOf(run, usage));
    const message = stream.builder.isEmpty ? null : stream.builder.message("aborted", usage);
    return { kind: "interrupted", message, batch: stream.batch };
  }
  stream.builder.closeCalls();
  stream.batch.dropOrphans();
  const reported = credibleUsage(end.usage);
  const usage = meter(run, reported ?? undefined, reported ? null : stream.builder.message("other", undefined));
  const message = stream.builder.message(end.finishReason, usage);
  const costUsd = priceOf(run, usage);
  run.meter.add(usage, costUsd);
  run.emit("model-call-end", { finishReason: end.finishReason, usage, costUsd });
  run.emit("usage", { usage: run.meter.usage, costUsd: run.meter.costUsd });
  return { kind: "message", message, batch: stream.batch, usage };
}

type StreamEnd =
  | { readonly kind: "message"; readonly finishReason: FinishReason; readonly usage: Usage | undefined }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly error: HarnessError };

const FINISH_REASONS: ReadonlySet<string> = new Set([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "error",
  "aborted",
  "other",
]);

/** Reads a provider's stream by callbacks: one promise for the whole call, so that an abort settles it at once. */
class ModelStream {
  readonly batch: CallBatch;
  readonly builder: MessageBuilder;
  #iterator: AsyncIterator<ProviderEvent> | undefined;
  #settle: (end: StreamEnd) => void = () => {};
  #settled = false;
  #nonsense = 0;

  constructor(private readonly run: RunState) {
    this.batch = new CallBatch(run);
    this.builder = new MessageBuilder(run.provider, this.batch, run.transcript);
  }

  read(): Promise<StreamEnd> {
    // A listener may have ended the run a moment ago.
    if (this.run.ending) return Promise.resolve({ kind: "interrupted" });
    return new Promise((resolve) => {
      const stopWatching = this.run.onStop(() => this.#end({ kind: "interrupted" }));
      this.#settle = (end) => {
        stopWatching();
        resolve(end);
      };
      try {
        this.#iterator = this.run.provider.stream(requestOf(this.run))[Symbol.asyncIterator]();
        this.#pull();
      } catch (error) {
        this.#onFailure(error);
      }
    });
  }

  #pull(): void {
    const iterator = this.#iterator!;
    if ("pull" in iterator) (iterator as PullIterator).pull(this.#onStep, this.#onFailure);
    else iterator.next().then(this.#onStep, this.#onFailure);
  }

  readonly #onStep = (step: IteratorResult<ProviderEvent>): void => {
    if (this.#settled) return;
    if (step.done) {
      this.#settled = true;
      const message = `Provider "${this.run.provider.id}" ended its stream without a message-end.`;
      this.#settle({ kind: "failed", error: new ProviderError("STREAM_BROKEN", { message, retryable: true }) });
      return;
    }
    try {
      this.#take(step.value);
      if (!this.#settled) this.#pull();
    } catch (error) {
      this.#onFailure(error);
    }
  };

  readonly #onFailure = (thrown: unknown): void => {
    this.#end({ kind: "failed", error: asHarnessError(thrown, this.run.provider.id) });
  };

  #end(end: StreamEnd): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#closeIterator();
    this.#settle(end);
  }

  /** Lets the provider clean up. Its cleanup may hang; the run does not. */
  #closeIterator(): void {
    try {
      const closing = this.#iterator?.return?.();
      if (closing) this.run.background.follow(closing, `The stream of provider "${this.run.provider.id}"`);
    } catch {
      // A provider that cannot even begin to clean up has nothing that we could wait for.
    }
  }

  #take(event: ProviderEvent): void {
    const { run, builder } = this;
    switch (event?.type) {
      case "text-delta":
        if (typeof event.text !== "string") break;
        builder.text(event.text);
        if (run.hears("text-delta")) run.emit("text-delta", { text: event.text });
        return;
      case "tool-call-delta":
        if (typeof event.json !== "string") break;
        builder.callDelta(event.index, event.json);
        if (run.hears("tool-input-delta")) run.emit("tool-input-delta", { index: event.index, json: event.json });
        return;
      case "reasoning-delta":
        if (typeof event.text !== "string") break;
        builder.reasoning(event.text);
        if (run.hears("reasoning-delta")) run.emit("reasoning-delta", { text: event.text });
        return;
      case "reasoning-end":
        builder.endReasoning(event.providerData);
        return;
      case "tool-call-start":
        builder.startCall(event.index, event.id, event.name);
        return;
      case "tool-call-end":
        builder.endCall(event.index, event.call);
        return;
      case "restart": {
        const { attempt, delayMs, error } = event;
        builder.restart();
        run.emit("model-restart", { attempt, delayMs, error });
        return;
      }
      case "message-end": {
        const finishReason = FINISH_REASONS.has(event.finishReason) ? event.finishReason : "other";
        this.#end({ kind: "message", finishReason, usage: event.usage });
        return;
      }
      case "message-start":
        return;
    }
    this.#ignore(event);
  }

  /** What is no event of the contract is skipped, and told once. */
  #ignore(event: unknown): void {
    if (this.#nonsense++ > 0) return;
    const type = typeof event === "object" && event !== null && "type" in event ? String(event.type) : typeof event;
    const message = `Provider "${this.run.provider.id}" sent an event that is not understood (type "${type.slice(0, 50)}"); it was skipped.`;
    this.run.notice("PROVIDER_NONSENSE", message);
  }
}

/** The same object for every request of an epoch: its arrays grow by themselves. */
function requestOf(run: RunState): ProviderRequest {
  run.request ??= {
    system: run.system,
    tools: run.tools,
    messages: run.transcript.view,
    ...run.config.modelOptions,
    ...(run.setup.output && { output: run.setup.output.jsonSchema() }),
    ...(run.limits.maxOutputTokens !== undefined && { maxOutputTokens: run.limits.maxOutputTokens }),
    signal: run.signal,
    sessionId: run.sessionId,
  };
  return run.request;
}

/** Errors of this library keep their code, also those of another copy of the package. */
function asHarnessError(thrown: unknown, provider: string): HarnessError {
  if (isHarnessError(thrown)) return thrown;
  const message = `Provider "${provider}" failed: ${describeThrown(thrown)}`;
  return new ProviderError("PROVIDER_FAILED", { message, cause: thrown });
}

/** What the call used: as reported, else estimated from what was sent since the last call and what came back. */
function meter(run: RunState, reported: Usage | undefined, answer: AssistantMessage | null): Usage {
  const { view } = run.transcript;
  const since = run.sent && run.sent.messageCount <= view.length ? run.sent : { inputTokens: 0, messageCount: 0 };
  let usage = reported;
  if (!usage) {
    let inputTokens = since.inputTokens;
    for (let i = since.messageCount; i < view.length; i++) inputTokens += estimateTokens(view[i]!);
    usage = { inputTokens, outputTokens: answer ? estimateTokens(answer) : 0, estimated: true };
  }
  run.sent = { inputTokens: usage.inputTokens, messageCount: view.length };
  run.lastUsage = { usage, messageCount: view.length };
  return usage;
}

/** What a call costs; `null` when that is not known. */
export function priceOf(run: RunState, usage: Usage): number | null {
  const { prices } = run.config;
  if (!prices) return null;
  const { id: provider, model } = run.provider;
  try {
    const cost = prices({ provider, model }, usage);
    return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? cost : null;
  } catch {
    return null; // An unknown cost is null; a price table that throws knows none.
  }
}
