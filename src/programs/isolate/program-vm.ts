// One program in one QuickJS, wherever that is: in a worker, or in the thread of the caller. It has two functions of the host, which
// take strings; what comes back are strings, too. It imports no other value, since the worker's source is made of it.
import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { IsolateLimits, IssuedCall, ProgramAnswer, ProgramStart, ProgramStep } from "./isolate.js";

/** The package, as far as it is needed. */
export interface QuickJsPackage {
  readonly QuickJS: typeof QuickJS;
  readonly Intrinsics: typeof import("quickjs-wasi").Intrinsics;
}

/** A program's own part of its start. */
export type VmStart = Omit<ProgramStart, "signal">;

type Ending = Pick<Extract<ProgramStep, { type: "end" }>, "end" | "text">;

/** With more, deep recursion would end the stack of the host first. Unit: bytes. */
const MAX_STACK_BYTES = 256 * 1024;
/** The limit of an error's message, and of its stack. Unit: UTF-16 units. */
const MAX_ERROR_CHARS = 4_000;
/** QuickJS polls about three times in a millisecond. This many count as one where clocks stand still while code runs. */
const POLLS_A_MS = 20;
const MAX_FRAMES = 4;
const MAX_IGNORED = 3;
const BYTES_OF_A_CALL = 200;
const PENDING = 0;
const FILE = "program.js";

export class ProgramVm {
  readonly #vm: QuickJS;
  readonly #source: string;
  readonly #limits: IsolateLimits;
  readonly #meter: Meter;
  readonly #queue: IssuedCall[] = [];
  #prelude: JSValueHandle | undefined;
  #promise: JSValueHandle | undefined;
  #answered = 0;
  #issuedBytes = 0;
  #logs = "";
  #isLogCut = false;
  /** The reason why nothing can run here any more. */
  #broken: Ending | undefined;

  /** `wasm` is the engine; `prelude` is what `PRELUDE` says. */
  static async create(
    { QuickJS, Intrinsics }: QuickJsPackage,
    wasm: WebAssembly.Module,
    prelude: string,
    start: VmStart,
  ): Promise<ProgramVm> {
    const meter = new Meter(start.limits.cpuMs, start.seed);
    const { WEAK_REF, PERFORMANCE, DOM_EXCEPTION } = Intrinsics;
    const vm = await QuickJS.create({
      wasm,
      memoryLimit: start.limits.memoryBytes,
      maxStackSize: MAX_STACK_BYTES,
      intrinsics: Intrinsics.ALL & ~WEAK_REF & ~PERFORMANCE & ~DOM_EXCEPTION,
      timezoneOffset: 0,
      interruptHandler: () => meter.isOver(),
      wasi: (memory) => ({
        clock_time_get: (_clock: number, _precision: bigint, at: number) => {
          new DataView(memory.buffer).setBigUint64(at, BigInt(meter.clock) * 1_000_000n, true);
          return 0;
        },
        random_get: (at: number, length: number) => {
          new Uint8Array(memory.buffer, at, length).fill(start.seed & 255);
          return 0;
        },
        fd_write: () => 8,
      }),
    });
    meter.clock = start.at;
    return new ProgramVm(vm, prelude, start, meter);
  }

  private constructor(vm: QuickJS, prelude: string, { source, tools, limits }: VmStart, meter: Meter) {
    this.#vm = vm;
    this.#source = source;
    this.#limits = limits;
    this.#meter = meter;
    const issue = vm.newFunction("issue", (name, json) => {
      this.#issue({ name: textOf(name), json: textOf(json) });
      return meter.mustStop() ? vm.true : vm.undefined;
    });
    const print = vm.newFunction("print", (line) => {
      this.#log(line);
      return meter.mustStop() ? vm.true : vm.undefined;
    });
    this.#attempt(() => {
      const numbers = [limits.inputChars, limits.logChars].map((each) => vm.newNumber(each));
      const names = vm.newString(JSON.stringify(tools));
      this.#prelude = vm.callFunction(
        vm.evalCode(prelude, "prelude.js"),
        vm.undefined,
        issue,
        print,
        names,
        ...numbers,
      );
    });
  }

  /** Runs until it has ended, or waits for its calls. Does not reject. */
  async next(): Promise<ProgramStep> {
    this.#meter.begin();
    const step = await this.#run();
    this.#meter.end();
    const { totalMs: cpuMs } = this.#meter;
    if (step === "wave") return { type: "wave", calls: this.#queue.splice(0, this.#limits.callsAtOnce), cpuMs };
    const { length: unmade } = this.#queue;
    return { type: "end", ...step, unmade, logs: this.#logs, isLogCut: this.#isLogCut, cpuMs };
  }

  /** Hands in the answers of a wave; the program goes on at `next()`. */
  answer(answers: readonly ProgramAnswer[], at: number): void {
    this.#meter.clock = at;
    this.#meter.begin();
    this.#attempt(() => {
      for (const { isError, json } of answers) {
        const [index, text] = [this.#vm.newNumber(this.#answered++), this.#vm.newString(json)];
        this.#call("settle", index, isError ? this.#vm.true : this.#vm.false, text).dispose();
        text.dispose();
      }
    });
    this.#meter.end();
  }

  close(): void {
    try {
      this.#vm.dispose();
    } catch {
      // An engine that has failed cannot be disposed of; its memory goes with it.
    }
  }

  async #run(): Promise<"wave" | Ending> {
    if (!this.#promise) this.#begin();
    this.#attempt(() => this.#vm.executePendingJobs());
    if (this.#broken) return this.#broken;
    if (this.#promise!.promiseState !== PENDING) return this.#settled(await this.#vm.resolvePromise(this.#promise!));
    if (this.#queue.length > 0) return "wave";
    return { end: "stuck", text: "It waits for a promise that nothing settles." };
  }

  #begin(): void {
    this.#attempt(() => {
      this.#promise = this.#vm.evalCode(`(async () => {${this.#source}\n})()`, FILE);
    }, "invalid");
  }

  /** The way the program has ended. Its value is turned into JSON by code that it may have changed, such as a `toJSON`. */
  #settled(outcome: { readonly value: JSValueHandle } | { readonly error: JSValueHandle }): Ending {
    let ending: Ending | undefined;
    this.#attempt(() => {
      ending = "error" in outcome ? this.#threw(outcome.error) : this.#returned(this.#call("returned", outcome.value));
    });
    return this.#broken ?? ending!;
  }

  #returned(json: JSValueHandle): Ending {
    const { length } = json;
    const { valueChars } = this.#limits;
    if (length <= valueChars) return { end: "returned", text: textOf(json) };
    return { end: "limit", text: `It returned ${length} characters of JSON; at most ${valueChars} are taken.` };
  }

  #threw(reason: JSValueHandle): Ending {
    const json = textOf(this.#call("threw", reason, this.#vm.newNumber(MAX_ERROR_CHARS)));
    const { name, message, stack } = JSON.parse(json) as Thrown;
    return failure("threw", name, message, stack);
  }

  #call(name: string, ...args: JSValueHandle[]): JSValueHandle {
    const method = this.#prelude!.getProp(name);
    try {
      return this.#vm.callFunction(method, this.#vm.undefined, ...args);
    } finally {
      method.dispose();
    }
  }

  /** Calls are kept outside the engine's memory until they are made. */
  #issue(call: IssuedCall): void {
    this.#issuedBytes += call.json.length + BYTES_OF_A_CALL;
    if (this.#issuedBytes <= this.#limits.memoryBytes) this.#queue.push(call);
    else this.#meter.isStopped = true;
  }

  #log(line: JSValueHandle): void {
    const left = this.#limits.logChars - this.#logs.length;
    if (left <= 0) this.#isLogCut = true;
    if (this.#isLogCut) return;
    const text = `${textOf(line)}\n`;
    this.#isLogCut = text.length > left + 1;
    this.#logs += text.slice(0, left);
  }

  /** Lets the program's code run. An error that it lets through is the end of it. */
  #attempt(run: () => void, end: "threw" | "invalid" = "threw"): void {
    if (this.#broken) return;
    try {
      run();
      if (this.#meter.isStopped) this.#broken = this.#overTime();
    } catch (error) {
      this.#broken = this.#meter.isStopped ? this.#overTime() : this.#brokenBy(error as Error, end);
    }
  }

  #brokenBy(error: Error, end: "threw" | "invalid"): Ending {
    const { name, message, stack = "" } = error;
    // The engine lets no program catch this.
    if (name === "InternalError" && message === "out of memory") {
      return this.#overMemory();
    }
    if ("handle" in error) return failure(name === "SyntaxError" ? end : "threw", name, message, stack);
    // The engine itself has failed, since the stack or the memory of the host was at its end.
    return { end: "limit", text: `It went beyond the stack or the memory that it has (${message}).` };
  }

  #overMemory(): Ending {
    return { end: "limit", text: `It needed more memory than the ${this.#limits.memoryBytes} bytes that it has.` };
  }

  #overTime(): Ending {
    if (this.#issuedBytes > this.#limits.memoryBytes) return this.#overMemory();
    return { end: "limit", text: `It computed for more than ${this.#limits.cpuMs} ms without a call.` };
  }
}

interface Thrown {
  readonly name: string | null;
  readonly message: string;
  readonly stack: string;
}

/** An error with the lines of the program that it comes from. */
function failure(end: "threw" | "invalid", name: string | null, message: string, stack: string): Ending {
  // The last frame is that of the function around the program.
  const frames = stack.split("\n").filter((frame) => !frame.includes("at <eval>"));
  const [first, ...callers] = frames
    .flatMap((frame) => /program\.js:(\d+)/.exec(frame)?.[1] ?? [])
    .slice(0, MAX_FRAMES);
  const called = callers.map((line) => `, called from line ${line}`).join("");
  const place = first === undefined ? "" : ` (line ${first}${called})`;
  return { end, text: `${name === null ? "" : `${name}: `}${message}${place}` };
}

/** Measures how long the program runs, and says when it must stop. */
class Meter {
  totalMs = 0;
  isStopped = false;
  #began = Date.now();
  #polls = 0;
  #ignored = 0;

  constructor(
    readonly limitMs: number,
    /** The time on the program's clock. */
    public clock: number,
  ) {}

  begin(): void {
    this.#began = Date.now();
    this.#polls = 0;
  }

  end(): void {
    this.totalMs += Date.now() - this.#began;
  }

  /** Polled by the engine while code runs. */
  isOver(): boolean {
    // A promise's executor swallows the interrupt. An error of the host goes through all of the engine, which is lost then.
    if (this.isStopped && ++this.#ignored > MAX_IGNORED) throw new Error("The program did not stop.");
    this.#polls++;
    return this.mustStop();
  }

  mustStop(): boolean {
    this.isStopped ||= Date.now() - this.#began > this.limitMs || this.#polls > this.limitMs * POLLS_A_MS;
    return this.isStopped;
  }
}

/** The text of a string; other values were not made by the prelude. */
function textOf(handle: JSValueHandle | undefined): string {
  return handle?.isString ? handle.toString() : "";
}
