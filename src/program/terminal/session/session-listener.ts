import type { EngineEvent } from "../../../contracts/event.js";
import type { RunResult } from "../../../contracts/run.js";

/** The view of a conversation. */
export interface SessionListener {
  onEvent(event: EngineEvent): void;
  onStart(): void;
  /** The model reads now what was typed while it worked. */
  onDelivered(prompts: readonly string[]): void;
  /** `undelivered`: what was typed meanwhile and the model never got. */
  onEnd(result: RunResult | undefined, error: unknown, undelivered: readonly string[]): void;
  /** The mode, the model or a total has changed. */
  onChange(): void;
}
