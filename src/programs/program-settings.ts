import { byDefault, eitherOf, numberFrom, type OptionTable, oneOf } from "../json/check-options.js";
import type { Isolate } from "./isolate/isolate.js";

/** The limits of a program. Exceeding one ends the program, where nothing else is said. */
export interface ProgramLimits {
  /** The time that it computes between two waves of calls. Unit: milliseconds. Default: 5,000. */
  readonly cpuMs?: number | undefined;
  /** The time in all, with that of its calls; a question to a person does not count. Unit: milliseconds. Default: `null`, none. */
  readonly timeoutMs?: number | null | undefined;
  /** Its memory. Unit: bytes. Default: 64 MiB. */
  readonly memoryBytes?: number | undefined;
  /** Its calls. Default: 256. */
  readonly calls?: number | undefined;
  /** Calls that are made together; more wait for the next wave. Default: 32. */
  readonly callsAtOnce?: number | undefined;
  /** Its text. Unit: UTF-16 units. Default: 100,000. */
  readonly sourceChars?: number | undefined;
  /**
   * The result of one call, and the value that it returns, as JSON; the input of a call has at most 1 MiB of it. A call that goes over
   * it fails, and the program can catch that. Unit: bytes. Default: 8 MiB.
   */
  readonly valueBytes?: number | undefined;
  /** The inputs and results of all calls. Unit: bytes. Default: 32 MiB. */
  readonly totalBytes?: number | undefined;
  /** The part of its result that the model reads; an engine with artifacts keeps all of it. Unit: UTF-16 units. Default: 20,000. */
  readonly outputChars?: number | undefined;
  /** The part of its logs that is kept. Unit: UTF-16 units. Default: 8,000. */
  readonly logChars?: number | undefined;
}

export const LIMITS = {
  cpuMs: byDefault(5_000, numberFrom(10, "milliseconds", 600_000)),
  timeoutMs: byDefault(null, eitherOf(oneOf(null), numberFrom(1, "milliseconds"))),
  memoryBytes: byDefault(64 * 1024 * 1024, numberFrom(4_194_304, "bytes", 1_073_741_824)),
  calls: byDefault(256, numberFrom(1, "calls")),
  callsAtOnce: byDefault(32, numberFrom(1, "calls")),
  sourceChars: byDefault(100_000, numberFrom(100, "characters")),
  valueBytes: byDefault(8 * 1024 * 1024, numberFrom(1_000, "bytes", 67_108_864)),
  totalBytes: byDefault(32 * 1024 * 1024, numberFrom(1_000, "bytes")),
  outputChars: byDefault(20_000, numberFrom(0, "characters")),
  logChars: byDefault(8_000, numberFrom(0, "characters")),
} satisfies OptionTable<ProgramLimits>;

/** The limits, filled in. */
export type FilledLimits = { readonly [Limit in keyof ProgramLimits]-?: Exclude<ProgramLimits[Limit], undefined> };

/** The options of `withPrograms()`, filled in. */
export interface ProgramSettings {
  readonly tools: readonly string[] | undefined;
  readonly only: readonly string[];
  readonly declare: number;
  readonly limits: FilledLimits;
  readonly isolate: Isolate;
}
