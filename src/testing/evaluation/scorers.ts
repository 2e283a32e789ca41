// Scorers that need no model.

import { checkOptions, FLAG, listOf, type OptionTable, STRING } from "../../json/check-options.js";
import { equalJson } from "../../json/copy.js";
import { parseJson } from "../../json/parse-json.js";
import { clip, shortQuote } from "../../text/cut.js";
import type { Scorer } from "./evaluation.js";

/**
 * Passes when the final answer is the case's `expected`: a string without regard to whitespace around it, any other value
 * by its JSON, compared with the structured answer.
 */
export function exact(): Scorer {
  return scorerNamed("exact", ({ text, output }, { expected }) => {
    if (expected === undefined) throw missing("exact()");
    if (typeof expected === "string")
      return verdict(text.trim() === expected.trim(), `It answered ${shortQuote(text)}.`);
    const answer = [output, parseJson(text), text].find((each) => each !== undefined);
    return verdict(equalJson(answer, expected), `It answered ${shortQuote(JSON.stringify(answer) ?? text)}.`);
  });
}

/**
 * Passes when the final answer has every one of these strings, or a match of every pattern. Without any, the case's `expected`
 * says what: a string, a pattern or an array of them.
 */
export function contains(...wanted: readonly (string | RegExp)[]): Scorer {
  return scorerNamed("contains", ({ text }, { expected }) => {
    const all = wanted.length > 0 ? wanted : [expected].flat().filter((each) => each !== undefined);
    if (all.length === 0) throw missing("contains()");
    const absent = all.filter((each) => !(each instanceof RegExp ? hasMatch(each, text) : text.includes(String(each))));
    return verdict(
      absent.length === 0,
      `Not in its answer: ${absent.map((each) => shortQuote(String(each))).join(", ")}.`,
    );
  });
}

/** The required form of a run's calls. */
export interface ToolsCalledOptions {
  /** The tools in this order, with others between them. Default: `false`. */
  readonly inOrder?: boolean | undefined;
  /** No other tools. Default: `false`. */
  readonly only?: boolean | undefined;
}

const TOOLS_CALLED_OPTIONS = { inOrder: FLAG, only: FLAG } satisfies OptionTable<ToolsCalledOptions>;

/** Passes when each of these tools was called; a name that is there twice, twice. An empty list with `only`: none at all. */
export function toolsCalled(names: readonly string[], options: ToolsCalledOptions = {}): Scorer {
  checkOptions(
    "toolsCalled()",
    { names, ...options },
    { names: listOf(STRING, "names of tools"), ...TOOLS_CALLED_OPTIONS },
  );
  const { inOrder = false, only = false } = options;
  return scorerNamed("toolsCalled", ({ toolCalls }) => {
    const called = toolCalls.map(({ name }) => name);
    const absent = missingFrom(called, names, inOrder);
    const surplus = only ? called.filter((name) => !names.includes(name)) : [];
    const isRight = absent.length === 0 && surplus.length === 0;
    return verdict(isRight, `It called ${called.length === 0 ? "no tool" : clip(called.join(", "), 200)}.`);
  });
}

/** Passes when the run completed and no tool call failed, was denied or has no result. */
export function noErrors(): Scorer {
  return scorerNamed("noErrors", ({ status, error, toolCalls }) => {
    if (status !== "completed") return verdict(false, `It ended as ${status}${error ? `: ${error.message}` : "."}`);
    const failed = toolCalls.filter(({ isError, output }) => isError || output === undefined);
    return verdict(failed.length === 0, `Calls that failed: ${failed.map(({ name }) => name).join(", ")}.`);
  });
}

/** The wanted names that are not there, each as often as it was wanted. */
function missingFrom(called: readonly string[], wanted: readonly string[], inOrder: boolean): string[] {
  const left = [...called];
  return wanted.filter((name) => {
    const at = left.indexOf(name);
    if (at === -1) return true;
    left.splice(inOrder ? 0 : at, inOrder ? at + 1 : 1);
    return false;
  });
}

function verdict(score: boolean, otherwise: string) {
  return score ? { score } : { score, reason: otherwise };
}

/** Reports call it by this name. */
export function scorerNamed(name: string, scorer: Scorer): Scorer {
  return Object.defineProperty(scorer, "name", { value: name });
}

function missing(scorer: string): Error {
  return new Error(`The case has no "expected" for ${scorer} to compare with. Give the case one.`);
}

/** A global pattern would remember where it was. */
function hasMatch(pattern: RegExp, text: string): boolean {
  return text.search(pattern) !== -1;
}
