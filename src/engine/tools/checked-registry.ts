import { ConfigurationError, isHarnessError } from "../../contracts/errors.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import { isObject } from "../../json/is-object.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";
import { ToolRegistry } from "./tool-registry.js";

/** A registry whose answers can be relied on: what the contract does not allow is thrown as `TOOL_INVALID`. */
export function checkedRegistry(registry: Registry): Registry {
  if (registry instanceof ToolRegistry) return registry;
  const checked: Registry = {
    register: (tool) => {
      registry.register(tool);
      return checked;
    },
    unregister: (name) => registry.unregister(name),
    get: (name) => answerOf("get", () => registry.get(name), isToolOrNothing, "a tool or undefined") ?? undefined,
    list: () => answerOf("list", () => registry.list(), isListOf(isTool), "an array of tools"),
    definitions: () =>
      answerOf("definitions", () => registry.definitions(), isListOf(isObject), "an array of definitions"),
    ...(registry.ready && { ready: () => registry.ready!() }),
    // An error of `resolve` is for the model: the call cannot be resolved.
    ...(registry.resolve && {
      resolve: (call, others) =>
        answerOf("resolve", () => registry.resolve!(call, others), isNoPromise, "a call", true),
    }),
    ...(registry.narrow && {
      narrow: (pick, isDisallowed) =>
        checkedRegistry(answerOf("narrow", () => registry.narrow!(pick, isDisallowed), isRegistry, "a registry")),
    }),
    execute: (call, context) => registry.execute(call, context),
  };
  return checked;
}

function answerOf<T>(
  method: string,
  ask: () => T,
  isRight: (answer: unknown) => boolean,
  expected: string,
  passesErrors = false,
): T {
  let answer: T;
  try {
    answer = ask();
    if (isRight(answer)) return answer;
  } catch (cause) {
    if (passesErrors || isHarnessError(cause)) throw cause;
    const message = `The tool registry's ${method}() failed: ${describeThrown(cause)}`;
    throw new ConfigurationError("TOOL_INVALID", { message, cause });
  }
  ignoreFailure(answer);
  const got = isThenable(answer) ? "a promise; remove `async`" : describeValue(answer);
  throw new ConfigurationError("TOOL_INVALID", {
    message: `The tool registry's ${method}() must return ${expected}, got ${got}.`,
  });
}

function isListOf(isOne: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isOne);
}

function isTool(value: unknown): boolean {
  return isObject(value) && typeof (value as Partial<BaseTool>).execute === "function";
}

function isToolOrNothing(value: unknown): boolean {
  return value === undefined || value === null || isTool(value);
}

function isRegistry(value: unknown): boolean {
  return isObject(value) && typeof (value as Partial<Registry>).list === "function";
}

function isNoPromise(value: unknown): boolean {
  return !isThenable(value);
}
