// The description of a call by its tool: the one place where that is asked for, checked and bounded.
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { AssistantMessage } from "../../contracts/message.js";
import type { SessionRecord } from "../../contracts/session.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import type { CallDescription, CallKind, DescribedCall, ToolCall } from "../../contracts/tool-call.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";
import { toolCallsOf } from "./message-shape.js";

const MAX_TITLE_CHARS = 200;
const MAX_PATHS = 20;
const MAX_PATH_CHARS = 4_096;
const MAX_COMMAND_CHARS = 2_000;
/** They change the direction of what is shown behind them. */
const TURNING = String.raw`\u202a-\u202e\u2066-\u2069`;
const NOT_IN_TITLES = new RegExp(String.raw`[\s\p{Cc}${TURNING}]+`, "gu");
const NOT_IN_PATHS = new RegExp(String.raw`[\p{Cc}${TURNING}]`, "u");

const KINDS: { readonly [K in CallKind]: true } = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  other: true,
};

/**
 * The description of a call by its tool, from its arguments as the model sent them. `undefined`: the tool has none, or a wrong one, and
 * a view shows the tool's name. Never throws. Title and paths are without control characters; all lengths are bounded.
 */
export function describeCall(
  tool: Pick<BaseTool, "describe"> | undefined,
  input: JsonValue,
): CallDescription | undefined {
  // The caller's own object is not handed to a tool, which could change it.
  return describedBy(tool, () => structuredClone(input));
}

function describedBy(
  tool: Pick<BaseTool, "describe"> | undefined,
  inputOf: () => JsonValue,
): CallDescription | undefined {
  if (!tool?.describe) return undefined;
  try {
    const input = inputOf();
    const said: unknown = tool.describe(isObject(input) ? input : {});
    if (isThenable(said)) ignoreFailure(said);
    return readDescription(said as DescribedCall);
  } catch {
    return undefined;
  }
}

/** The description of a call that the model has made: by the tool that is meant, where the call is a way to make another one. */
export function describeMade(call: ToolCall, registry: Pick<Registry, "get" | "resolve">): CallDescription | undefined {
  if (call.malformed !== undefined) return undefined;
  try {
    const { name, arguments: input } = registry.resolve?.(call) ?? call;
    return describedBy(registry.get(name), () => input); // The input in a record is frozen.
  } catch {
    return undefined; // The call's own pipeline reports what is wrong with it.
  }
}

/** A message as a session keeps it. */
export function messageRecord(
  message: AssistantMessage,
  registry: Pick<Registry, "get" | "resolve">,
  label?: Label,
): SessionRecord {
  const descriptions = toolCallsOf(message).flatMap((call) => {
    const description = describeMade(call, registry);
    return description ? { toolCallId: call.id, ...description } : [];
  });
  return { type: "message", message, ...(descriptions.length > 0 && { descriptions }), ...(label && { label }) };
}

/** The look of a call, as a session keeps it. `undefined` where it keeps nothing of the kind, or something of another shape. */
export function storedDescription(descriptions: unknown, toolCallId: string): CallDescription | undefined {
  const kept = Array.isArray(descriptions) ? descriptions : [];
  const found: unknown = kept.find((each: unknown) => isObject(each) && each.toolCallId === toolCallId);
  return isObject(found) ? readDescription(found as unknown as DescribedCall) : undefined;
}

function readDescription({ title, kind, paths, line, command }: DescribedCall): CallDescription | undefined {
  const shown = typeof title === "string" ? titleOf(title) : "";
  if (shown === "" || typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) return undefined;
  const files = Array.isArray(paths) ? firstOf(paths).filter(isPath) : [];
  const isLine = Number.isSafeInteger(line) && line! >= 1;
  return Object.freeze({
    title: shown,
    kind,
    ...(files.length > 0 && { paths: Object.freeze(files) }),
    ...(files.length > 0 && isLine && { line: line! }),
    ...(typeof command === "string" && command !== "" && { command: clip(command, MAX_COMMAND_CHARS) }),
  });
}

/** In an array of this realm's own making, whatever the value does when it is read. */
function firstOf(values: readonly unknown[]): unknown[] {
  return Array.from({ length: Math.min(values.length, MAX_PATHS) }, (_, index) => values[index]);
}

/** The title on one line; only the beginning of a huge string is read. */
function titleOf(title: string): string {
  const text = title.slice(0, 10 * MAX_TITLE_CHARS).replace(NOT_IN_TITLES, " ");
  return clip(text.trim(), MAX_TITLE_CHARS);
}

function isPath(path: unknown): path is string {
  return typeof path === "string" && path !== "" && path.length <= MAX_PATH_CHARS && !NOT_IN_PATHS.test(path);
}
