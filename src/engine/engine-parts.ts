// What modules of this library that drive an engine may see of its inside. Not part of its public face.
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
}

/** The parts of each engine, found by the engine, by each run that it has given out, and by a hub of its runs. */
export const ENGINE_PARTS = new WeakMap<object, EngineParts>();
