// The shared part of the builtins: their call, and the plainest things they do.
import type { CommandDraft } from "../script/findings.js";
import type { Follower, Invocation, ShellScript } from "../script/script.js";
import { startedBy } from "../script/surroundings.js";
import type { Outcome, ShellWord } from "../words/shell-word.js";

/** One invocation of a builtin. */
export interface BuiltinCall {
  readonly follower: Follower;
  readonly script: ShellScript;
  readonly invocation: Invocation;
  readonly args: readonly ShellWord[];
  open(): CommandDraft;
}

/** Answers where the shell stands afterwards; nothing when it has not moved. */
export type Builtin = (call: BuiltinCall) => Outcome | undefined;

/** Only prints, or changes what the script cannot show. */
export function prints(call: BuiltinCall): undefined {
  call.open().reads = true;
  return undefined;
}

/** Does more, and needs approval. */
export function acts(call: BuiltinCall): undefined {
  call.open();
  return undefined;
}

/** Does what cannot be followed: any word of it may be a command, and so may its words together. */
export function opaque(call: BuiltinCall, what: string): undefined {
  const { follower, invocation, args } = call;
  const draft = call.open();
  call.script.findings.doubt(draft, "opaque", `"${invocation.words[0]!.raw}" ${what}`);
  const words = args.map(({ value, raw }) => (value ?? raw).replace(/^\w+=/, "")).filter((word) => !/^-/.test(word));
  for (const text of new Set([...words, words.join(" ")])) follower.mayRun(draft, text, invocation.directories);
  return undefined;
}

/** Reads code that the builtin runs in this shell: as it stands, or all it may be. */
export function readHere(call: BuiltinCall, code: ShellWord): Outcome {
  const { script, invocation } = call;
  const texts = code.value === null ? code.guesses : [code.value];
  let outcome: Outcome = { ok: null, fail: null };
  for (const text of texts) outcome = script.readHere(text, invocation.directories);
  return code.value === null ? { ok: null, fail: null } : outcome;
}

/** Reads what stands inside of a builtin: it counts as started by that. */
export function inside<Result>(call: BuiltinCall, draft: CommandDraft, isKnown: boolean, action: () => Result): Result {
  return call.script.within(startedBy(draft, !isKnown), action);
}

/** The values a format puts in are text: `%n` would set a variable. */
const OTHER_VALUE = /%(?![-+ #\d*.]*[bqQscdiouxXeEfFgGaA])/;
/** A percent sign, or a time. */
const NO_VALUE = /%%|%[-+ #\d]*(?:\.\d*)?\([^()]{0,100}\)T/g;

/** The format shows all that `printf` does with it. */
export function isPlainFormat(format: string): boolean {
  return !OTHER_VALUE.test(format.replace(NO_VALUE, ""));
}

/** The words of `set` with which the rest of the script is read as before. */
export function setsPlainly(words: readonly ShellWord[]): boolean {
  const text = words.map(({ value }) => `${value ?? "?"} `).join("");
  return /^(?:(?:[-+][eux]+|[-+][eux]*o (?:pipefail|errexit|nounset|xtrace)) )+$/.test(text);
}
