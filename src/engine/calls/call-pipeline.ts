// The one pipeline every tool call goes through:
// resolve → parse → validate → PreToolUse → permission → execute → PostToolUse → size budget → record.
// A refusal or a failure is a result the model can read; nothing here throws to the caller.

import type { Answer } from "../../contracts/approval.js";
import type { HookOutcome } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { copyJson } from "../../json/copy.js";
import { isThenable } from "../../time/is-promise.js";
import type { CallHost } from "./call-environment.js";
import { attempt, timeOut } from "./execute-call.js";
import { decide, isPlainYes } from "./gate.js";
import type { CallRun } from "./pending-call.js";
import { failure, refusal } from "./tool-result.js";

/** Brings one call to its result, or to the question it waits with. Never rejects. */
export async function runToolCall(call: CallRun, host: CallHost): Promise<void> {
  try {
    const tool = resolve(call, host);
    const settled = settledInput(call, tool, host);
    const input = isThenable(settled) ? await settled : settled;
    if (call.over) return;
    host.claim(call, input);
    do {
      if (call.suspension && !(await answered(call, host))) return;
      try {
        const mayStart = host.mayStart(call);
        const isFree = mayStart === true || (await mayStart);
        if (isFree && !call.over) await startCall(call, tool, input, host);
      } finally {
        host.freeSlot(call);
      }
    } while (call.suspension && !call.over);
  } catch (error) {
    call.settle(Refused.resultOf(error) ?? failure(call.call, error, 0));
  }
}

function startCall(call: CallRun, tool: BaseTool, input: unknown, host: CallHost): Promise<void> {
  const isInDoubt = call.provisional && call.waited;
  return isInDoubt ? startAgain(call, tool, input, host) : attempt(call, tool, input, host);
}

/** A yes that rested on what an earlier call may have changed is asked for again; anything else than a yes ends the call. */
async function startAgain(call: CallRun, tool: BaseTool, input: unknown, host: CallHost): Promise<void> {
  call.provisional = false;
  const decision = await decide(call, tool, input, call.hookSays, host);
  if (call.over) return;
  await refuseIfDenied(call, tool, decision, host);
  if (!isPlainYes(decision)) {
    const why = `An earlier call changed what "${tool.name}" would do here, so the permission it had does not count any more. Call it again.`;
    await refuse(call, why, host);
  }
  await attempt(call, tool, input, host);
}

/** Ends the pipeline with a result that is no success. */
class Refused extends Error {
  readonly #result: ToolResult;

  constructor(result: ToolResult) {
    super("refused");
    this.#result = result;
  }

  /** Unlike `instanceof`, this runs no code of what was thrown. */
  static resultOf(thrown: unknown): ToolResult | undefined {
    return typeof thrown === "object" && thrown !== null && #result in thrown ? thrown.#result : undefined;
  }
}

function resolve(call: CallRun, host: CallHost): BaseTool {
  const { name, malformed } = call.call;
  const tool = host.findTool(name);
  if (!tool) {
    const known = host.toolNames();
    const list = known.length > 0 ? `The tools are: ${known.slice(0, 50).join(", ")}` : "There are no tools";
    const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
    throw new Refused(refusal(call.call, "failure", "TOOL_UNKNOWN", `There is no tool "${shown}". ${list}.`));
  }
  if (malformed !== undefined) {
    const shown = malformed.length > 500 ? `${malformed.slice(0, 500)}… (${malformed.length} characters)` : malformed;
    const message = `The arguments of "${name}" were not one complete JSON value, so it was not run. Call it again with valid JSON. Got: ${shown}`;
    throw new Refused(refusal(call.call, "failure", "TOOL_INPUT_MALFORMED", message));
  }
  call.tool = tool;
  return tool;
}

/** What the PreToolUse hooks said about a call. */
interface HookVerdict {
  readonly says: PermissionRequest["hook"];
  readonly defer: boolean;
}

const NO_HOOKS: HookVerdict = { says: undefined, defer: false };

/**
 * The input after schema, hooks and permission; meaningless when the call is over.
 *
 * A promise only where something on the way is one: most calls get here and past the gate without a wait.
 */
function settledInput(call: CallRun, tool: BaseTool, host: CallHost): unknown {
  const parsed = parse(call, tool, host);
  if (isThenable(parsed) || host.hasHook("PreToolUse")) return hookedInput(call, tool, parsed, host);
  return permittedInput(call, tool, parsed, NO_HOOKS, host);
}

async function hookedInput(call: CallRun, tool: BaseTool, parsed: unknown, host: CallHost): Promise<unknown> {
  let input = await parsed;
  if (call.over || !host.hasHook("PreToolUse")) return permittedInput(call, tool, input, NO_HOOKS, host);
  const outcome = await host.runHook(call, "PreToolUse", call.hookPayload);
  if (call.over) return undefined;
  if (outcome.permission === "deny" || !outcome.continue) throw new Refused(deniedByHook(call, outcome));
  if (outcome.updatedInput !== undefined) input = await replaceInput(call, tool, outcome.updatedInput, host);
  const { permission, permissionReason: reason } = outcome;
  const says = permission === "allow" || permission === "ask" ? { behavior: permission, reason } : undefined;
  return permittedInput(call, tool, input, { says, defer: permission === "defer" }, host);
}

function permittedInput(call: CallRun, tool: BaseTool, input: unknown, hook: HookVerdict, host: CallHost): unknown {
  if (call.over) return undefined;
  call.hookSays = hook.says;
  const decided = decide(call, tool, input, hook.says, host);
  if (isThenable(decided) || !isPlainYes(decided) || hook.defer || call.mustConfirm || call.earlier) {
    return afterDecision(call, tool, input, decided, hook.defer, host);
  }
  call.provisional = decided.provisional === true;
  return input;
}

async function afterDecision(
  call: CallRun,
  tool: BaseTool,
  gated: unknown,
  decided: PermissionDecision | Promise<PermissionDecision>,
  defer: boolean,
  host: CallHost,
): Promise<unknown> {
  const decision = await decided;
  if (call.over) return undefined;
  await refuseIfDenied(call, tool, decision, host);
  const denial = earlierDenial(call);
  if (denial) {
    tellAnswer(call, denial, host);
    await refuseAsAnswered(call, tool, denial, host);
  }
  const { behavior, updatedInput } = decision;
  const input = updatedInput === undefined ? gated : await replaceInput(call, tool, updatedInput, host);
  if (behavior === "allow" && !defer && !call.mustConfirm) {
    call.provisional = decision.provisional === true;
    return input;
  }
  return approvedInput(call, tool, input, decision, defer, host);
}

async function approvedInput(
  call: CallRun,
  tool: BaseTool,
  input: unknown,
  decision: PermissionDecision,
  defer: boolean,
  host: CallHost,
): Promise<unknown> {
  host.claim(call, input);
  const reason =
    call.mustConfirm ??
    decision.reason ??
    (defer ? "A hook deferred this call to the host." : `"${tool.name}" needs approval.`);
  const answer = await host.ask(call, {
    kind: "approval",
    reason,
    input: call.args,
    suggestions: decision.suggestions ?? [],
    ...(decision.rule && { rule: decision.rule.rule }),
    defer,
  });
  if (!answer || call.over) return undefined;
  tellAnswer(call, answer, host);
  if (!("decision" in answer) || answer.decision !== "allow") {
    await refuseAsAnswered(call, tool, answer, host);
    return undefined;
  }
  if (answer.updatedInput === undefined) return input;
  const updated = await replaceInput(call, tool, answer.updatedInput, host);
  // The answer stands for the ask only: a rule against the new input still counts.
  await refuseIfDenied(call, tool, await decide(call, tool, updated, undefined, host), host);
  return updated;
}

/** A human's no stands, also when the gate would allow the call by now. A question of the tool's own is the tool's to read. */
function earlierDenial(call: CallRun): Answer | undefined {
  if (!call.earlier || call.suspension) return undefined;
  return call.earlier.find(({ answer }) => answer && "decision" in answer && answer.decision === "deny")?.answer;
}

async function refuseAsAnswered(call: CallRun, tool: BaseTool, answer: Answer, host: CallHost): Promise<void> {
  const why = "decision" in answer && answer.reason ? `: ${answer.reason}` : ".";
  await refuse(call, `"${tool.name}" was denied by ${answer.by ?? "the host"}${why}`, host);
}

function tellAnswer(call: CallRun, answer: Answer, host: CallHost): void {
  const isYes = "decision" in answer && answer.decision === "allow";
  const reason = "decision" in answer ? answer.reason : undefined;
  const decision: PermissionDecision = { behavior: isYes ? "allow" : "deny", ...(reason !== undefined && { reason }) };
  host.onDecision(call, decision, answer.by ?? "host");
}

async function replaceInput(call: CallRun, tool: BaseTool, input: JsonValue, host: CallHost): Promise<unknown> {
  call.args = copyJson(input, true);
  return parse(call, tool, host);
}

/** Schema and value checks on the call's own copy of its arguments. */
function parse(call: CallRun, tool: BaseTool, host: CallHost): unknown {
  const own = copyJson(call.args);
  const parsed: unknown = tool.parse ? tool.parse(own) : own;
  return isThenable(parsed) || tool.validate ? validated(call, tool, parsed, host) : parsed;
}

/** What takes time to check is within the tool's timeout. */
async function validated(call: CallRun, tool: BaseTool, parsed: unknown, host: CallHost): Promise<unknown> {
  const checked = (async () => {
    const input: unknown = await parsed;
    await tool.validate?.(input, call.context);
    return input;
  })();
  const timeoutMs = host.timeoutMs(tool);
  const deadline = timeoutMs === null ? undefined : host.deadlines.add(timeoutMs, () => timeOut(call, timeoutMs, 0));
  try {
    return await checked;
  } finally {
    if (deadline) host.deadlines.remove(deadline);
  }
}

async function refuseIfDenied(
  call: CallRun,
  tool: BaseTool,
  decision: PermissionDecision,
  host: CallHost,
): Promise<void> {
  if (call.over || decision.behavior !== "deny") return;
  await refuse(call, decision.reason ?? `"${tool.name}" is not allowed here.`, host);
}

async function refuse(call: CallRun, reason: string, host: CallHost): Promise<void> {
  if (host.hasHook("PermissionDenied")) {
    await call.unlessOver(host.runHook(call, "PermissionDenied", { ...call.hookPayload, reason }));
  }
  throw new Refused(refusal(call.call, "denied", "PERMISSION_DENIED", reason));
}

function deniedByHook(call: CallRun, outcome: HookOutcome): ToolResult {
  const { permission, permissionReason, reason: why, stopReason } = outcome;
  const said = permission === "deny" ? (permissionReason ?? why) : stopReason;
  const reason = said ?? `A PreToolUse hook blocked "${call.call.name}".`;
  return refusal(call.call, "denied", "HOOK_DENIED", reason);
}

/** Whether the question of a suspended tool has its answer; the tool is then entered again. */
async function answered(call: CallRun, host: CallHost): Promise<boolean> {
  const { request, state } = call.suspension!;
  const { kind, reason, input = call.args } = request;
  const answer = await host.ask(call, { kind, reason, input, state, suggestions: [] });
  if (!answer || call.over) return false;
  if (kind === "approval") tellAnswer(call, answer, host);
  call.resumed = { answer, state };
  call.suspension = undefined;
  return true;
}
