// What modules of this library that drive an engine may see of its inside. Not part of its public face.
import type { Registry } from "../contracts/tool.js";
import type { EngineConfig } from "./options/options.js";

export interface EngineParts {
  readonly config: EngineConfig;
  readonly tools: Registry;
  /** Aborts when the engine is closed, before its runs do. */
  readonly closed: AbortSignal;
}

/** The parts of each engine. */
export const ENGINE_PARTS = new WeakMap<object, EngineParts>();
