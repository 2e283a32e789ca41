import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Isolate, IsolateLimits, IssuedCall, ProgramAnswer, ProgramStep } from "../../../src/programs/index.js";
import { inline, nodeWorker } from "../../../src/programs/index.js";

export const WASM = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

export const ISOLATES: readonly (readonly [string, Isolate])[] = [
  ["a worker", nodeWorker()],
  ["this thread", inline(WASM)],
];

export const LIMITS: IsolateLimits = {
  cpuMs: 60_000,
  memoryBytes: 64 * 1024 * 1024,
  callsAtOnce: 32,
  inputChars: 1024 * 1024,
  valueChars: 8 * 1024 * 1024,
  logChars: 8_000,
};

export const AT = Date.UTC(2026, 10, 29);
const TOOLS = { look: "look", "pay-now": "pay-now", pay_now: "pay-now" };

/** The answer to each call: its name and input. */
export const echo = ({ name, json }: IssuedCall): ProgramAnswer => ({
  isError: false,
  json: `{"name":${JSON.stringify(name)},"input":${json}}`,
});

interface Ended {
  readonly end: Extract<ProgramStep, { type: "end" }>;
  readonly waves: readonly (readonly IssuedCall[])[];
  /** The value that it returned. */
  readonly value: unknown;
}

/** Runs a program to its end. */
export async function runSource(
  isolate: Isolate,
  source: string,
  {
    answer = echo,
    limits = {},
    signal = new AbortController().signal,
    seed = 42,
  }: {
    readonly answer?: (call: IssuedCall) => ProgramAnswer;
    readonly limits?: Partial<IsolateLimits>;
    readonly signal?: AbortSignal;
    readonly seed?: number;
  } = {},
): Promise<Ended> {
  const program = await isolate.start({ source, tools: TOOLS, at: AT, seed, limits: { ...LIMITS, ...limits }, signal });
  const waves: (readonly IssuedCall[])[] = [];
  try {
    for (;;) {
      const step = await program.next();
      if (step.type === "end") {
        const value = step.end === "returned" && step.text !== "" ? JSON.parse(step.text) : undefined;
        return { end: step, waves, value };
      }
      waves.push(step.calls);
      program.answer(step.calls.map(answer), AT + 1_000 * waves.length);
    }
  } finally {
    await program.close();
  }
}

/** What `run` gives, and the processor time that this process spends meanwhile, in all of its threads. Unit: milliseconds. */
export async function cpuOf<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1_000 };
}

/**
 * Whether a program was ended within a second after `limitMs`, by the processor time it took: other work on the machine does not count.
 * On a slow machine the second is four times what a program takes there that fills most of its memory, with its start. So it is
 * where the tests before have left a large heap: memory that a program takes makes V8 collect all of it.
 */
export async function isEndedInTime(cpuMs: number, limitMs: number, isolate: Isolate): Promise<boolean> {
  if (cpuMs < limitMs + 1_000) return true;
  const filling = "const a = []; for (let k = 0; k < 3500; k++) a.push(new Array(1000).fill('x')); return a.length";
  const floors: number[] = [];
  for (let k = 0; k < 3; k++) floors.push((await cpuOf(() => runSource(isolate, filling))).cpuMs);
  return cpuMs < limitMs + 4 * Math.max(...floors);
}
