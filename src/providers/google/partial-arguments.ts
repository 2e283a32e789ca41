import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { wholeArguments } from "../shared/tool-input.js";

/** Most steps of a path into the arguments, and the largest index in it. */
const MAX_STEPS = 64;
const MAX_INDEX = 10_000;

/**
 * The arguments of a call that come in pieces, each with a path (`$.items[0].name`) and a value; text goes on where the
 * piece before says so.
 */
export class PartialArguments {
  readonly #root: JsonObject = {};
  /** Paths of text that goes on. */
  readonly #open = new Set<string>();

  /** The arguments so far. */
  get value(): JsonObject {
    return this.#root;
  }

  /** Arguments that came whole. */
  add(args: unknown): void {
    const whole = wholeArguments(args).arguments;
    if (isObject(whole)) for (const [name, value] of Object.entries(whole)) setOwn(this.#root, name, value);
  }

  /** One piece; what is not understood is skipped. */
  addPiece(piece: unknown): void {
    if (!isObject(piece) || typeof piece.jsonPath !== "string") return;
    const steps = stepsOf(piece.jsonPath);
    const value = pieceValue(piece);
    if (!steps || value === undefined) return;
    const goesOn = this.#open.has(piece.jsonPath) && typeof value === "string";
    put(this.#root, steps, value, goesOn);
    if (piece.willContinue === true) this.#open.add(piece.jsonPath);
    else this.#open.delete(piece.jsonPath);
  }
}

type Container = JsonObject | JsonValue[];

function put(root: JsonObject, steps: readonly (string | number)[], value: JsonValue, goesOn: boolean): void {
  let place: Container = root;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1];
    const found = readAt(place, step);
    if (next === undefined) {
      setAt(place, step, goesOn && typeof found === "string" ? found + String(value) : value);
      return;
    }
    const isRight = typeof next === "number" ? Array.isArray(found) : isObject(found);
    const inner: Container = isRight ? (found as Container) : typeof next === "number" ? [] : {};
    if (!isRight) setAt(place, step, inner);
    place = inner;
  }
}

function readAt(place: Container, step: string | number): JsonValue | undefined {
  return Object.hasOwn(place, step) ? (place as JsonObject)[step] : undefined;
}

function setAt(place: Container, step: string | number, value: JsonValue): void {
  if (Array.isArray(place)) place[Number(step)] = value;
  else setOwn(place, String(step), value);
}

/** `__proto__` is an ordinary name here. */
function setOwn(target: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function stepsOf(path: string): (string | number)[] | null {
  const steps: (string | number)[] = [];
  const rest = path.startsWith("$") ? path.slice(1) : path;
  for (const [, dotted, quoted, index] of rest.matchAll(/\.?([^.[\]]+)|\[['"]([^'"]*)['"]\]|\[(\d+)\]/g)) {
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted ?? dotted ?? "");
  }
  const isSane = steps.length > 0 && steps.length <= MAX_STEPS && typeof steps[0] === "string";
  return isSane && steps.every((step) => typeof step === "string" || step <= MAX_INDEX) ? steps : null;
}

function pieceValue(piece: Fields): JsonValue | undefined {
  for (const field of ["stringValue", "numberValue", "boolValue"]) {
    if (piece[field] !== undefined) return piece[field] as JsonValue;
  }
  return "nullValue" in piece ? null : undefined;
}
