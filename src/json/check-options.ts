// The checks every option goes through; each names option, value and expectation.
import { ConfigurationError } from "../contracts/errors.js";

export function requireObject(name: string, value: unknown, expected: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidOption(name, value, expected);
}

export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw invalidOption(name, value, "a function");
}

export function requireMethod(name: string, value: unknown, ...methods: readonly string[]): void {
  if (value === undefined) return;
  const isRight =
    typeof value === "object" &&
    value !== null &&
    methods.every((method) => typeof Reflect.get(value, method) === "function");
  if (!isRight) throw invalidOption(name, value, `an object with ${methods.map((method) => `${method}()`).join(", ")}`);
}

export function rejectUnknown(prefix: string, options: object, known: object): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    throw invalidOption(
      `${prefix}${name}`,
      Reflect.get(options, name),
      `one of the options ${Object.keys(known).join(", ")}`,
    );
  }
}

/** An error that names option, value and expectation. */
export function invalidOption(name: string, value: unknown, expected: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Option "${name}" is ${describe(value)}; expected ${expected}.`,
    details: { option: name },
  });
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object of another shape" : String(value);
}
