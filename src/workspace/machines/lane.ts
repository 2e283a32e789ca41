import { randomBytes } from "node:crypto";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import { clip } from "../../text/cut.js";
import { quoteName } from "../../text/quote-name.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { settlesWithin } from "../../time/settles-within.js";
import { BOOT } from "./helper-script.js";
import type { Machine, MachineProcess } from "./machine.js";

/** The end of an answer: no text has this character. */
export const MARK = 1;
/** For a machine that is open to start a program. Opening it may take longer, as when an image is fetched. Unit: milliseconds. */
export const START_MS = 60_000;
const MAX_STATUS_BYTES = 16;
const MAX_ERROR_CHARS = 2_000;

/** An answer of a lane. */
export interface LaneAnswer {
  readonly bytes: Uint8Array;
  readonly status: number;
}

/** A request to a lane. */
export interface LaneRequest {
  readonly script: string;
  readonly body?: Uint8Array | undefined;
  /** A longer answer ends the lane. Unit: bytes. */
  readonly maxBytes: number;
  /** The lane is ended when the answer takes longer. */
  readonly timeoutMs: number;
}

/** A shell on a machine that waits for scripts. It does one at a time. */
export class Lane {
  /** Settles when no answer is to be expected any more. */
  readonly ended: Promise<void>;
  /** Settles when nothing more comes on standard error. */
  readonly errorsRead: Promise<void>;
  /** Gets what comes on standard error, which is otherwise kept for messages. */
  onError: ((chunk: Uint8Array) => unknown) | undefined;
  #end!: () => void;
  #failure: ToolError | undefined;
  #errors = "";
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #left: Uint8Array = new Uint8Array();

  private constructor(
    private readonly machine: Machine,
    private readonly process: MachineProcess,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#writer = process.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    this.#reader = process.stdout.getReader();
    this.errorsRead = this.#collectErrors();
    process.exited.then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  static async start(machine: Machine, withinMs?: number): Promise<Lane> {
    return new Lane(machine, await startOn(machine, ["sh", "-c", BOOT], withinMs));
  }

  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** @throws ToolError `TOOL_FAILED` when the machine does not answer as it should; the lane is closed then */
  async ask({ script, body, maxBytes, timeoutMs }: LaneRequest): Promise<LaneAnswer> {
    if (this.#failure) throw this.#failure;
    const word = randomBytes(16).toString("hex");
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.lost(`did not answer within ${timeoutMs / 1_000} s`)), timeoutMs);
    });
    try {
      const sent = this.send(`${word}\n${script}\n${word}\n`, body);
      sent.catch(() => {});
      return await Promise.race([this.#answer(word, maxBytes), late]);
    } catch (error) {
      this.#failure = error instanceof ToolError ? error : this.lost("closed the connection", error);
      this.close();
      throw this.#failure;
    } finally {
      clearTimeout(timer);
    }
  }

  async send(text: string, body?: Uint8Array): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(text));
    if (body && body.length > 0) await this.#writer.write(body);
  }

  /** The bytes it prints outside of answers; empty at its end. */
  async read(): Promise<Uint8Array | null> {
    if (this.#left.length > 0) {
      const bytes = this.#left;
      this.#left = new Uint8Array();
      return bytes;
    }
    const { done, value } = await this.#reader.read();
    return done ? null : value;
  }

  close(): void {
    this.#failure ??= this.lost("was closed");
    this.#writer.close().catch(() => {});
    this.#reader.cancel().catch(() => {});
    this.process.kill();
    this.#end();
  }

  async #answer(word: string, maxBytes: number): Promise<LaneAnswer> {
    const end = new TextEncoder().encode(`\u0001${word} `);
    const found = new EndSearch(end, maxBytes + end.length + MAX_STATUS_BYTES);
    for (;;) {
      const bytes = await this.read();
      if (bytes === null) throw this.lost("closed the connection");
      const answer = found.add(bytes);
      if (answer === "too long") throw this.lost(`answered more than ${maxBytes} bytes`);
      if (answer) {
        this.#left = answer.rest;
        return { bytes: answer.bytes, status: answer.status };
      }
    }
  }

  async #collectErrors(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.process.stderr as unknown as AsyncIterable<Uint8Array>) {
        if (this.onError) await this.onError(chunk);
        else this.#errors = clip(this.#errors + decoder.decode(chunk, { stream: true }), MAX_ERROR_CHARS);
      }
    } catch {
      // Its end says enough.
    }
  }

  /** The error of a machine that does not do what it should. */
  lost(problem: string, cause?: unknown): ToolError {
    const said = this.#errors.trim();
    return lost(this.machine, said === "" ? problem : `${problem}: ${said}`, cause);
  }
}

/** Starts a program. @throws ToolError `TOOL_FAILED` when the machine cannot, or does not say in time; one that comes late is ended */
export async function startOn(
  machine: Machine,
  argv: readonly string[],
  withinMs = LONGEST_TIMER_MS,
): Promise<MachineProcess> {
  const starting = (async () => machine.start(argv))();
  if (!(await settlesWithin(starting, withinMs))) {
    starting.then((late) => late.kill()).catch(() => {});
    throw lost(machine, `did not start a program within ${withinMs / 1_000} s`);
  }
  return starting.catch((cause) => {
    throw isHarnessError(cause)
      ? cause
      : lost(machine, `could not start a program: ${String(cause?.message ?? cause)}`, cause);
  });
}

function lost({ name }: Machine, problem: string, cause?: unknown): ToolError {
  const message = `The machine ${quoteName(name)} ${problem}. See that it runs and can be reached.`;
  return new ToolError("TOOL_FAILED", { message, details: { machine: name }, cause });
}

/** Finds the end of an answer in what comes bit by bit. */
class EndSearch {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(
    private readonly end: Uint8Array,
    private readonly maxBytes: number,
  ) {}

  add(bytes: Uint8Array): "too long" | (LaneAnswer & { readonly rest: Uint8Array }) | undefined {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    // Only the last bytes before these can belong to an end that is in them.
    const overlap = this.end.length + MAX_STATUS_BYTES;
    const tail = this.#tail(bytes.length + overlap);
    const at = Buffer.from(tail.buffer, tail.byteOffset, tail.length).indexOf(this.end);
    const stop = at === -1 ? -1 : tail.indexOf(10, at);
    if (stop === -1) return this.#length > this.maxBytes ? "too long" : undefined;
    const status = Number(new TextDecoder().decode(tail.subarray(at + this.end.length, stop)));
    const whole = this.#tail(this.#length);
    const length = this.#length - tail.length + at;
    return length > this.maxBytes
      ? "too long"
      : { bytes: whole.subarray(0, length), status, rest: tail.slice(stop + 1) };
  }

  #tail(length: number): Uint8Array {
    const last = this.#pieces.at(-1)!;
    if (this.#pieces.length === 1 || length <= last.length) return last;
    let [first, size] = [this.#pieces.length, 0];
    while (first > 0 && size < length) size += this.#pieces[--first]!.length;
    return Buffer.concat(this.#pieces.slice(first));
  }
}
