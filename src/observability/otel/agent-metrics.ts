import type { Attributes, Meter } from "@opentelemetry/api";
import type { Usage } from "../../contracts/usage.js";
import { TOKEN_TYPE } from "./conventions.js";

/** Bounds the conventions give. Unit: seconds. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

/** The metrics of an agent. */
export class AgentMetrics {
  readonly #tokens;
  readonly #duration;
  readonly #firstChunk;
  readonly #toolDuration;
  readonly #approvalWait;
  readonly #cost;

  constructor(meter: Meter) {
    const seconds = { unit: "s", advice: { explicitBucketBoundaries: SECONDS } };
    this.#tokens = meter.createHistogram("gen_ai.client.token.usage", {
      description: "Tokens of a model call, by type.",
      unit: "{token}",
      advice: { explicitBucketBoundaries: TOKENS },
    });
    this.#duration = meter.createHistogram("gen_ai.client.operation.duration", {
      description: "How long a model call, or a whole run of an agent, takes.",
      ...seconds,
    });
    this.#firstChunk = meter.createHistogram("gen_ai.client.operation.time_to_first_chunk", {
      description: "How long a model takes to send the first piece of its reply.",
      ...seconds,
    });
    this.#toolDuration = meter.createHistogram("gen_ai.execute_tool.duration", {
      description: "How long a tool works; waiting for approval does not count.",
      ...seconds,
    });
    this.#approvalWait = meter.createHistogram("loopwright.approval.wait", {
      description: "How long a call waits for an answer.",
      ...seconds,
    });
    this.#cost = meter.createCounter("loopwright.cost", { description: "What model calls cost.", unit: "{USD}" });
  }

  modelCall(attributes: Attributes, seconds: number, usage: Usage | undefined, costUsd: number | null): void {
    this.#duration.record(seconds, attributes);
    if (usage) {
      this.#tokens.record(usage.inputTokens, { ...attributes, [TOKEN_TYPE]: "input" });
      this.#tokens.record(usage.outputTokens, { ...attributes, [TOKEN_TYPE]: "output" });
    }
    if (costUsd !== null && costUsd > 0) this.#cost.add(costUsd, attributes);
  }

  firstChunk(attributes: Attributes, seconds: number): void {
    this.#firstChunk.record(seconds, attributes);
  }

  run(attributes: Attributes, seconds: number): void {
    this.#duration.record(seconds, attributes);
  }

  toolCall(attributes: Attributes, seconds: number): void {
    this.#toolDuration.record(seconds, attributes);
  }

  approval(attributes: Attributes, seconds: number): void {
    this.#approvalWait.record(seconds, attributes);
  }
}
