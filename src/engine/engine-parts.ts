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

/** The labels of prompts of runs, and of calls of an `execute`, that are in others' words, by their options. */
export const GIVEN_LABELS = new WeakMap<object, Label>();
