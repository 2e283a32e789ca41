import { type ErrorCode, isHarnessError } from "../contracts/errors.js";
import { equalJson } from "../json/copy.js";
import { toJson } from "../providers/scripted/to-script.js";
import { clip, sliceCharacters } from "../text/cut.js";

/**
 * One claim of a contract, free of any test runner: `for (const c of cases) test(c.name, c.run)`.
 *
 * Cases are independent and may run in any order or at once. `run` rejects with an `Error` that says what broke.
 */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** The most of a value that a message shows. Unit: characters. */
const MAX_SHOWN_CHARS = 300;

/** @throws Error with `message` unless `condition` holds */
export function claim(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** @throws Error unless both values are the same JSON; the order of an object's keys does not count */
export function claimSame(actual: unknown, expected: unknown, what: string): void {
  if (equalJson(actual, expected)) return;
  const [wanted, got] = fromDifference(
    show(expected, Number.POSITIVE_INFINITY),
    show(actual, Number.POSITIVE_INFINITY),
  );
  throw new Error(`${what}: expected ${wanted}, got ${got}.`);
}

/** Both texts, cut so that where they begin to differ is in sight. */
function fromDifference(...texts: [string, string]): [string, string] {
  let same = 0;
  while (same < texts[0].length && texts[0][same] === texts[1][same]) same++;
  const start = same < MAX_SHOWN_CHARS / 2 ? 0 : same - MAX_SHOWN_CHARS / 3;
  return texts.map((text) => `${start === 0 ? "" : "…"}${clip(sliceCharacters(text, start), MAX_SHOWN_CHARS)}`) as [
    string,
    string,
  ];
}

/** Resolves with the error `work` fails with. @throws Error when it succeeds or fails with another code */
export async function claimFailure(work: () => unknown, code: ErrorCode, what: string): Promise<Error> {
  try {
    await work();
  } catch (error) {
    claim(isHarnessError(error, code), `${what}: expected an error with code ${code}, got ${show(error)}.`);
    return error;
  }
  throw new Error(`${what}: expected an error with code ${code}, but it succeeded.`);
}

/** The outcome of `work`, or an Error when it takes longer than `ms`; leaves no timer behind. */
export async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not settled after ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** A bounded picture of any value for messages. */
export function show(value: unknown, maxChars = MAX_SHOWN_CHARS): string {
  const text = value instanceof Error ? `${value.name}: ${value.message}` : (toJson(value) ?? String(value));
  return clip(text, maxChars);
}

/** Whether a value is plain JSON: it survives being written and read. */
export function isJson(value: unknown): boolean {
  const json = toJson(value);
  return json !== undefined && equalJson(JSON.parse(json), value);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
