// The inside of an engine, for modules of this library that drive it. Not part of its public face.
import type { Label } from "../contracts/label.js";
import type { Registry } from "../contracts/tool.js";
import type { EngineConfig } from "./options/options.js";
import type { CallObservers, Listeners } from "./run/event-sink.js";

export interface EngineParts {
  readonly config: EngineConfig;
  readonly tools: Registry;
  /** Aborts when the engine is closed, before its runs do. */
  readonly closed: AbortSignal;
  /** The functions that observers put around its calls. */
  readonly observers: CallObservers;
  readonly listeners: Pick<Listeners, "add" | "remove">;
  /** Aborts the run under way in a session, and resolves once it is idle. */
  abortRun(sessionId: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
}

/** The parts of each engine, found by the engine, by each run that it has given out, and by a hub of its runs. */
export const ENGINE_PARTS = new WeakMap<object, EngineParts>();

/** Where the prompt of a run, or the call of an `execute`, comes from, by its options: it is in others' words. */
export const GIVEN_LABELS = new WeakMap<object, Label>();
