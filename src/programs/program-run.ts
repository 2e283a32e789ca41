// The run of one program. Idea: it always begins at its start. What it calls goes to the engine, which answers calls that were finished
// before an interruption from its record, and refuses to go on when they are not the same.
import { ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { NestedCall, NestedCalls, NestedResult, RecordedWave } from "../contracts/tool-call.js";
import { copyJson } from "../json/copy.js";
import { strongDigest } from "../json/digest.js";
import { fieldsOf, isObject } from "../json/is-object.js";
import { describeThrown } from "../text/describe-thrown.js";
import { breathe } from "../time/breathe.js";
import { type CallableTools, unknownTool } from "./callable-tools.js";
import type { Isolate, IssuedCall, ProgramAnswer, ProgramStep, RunningProgram } from "./isolate/isolate.js";
import type { FilledLimits } from "./program-settings.js";

/** Larger inputs would hold up the thread. Unit: UTF-16 units. */
const MAX_INPUT_CHARS = 1_048_576;
const TURN_MS = 5;

/** A call that the program has made. */
export type MadeCall = Pick<NestedResult, "name" | "status" | "durationMs">;

/** The work of a program so far. */
export interface ProgramProgress {
  readonly made: MadeCall[];
  /** The calls that it waits for. */
  underWay: readonly Pick<NestedCall, "name">[];
}

export interface ProgramReport {
  readonly end: Extract<ProgramStep, { type: "end" }>;
  readonly made: readonly MadeCall[];
  readonly waves: number;
  /** Waves that were answered from the session. */
  readonly replayed: number;
}

export interface ProgramSetting {
  readonly source: string;
  readonly calls: NestedCalls;
  readonly callable: CallableTools;
  /** Whether a call may be passed on to the engine, which decides about it as about any other. */
  mayCall(name: string): boolean;
  readonly isolate: Isolate;
  readonly limits: FilledLimits;
  readonly progress: ProgramProgress;
  readonly signal: AbortSignal;
}

/** The record of a program's start. */
interface KeptStart {
  readonly seed: number;
  readonly tools: Readonly<Record<string, string>>;
  readonly source: string;
  readonly vm: string;
}

/** @throws ToolError `PROGRAM_DIVERGED`; what `calls.run` throws to leave the tool */
export async function runInIsolate(setting: ProgramSetting): Promise<ProgramReport> {
  const { source, calls, callable, isolate, limits, signal } = setting;
  const vm = await isolate.load();
  const digest = strongDigest(source);
  const [seed] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  const {
    at: begunAt,
    data,
    waves,
  } = await calls.begin({ v: 1, seed: seed!, tools: callable.names, source: digest, vm });
  const kept = data as unknown as KeptStart;
  const at = Math.trunc(begunAt);
  const run = new ProgramRun(
    setting,
    at,
    waves,
    kept.vm === vm ? "" : ` It was begun with ${kept.vm}, and this is ${vm}.`,
  );
  if (kept.source !== digest) throw run.diverged("its text is another one");
  if (!Number.isSafeInteger(kept.seed) || !isObject(kept.tools))
    throw run.diverged("the record of its start is broken");
  const { cpuMs, memoryBytes, callsAtOnce, valueBytes: valueChars, logChars } = limits;
  const inputChars = Math.min(valueChars, MAX_INPUT_CHARS);
  const isolateLimits = { cpuMs, memoryBytes, callsAtOnce, inputChars, valueChars, logChars };
  const program = await isolate.start({
    source,
    tools: kept.tools,
    at,
    seed: kept.seed,
    limits: isolateLimits,
    signal,
  });
  try {
    return await run.toItsEnd(program);
  } finally {
    await program.close();
  }
}

class ProgramRun {
  readonly #setting: ProgramSetting;
  readonly #kept: readonly RecordedWave[];
  readonly #versions: string;
  readonly #made: MadeCall[];
  #waves = 0;
  #replayed = 0;
  #issued = 0;
  #chars = 0;
  /** The time on the program's clock. */
  #at: number;

  constructor(setting: ProgramSetting, at: number, kept: readonly RecordedWave[], versions: string) {
    this.#setting = setting;
    this.#made = setting.progress.made;
    this.#at = at;
    this.#kept = kept;
    this.#versions = versions;
  }

  async toItsEnd(program: RunningProgram): Promise<ProgramReport> {
    for (;;) {
      const step = await program.next();
      if (step.type === "end") return this.#ended(step);
      this.#issued += step.calls.length;
      for (const { json } of step.calls) this.#chars += json.length;
      const answers = this.#isOverLimit() ? [] : await this.#answers(step.calls);
      for (const { json } of answers) this.#chars += json.length;
      if (this.#isOverLimit()) return this.#ended(this.#limitEnd(step.cpuMs));
      program.answer(answers, this.#at);
    }
  }

  diverged(why: string): ToolError {
    const done = this.#kept.flatMap(({ calls, results }) =>
      calls.map(({ name }, index) => `${name} (${results?.[index]?.status ?? "not finished"})`),
    );
    const list = done.length === 0 ? "Nothing had been done." : `Done before: ${namesWithCounts(done)}.`;
    const message = `Run again after an interruption, the program did not do what it had done before: ${why}. Nothing was run twice. ${list}${this.#versions}`;
    return new ToolError("PROGRAM_DIVERGED", { message, details: { wave: this.#waves, done } });
  }

  #ended(end: ProgramReport["end"]): ProgramReport {
    if (this.#kept.length > this.#waves) throw this.diverged(`it ended before its call ${this.#made.length + 1}`);
    return { end, made: this.#made, waves: this.#waves, replayed: this.#replayed };
  }

  /** Makes the calls of a wave. */
  async #answers(issued: readonly IssuedCall[]): Promise<readonly ProgramAnswer[]> {
    const read = await inTurns(issued, (call) => this.#callOrRefusal(call));
    const calls = read.flatMap((each) => ("input" in each ? [each] : []));
    const results = calls.length === 0 ? [] : await this.#results(calls);
    this.#at = Math.max(this.#at, ...results.map(({ at }) => Math.trunc(at)));
    const answers = (await inTurns(results, (result) => this.#answer(result))).values();
    return read.map((each) => ("input" in each ? answers.next().value! : each));
  }

  async #results(calls: readonly NestedCall[]): Promise<readonly NestedResult[]> {
    this.#setting.progress.underWay = calls;
    const results = await this.#setting.calls.run(calls);
    this.#setting.progress.underWay = [];
    if (this.#kept[this.#waves]?.results) this.#replayed++;
    this.#waves++;
    for (const { name, status, durationMs } of results) this.#made.push({ name, status, durationMs });
    return results;
  }

  /** The call, or its refusal, which is not recorded: for a tool that programs may not call, or an input that no tool takes. */
  #callOrRefusal({ name, json }: IssuedCall): NestedCall | ProgramAnswer {
    const { mayCall, callable } = this.#setting;
    if (!mayCall(name)) return failure(unknownTool(name, callable.finder.like(name)), "TOOL_UNKNOWN");
    try {
      return { name, input: copyJson(JSON.parse(json)) };
    } catch (error) {
      return failure(`The input of ${name} cannot be used: ${describeThrown(error)}`, "TOOL_INPUT_INVALID");
    }
  }

  #answer({ name, isError, output, details, value }: NestedResult): ProgramAnswer {
    if (isError) {
      const message = typeof output === "string" ? output : JSON.stringify(output);
      return failure(message, String(fieldsOf(details).code ?? "TOOL_FAILED"), value);
    }
    const json = JSON.stringify(value);
    const { valueBytes } = this.#setting.limits;
    const bytes = json.length <= valueBytes / 3 ? 0 : new TextEncoder().encode(json).length;
    if (bytes <= valueBytes) return { isError: false, json };
    const message = `The result of ${name} has ${bytes} bytes of JSON; a program is given at most ${valueBytes}. Ask for less at a time.`;
    return failure(message, "PROGRAM_LIMIT");
  }

  #isOverLimit(): boolean {
    const { calls, totalBytes } = this.#setting.limits;
    return this.#issued > calls || this.#chars > totalBytes;
  }

  #limitEnd(cpuMs: number): ProgramReport["end"] {
    const { calls, totalBytes } = this.#setting.limits;
    const text =
      this.#issued > calls
        ? `It made more than the ${calls} calls that a program may make.`
        : `The inputs and results of its calls have more than ${totalBytes} bytes.`;
    return { type: "end", end: "limit", text, unmade: 0, logs: "", isLogCut: false, cpuMs };
  }
}

/** Large values hold up the thread for a moment each, so other work has its turn between them. */
async function inTurns<From, To>(from: readonly From[], make: (each: From) => To): Promise<To[]> {
  const made: To[] = [];
  let begun = performance.now();
  for (const each of from) {
    made.push(make(each));
    if (performance.now() - begun < TURN_MS) continue;
    await breathe();
    begun = performance.now();
  }
  return made;
}

function failure(message: string, code: string, value?: JsonValue): ProgramAnswer {
  const isData = typeof value === "object" && value !== null;
  return { isError: true, json: JSON.stringify({ message, code, ...(isData && { value }) }) };
}

/** Such as `look ×3, pay`. */
export function namesWithCounts(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}
