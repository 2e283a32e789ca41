import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { constants } from "node:os";
import { ToolError } from "../../contracts/errors.js";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { followSignal } from "../../time/follow-signal.js";
import { settlesWithin } from "../../time/settles-within.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import { NOBODY_THERE } from "../shell/local-shell.js";
import { commandScript, type MachineCommand } from "./command-script.js";
import { Lane, MARK, START_MS } from "./lane.js";
import type { Machine } from "./machine.js";

/** From TERM to KILL after a timeout. */
const TIMEOUT_GRACE_MS = 2_000;
/** From TERM to KILL after an abort. */
const ABORT_GRACE_MS = 250;
/** For a machine to say that everything is killed. */
const LAST_WORD_MS = 5_000;
/** For the rest of standard error. */
const LAST_DRAIN_MS = 500;
/** The codes for HUP, INT and TERM, of which a shell leaves a record before it ends. */
const ENDING_CODES = new Set([129, 130, 143]);
export const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface MachineShellOptions extends Pick<MachineCommand, "temporary" | "hasBash" | "hasGrep"> {
  readonly machine: Machine;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Shells that are kept started. */
  readonly spares: number;
}

/** Runs commands on a machine, each in a shell of its own that was started before it was needed. */
export class MachineShell implements CommandRunner {
  readonly #spares: Promise<Lane>[] = [];
  #isClosed = false;

  constructor(private readonly options: MachineShellOptions) {}

  async run(request: CommandRequest): Promise<CommandOutcome> {
    const startedAt = performance.now();
    const command = this.#read(request);
    const taking = this.#take();
    const lane = await unlessAborted(taking, request.signal).catch((error) => {
      taking.then((late) => late.close()).catch(() => {});
      throw error;
    });
    // Until the command is sent there is nothing to end, and what is sent first would be taken for it.
    if (request.signal?.aborted) {
      lane.close();
      throw request.signal.reason;
    }
    const ending = new Ending(lane, request);
    try {
      lane.onError = command.isApart ? (chunk) => ending.pass(chunk, request.onError) : undefined;
      lane.send(`${command.word}\n${commandScript(command)}\n${command.word}\n`).catch(() => {});
      const end = await readToEnd(lane, command.word, (chunk) => ending.pass(chunk, request.onOutput));
      if (command.isApart) await settlesWithin(lane.errorsRead, LAST_DRAIN_MS);
      if (ending.reason === "fault") throw ending.fault;
      if (ending.reason === "abort") throw request.signal!.reason;
      if (!end) throw ended(lane);
      if (end.state !== "ok") throw notStarted(end.state, command, this.options.machine.name);
      return outcomeOf(end, { timedOut: ending.reason === "timeout", startedAt });
    } finally {
      ending.settle();
      lane.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const spare of this.#spares.splice(0)) spare.then((lane) => lane.close()).catch(() => {});
  }

  #read({ command, cwd, env, onError }: CommandRequest): MachineCommand {
    const { machine: _, root, spares: __, env: own, ...found } = this.options;
    const variables = { ...NOBODY_THERE, ...own, ...env };
    const odd = Object.entries(variables).find(([name, value]) => !VARIABLE.test(name) || value.includes("\0"));
    if (odd)
      throw refused(`The variable ${quoteName(odd[0])} cannot be passed to a shell. Give it another name, and no NUL.`);
    if (command.includes("\0")) throw refused("The command has a NUL character. Write it as an escape.");
    return {
      ...found,
      command,
      cwd: cwd ?? root,
      env: variables,
      isApart: onError !== undefined,
      id: randomBytes(12).toString("hex"),
      mark: randomUUID(),
      lockLimit: String(randomInt(2 ** 46, 2 ** 47)),
      word: randomBytes(16).toString("hex"),
    };
  }

  /** A shell that waits, and has the next one started. */
  async #take(): Promise<Lane> {
    const { machine, spares } = this.options;
    for (;;) {
      const waiting = this.#spares.shift();
      const lane = await (waiting ?? Lane.start(machine, START_MS));
      while (!this.#isClosed && this.#spares.length < spares) {
        const spare = Lane.start(machine, START_MS);
        spare.catch(() => {});
        this.#spares.push(spare);
      }
      const isOver = waiting && (await settlesWithin(lane.ended, 0));
      if (!isOver) return lane;
      lane.close();
    }
  }
}

interface CommandEnd {
  readonly code: number;
  readonly state: string;
  /** The directories of the shell at its end. */
  readonly record: string;
}

/** Passes on what comes before the word; `null` when the machine went before it. */
async function readToEnd(lane: Lane, word: string, pass: (chunk: Uint8Array) => unknown): Promise<CommandEnd | null> {
  const end = Buffer.from(`\u0001${word} `);
  let held: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = await lane.read().catch(() => null);
    if (chunk === null) {
      if (held.length > 0) await pass(held);
      return null;
    }
    const bytes =
      held.length > 0 ? Buffer.concat([held, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const at = bytes.indexOf(end);
    if (at !== -1) {
      if (at > 0) await pass(bytes.subarray(0, at));
      return readEnd(lane, bytes.subarray(at + end.length));
    }
    // Bytes that may be the beginning of the end mark wait for more.
    const mark = bytes.indexOf(MARK, Math.max(0, bytes.length - end.length + 1));
    const isStart = mark !== -1 && end.subarray(0, bytes.length - mark).equals(bytes.subarray(mark));
    held = isStart ? Buffer.from(bytes.subarray(mark)) : Buffer.alloc(0);
    const ready = isStart ? bytes.subarray(0, mark) : bytes;
    if (ready.length > 0) await pass(ready);
  }
}

async function readEnd(lane: Lane, first: Buffer): Promise<CommandEnd | null> {
  const pieces = [first];
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    lane.close();
  }, LAST_WORD_MS);
  for (
    let chunk = await lane.read().catch(() => null);
    chunk !== null && !isLate;
    chunk = await lane.read().catch(() => null)
  ) {
    if (pieces.length < 100) pieces.push(Buffer.from(chunk));
  }
  clearTimeout(timer);
  const text = Buffer.concat(pieces).toString();
  const line = /^(\d+) ([a-z-]+)\n/.exec(text);
  return line && { code: Number(line[1]), state: line[2]!, record: text.slice(line[0].length) };
}

function outcomeOf(
  { code, record }: CommandEnd,
  { timedOut, startedAt }: { readonly timedOut: boolean; readonly startedAt: number },
): CommandOutcome {
  const [cwd, previousCwd] = record.split("\n\0");
  const isKnown = cwd?.startsWith("/") === true && !timedOut && !ENDING_CODES.has(code);
  // A shell that was killed has left no record, and shells report the signal as 128 and its number.
  const signal = isKnown
    ? undefined
    : Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return {
    exitCode: signal === undefined ? code : null,
    signal: signal ?? null,
    timedOut,
    cwd: isKnown ? cwd : null,
    ...(isKnown && previousCwd && { previousCwd }),
    durationMs: performance.now() - startedAt,
  };
}

/** Ends a command before its time: TERM to all of it, then KILL, then the connection. */
class Ending {
  reason: "timeout" | "abort" | "fault" | undefined;
  fault: unknown;
  readonly #stopped: Promise<void>;
  #stop!: () => void;
  #timers: NodeJS.Timeout[] = [];
  readonly #leaveSignal: (() => void) | undefined;

  constructor(
    private readonly lane: Lane,
    { signal, timeoutMs = LONGEST_TIMER_MS }: CommandRequest,
  ) {
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    const wait = Math.min(timeoutMs, LONGEST_TIMER_MS);
    this.#timers.push(setTimeout(() => this.#begin("timeout", TIMEOUT_GRACE_MS), wait));
    this.#leaveSignal = signal && followSignal(signal, () => this.#begin("abort", ABORT_GRACE_MS));
  }

  /** Passes output on, and waits for its consumer while anybody wants it. One that throws ends the command. */
  async pass(chunk: Uint8Array, consume: ((chunk: Uint8Array) => unknown) | undefined): Promise<void> {
    if (this.reason === "abort" || this.reason === "fault") return;
    try {
      await Promise.race([consume?.(Buffer.from(chunk)), this.#stopped]);
    } catch (error) {
      this.fault = error;
      this.#begin("fault", ABORT_GRACE_MS);
    }
  }

  settle(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#leaveSignal?.();
  }

  #begin(reason: "timeout" | "abort" | "fault", graceMs: number): void {
    if (this.reason === "abort" || this.reason === "fault") return;
    const isFirst = this.reason === undefined;
    this.reason = reason;
    if (reason !== "timeout") this.#stop();
    if (isFirst) this.#say("TERM");
    this.#timers.push(setTimeout(() => this.#say("KILL"), graceMs));
    this.#timers.push(setTimeout(() => this.lane.close(), graceMs + LAST_WORD_MS));
  }

  #say(word: string): void {
    this.lane.send(`${word}\n`).catch(() => {});
  }
}

function ended(lane: Lane): ToolError {
  const { message } = lane.lost("closed the connection before the command had ended");
  return new ToolError("COMMAND_FAILED", { message });
}

function notStarted(state: string, { cwd, temporary }: MachineCommand, machine: string): ToolError {
  return refused(
    state === "no-directory"
      ? `The shell could not be started: the directory ${quoteName(cwd)} does not exist. Start in one that does.`
      : `The shell could not be started: the machine ${quoteName(machine)} cannot make a directory in ${quoteName(temporary)}. Make room there.`,
  );
}

function refused(message: string): ToolError {
  return new ToolError("COMMAND_FAILED", { message });
}
