/**
 * The place where programs run: a JavaScript engine that has nothing of the host. `nodeWorker()` and `inline()` make one; a host may bring its
 * own.
 *
 * A program must end the same whenever it is run again with the same start and the same answers: no clock but the one it is
 * given, no randomness but the seed, and all answers of a wave handed in together, in the order of its calls.
 */
export interface Isolate {
  /**
   * Loads what programs need. Called before each program. Resolves with the name and version of the engine, which are recorded.
   *
   * @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED`
   */
  load(): Promise<string>;
  /** Starts a program. It runs at the first `next()`. Rejects when `signal` aborts, also while it waits for its turn. */
  start(program: ProgramStart): Promise<RunningProgram>;
}

/** A program and what it starts with. */
export interface ProgramStart {
  /** The body of an async function. */
  readonly source: string;
  /** The tools in `tools`, by each name under which a program finds them. */
  readonly tools: Readonly<Record<string, string>>;
  /** The time that `Date` shows at first. Unit: milliseconds since 1970. */
  readonly at: number;
  /** Decides what `Math.random()` gives: a whole number. */
  readonly seed: number;
  readonly limits: IsolateLimits;
  readonly signal: AbortSignal;
}

/** The limits that an isolate enforces. */
export interface IsolateLimits {
  /** The time that a program computes between two waves of calls. Unit: milliseconds. */
  readonly cpuMs: number;
  /** Unit: bytes. */
  readonly memoryBytes: number;
  /** Calls of one wave; the others are in the next one. */
  readonly callsAtOnce: number;
  /** The limit of a call's input, as JSON. Unit: UTF-16 units. */
  readonly inputChars: number;
  /** The limit of the value that the program returns, as JSON. Unit: UTF-16 units. */
  readonly valueChars: number;
  /** The part of the logs that is kept. Unit: UTF-16 units. */
  readonly logChars: number;
}

/** A program that runs, or waits for the answers of its calls. */
export interface RunningProgram {
  /** Runs it until it has ended, or every promise it waits for is a call. Rejects when the signal aborts. */
  next(): Promise<ProgramStep>;
  /** Hands in the answers of the last wave, in the order of its calls, and the time that `Date` shows from now on. */
  answer(answers: readonly ProgramAnswer[], at: number): void;
  /** Ends it, whatever it does. Resolves once nothing of it is left. Does not reject. */
  close(): Promise<void>;
}

/** The answer to one call. */
export interface ProgramAnswer {
  /** Whether it becomes a `ToolError`, of which `json` then has `message`, `code` and, if there is one, `value`. */
  readonly isError: boolean;
  /** JSON text. */
  readonly json: string;
}

/** A call by a program. */
export interface IssuedCall {
  /** The tool's own name. */
  readonly name: string;
  /** The input as JSON text. */
  readonly json: string;
}

/** The state that a program has reached. */
export type ProgramStep =
  | { readonly type: "wave"; readonly calls: readonly IssuedCall[]; readonly cpuMs: number }
  | {
      readonly type: "end";
      /** The way it ended: it returned, threw, does not compile, waits for what nothing will settle, or went over a limit. */
      readonly end: "returned" | "threw" | "invalid" | "stuck" | "limit";
      /** The value that it returned, as JSON text; otherwise what is wrong. */
      readonly text: string;
      /** Calls that it issued and did not wait for; they are not made. */
      readonly unmade: number;
      readonly logs: string;
      /** Whether some logs were dropped. */
      readonly isLogCut: boolean;
      readonly cpuMs: number;
    };
