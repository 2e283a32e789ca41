// The first stages of a call: findTool → parseInput → preToolUse.
import type { HookOutcome } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { copyJson } from "../../json/copy.js";
import { isThenable } from "../../time/is-promise.js";
import { timeoutOf } from "../tools/tool-defaults.js";
import { refuseCall, timeOut } from "./fail-call.js";
import type { PendingCall } from "./pending-call.js";
import { fireToolHook, hasHook } from "./tool-hooks.js";

const MAX_SHOWN_NAMES = 50;

export function findTool(call: PendingCall): void {
  const { malformed } = call.call;
  if (malformed === undefined) resolveTarget(call);
  const { name } = call.target;
  const tool = call.run.registry.get(name);
  const isKnown = tool && (tool.callers?.includes(callerOf(call)) ?? true);
  if (!isKnown) refuseUnknown(call, name);
  if (malformed !== undefined) {
    const shown = malformed.length > 500 ? `${malformed.slice(0, 500)}… (${malformed.length} characters)` : malformed;
    const message = `The arguments of "${name}" were not one complete JSON value, so it was not run. Call it again with valid JSON. Got: ${shown}`;
    refuseCall(call, "failure", "TOOL_INPUT_MALFORMED", message);
  }
  call.tool = tool;
}

/** The one who has made the call. */
function callerOf({ run, call }: PendingCall): "model" | "program" {
  return run.setup.nested ? "program" : (call.caller ?? "model");
}

/** The call that is meant: see `Registry.resolve`. */
function resolveCall(registry: Registry, call: ToolCall): ToolCall {
  return registry.resolve?.(call) ?? call;
}

/** The same where it can be resolved: the call's own pipeline reports what is wrong with it. */
export function targetOf(registry: Registry, call: ToolCall): ToolCall | undefined {
  try {
    const target = resolveCall(registry, call);
    return typeof Object(target).name === "string" ? target : undefined;
  } catch {
    return undefined;
  }
}

/** The tool that a call is about, if there is one. */
export function toolOf(registry: Registry, call: ToolCall): BaseTool | undefined {
  try {
    return registry.get(resolveCall(registry, call).name);
  } catch {
    return undefined;
  }
}

/** A tool may be a way to call another one. */
function resolveTarget(call: PendingCall): void {
  const target: unknown = resolveCall(call.run.registry, call.call);
  if (target === call.call) return;
  const { name, arguments: args = {} } = Object(target) as Partial<ToolCall>;
  if (typeof name !== "string") {
    const message = `The registry resolved "${call.call.name}" to something that is not a call. This is a bug in the registry.`;
    refuseCall(call, "failure", "TOOL_FAILED", message);
  }
  call.args = copyJson(args, true);
  call.target = Object.freeze({ id: call.call.id, name, arguments: call.args });
}

function refuseUnknown(call: PendingCall, name: string): never {
  const callable = call.run.registry.list().filter(({ callers }) => callers?.includes(callerOf(call)) ?? true);
  const known = callable.map((tool) => tool.name);
  const list =
    known.length > 0 ? `The tools are: ${known.slice(0, MAX_SHOWN_NAMES).join(", ")}` : "No tools are available";
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return refuseCall(call, "failure", "TOOL_UNKNOWN", `There is no tool "${shown}". ${list}.`);
}

/** Checks schema and values on the call's own copy of its arguments. */
export function parseInput(call: PendingCall): void | Promise<void> {
  const tool = call.tool!;
  const own = copyJson(call.args);
  const parsed: unknown = tool.parse ? tool.parse(own) : own;
  if (isThenable(parsed) || tool.validate) return validated(call, tool, parsed);
  call.input = parsed;
}

/** A check that takes time is bounded by the tool's timeout. */
async function validated(call: PendingCall, tool: BaseTool, parsed: unknown): Promise<void> {
  const { deadlines, limits } = call.run;
  const checked = (async () => {
    const input: unknown = await parsed;
    await tool.validate?.(input, call.context);
    return input;
  })();
  const timeoutMs = timeoutOf(tool, limits.toolTimeoutMs);
  const deadline = timeoutMs === null ? undefined : deadlines.add(timeoutMs, () => timeOut(call, timeoutMs, 0));
  try {
    call.input = await checked;
  } finally {
    if (deadline) deadlines.remove(deadline);
  }
}

/** Hooks, the gate and the host may change the input; it is checked again. */
export function replaceInput(call: PendingCall, input: JsonValue): void | Promise<void> {
  call.args = copyJson(input, true);
  return parseInput(call);
}

export function preToolUse(call: PendingCall): void | Promise<void> {
  if (hasHook(call, "PreToolUse")) return runPreToolUse(call);
}

async function runPreToolUse(call: PendingCall): Promise<void> {
  const outcome = await fireToolHook(call, "PreToolUse", call.hookPayload);
  if (call.isOver) return;
  const { permission, permissionReason: reason, updatedInput } = outcome;
  if (permission === "deny" || !outcome.continue) refuseCall(call, "denied", "HOOK_DENIED", hookReason(call, outcome));
  if (updatedInput !== undefined) await replaceInput(call, updatedInput);
  if (permission === "allow" || permission === "ask") call.permission.hook = { behavior: permission, reason };
  call.permission.isDeferred = permission === "defer";
}

function hookReason(call: PendingCall, { permission, permissionReason, reason, stopReason }: HookOutcome): string {
  const given = permission === "deny" ? (permissionReason ?? reason) : stopReason;
  return given ?? `A PreToolUse hook blocked "${call.target.name}".`;
}
