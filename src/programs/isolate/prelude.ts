/**
 * The code in the engine before the program: evaluated there, it gives a function that makes `tools`, `searchTools`, `describeTool`,
 * `console` and `ToolError`, and returns what the host calls.
 *
 * Invariant: it looks nothing up in a global or a prototype once the program has begun, so that a program can break only itself.
 * `issue(name, json)` and `print(text)` are all it has of the host, and take only strings. They return true when the program must stop: it then loops until the engine asks whether it may go on.
 */
export const PRELUDE = String.raw`(issue, print, toolsJson, inputChars, logChars) => {
"use strict";
const { parse, stringify } = JSON;
const { Promise, Proxy, Error, String, Object } = globalThis;
const { freeze, defineProperty, create, keys } = Object;
const { apply } = Reflect;
const slice = String.prototype.slice;
const own = (object, name, value) => defineProperty(object, name, { __proto__: null, value, configurable: true, writable: true });

class ToolError extends Error {
  constructor(message, code, tool, value) {
    super(message);
    own(this, "code", code);
    own(this, "tool", tool);
    if (value !== undefined) own(this, "value", value);
  }
}
own(ToolError.prototype, "name", "ToolError");
freeze(ToolError.prototype);
freeze(ToolError);

const waiting = create(null);
let issued = 0;

function call(name, input) {
  const { stack } = new Error();
  return new Promise((resolve, fail) => {
    const reject = (error) => fail(own(error, "stack", stack));
    const refuse = (why, code) => reject(new ToolError(why, code, name));
    if (name.length > 128) return refuse("There is no tool with a name of " + name.length + " characters.", "TOOL_UNKNOWN");
    let json;
    try {
      json = stringify(input === undefined ? {} : input);
    } catch (error) {
      return refuse("The input of " + name + " cannot be written as JSON: " + describe(error).message, "TOOL_INPUT_INVALID");
    }
    if (json === undefined) return refuse("The input of " + name + " is a " + typeof input + ", which is not JSON.", "TOOL_INPUT_INVALID");
    if (json.length > inputChars)
      return refuse("The input of " + name + " has " + json.length + " characters of JSON; at most " + inputChars + " are taken.", "PROGRAM_LIMIT");
    waiting[issued++] = { __proto__: null, name, resolve, reject };
    if (issue(name, json)) for (;;);
  });
}

function settle(index, isError, json) {
  const { name, resolve, reject } = waiting[index];
  delete waiting[index];
  const value = parse(json);
  if (isError) reject(new ToolError(value.message, value.code, name, value.value));
  else resolve(value);
}

function describe(thrown) {
  try {
    if (thrown instanceof Error || (typeof thrown === "object" && thrown !== null && typeof thrown.message === "string"))
      return { name: String(thrown.name), message: String(thrown.message), stack: String(thrown.stack ?? "") };
    return { name: null, message: typeof thrown === "string" ? thrown : String(stringify(thrown) ?? thrown), stack: "" };
  } catch {
    return { name: null, message: "It cannot be shown.", stack: "" };
  }
}

function shown(value) {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return String(value.stack ? value + "\n" + value.stack : value);
    if (typeof value === "object" && value !== null) return stringify(value) ?? String(value);
    return String(value);
  } catch {
    return "(cannot be shown)";
  }
}

function log() {
  let line = "";
  for (let at = 0; at < arguments.length; at++) line += (at === 0 ? "" : " ") + shown(arguments[at]);
  if (print(apply(slice, line, [0, logChars + 1]))) for (;;);
}

const known = parse(toolsJson);
const functions = create(null);
for (const name of keys(known)) {
  const tool = known[name];
  functions[name] = freeze((input) => call(tool, input));
}
freeze(functions);
const tools = new Proxy(functions, {
  __proto__: null,
  get: (target, name) => target[name] ?? (typeof name === "string" && name !== "then" && name !== "toJSON" ? (input) => call(name, input) : undefined),
});

const globals = {
  tools,
  ToolError,
  searchTools: (query, limit) => call("searchTools", { query, limit }),
  describeTool: (name) => call("describeTool", { name }),
  console: freeze({ log, info: log, warn: log, error: log, debug: log, table: log, dir: log }),
};
for (const name of keys(globals)) own(globalThis, name, globals[name]);
for (const name of ["SharedArrayBuffer", "WeakRef", "FinalizationRegistry", "performance"]) delete globalThis[name];

return {
  settle,
  returned: (value) => stringify(value) ?? "",
  threw: (reason, maxChars) => {
    const { name, message, stack } = describe(reason);
    const cut = (text) => apply(slice, text, [0, maxChars]);
    return stringify({ name: name === null ? null : cut(name), message: cut(message), stack: cut(stack) });
  },
};
}`;
