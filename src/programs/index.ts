export { inline, type QuickJsWasm } from "./isolate/inline.js";
export type {
  Isolate,
  IsolateLimits,
  IssuedCall,
  ProgramAnswer,
  ProgramStart,
  ProgramStep,
  RunningProgram,
} from "./isolate/isolate.js";
export { nodeWorker } from "./isolate/node-worker.js";
export type { ProgramLimits } from "./program-settings.js";
export { type ProgramsOptions, withPrograms } from "./with-programs.js";
