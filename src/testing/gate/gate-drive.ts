import type { HookMap } from "../../contracts/hook.js";
import type { JsonObject } from "../../contracts/json.js";
import type { PermissionGate } from "../../contracts/permission.js";
import type { ProviderAdapter, ProviderEvent } from "../../contracts/provider.js";
import type { SessionEntry, SessionRecord } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import { AgentEngine } from "../../engine/engine.js";
import type { EngineOptions, RunOptions } from "../../engine/options/options.js";
import { toolCall } from "../../providers/scripted/index.js";

/** The means to drive a path. */
export interface PathDrive {
  readonly gate: PermissionGate;
  /** The tool under watch. */
  readonly tool: BaseTool;
  /** The input of the call at the end of the path. */
  readonly input: JsonObject;
  /** An input the gate allows, and one it asks about: for the paths that lead over another input. */
  readonly allowed: JsonObject;
  readonly asked: JsonObject;
  /** Hooks of the case, beside those the path itself needs. */
  readonly hooks: HookMap;
}

/** Drives one call along a path to its end. An approver that says yes to everything is there wherever one can be. */
export type GatePath = (drive: PathDrive) => Promise<void>;

export function call({ tool }: PathDrive, input: JsonObject) {
  return toolCall(tool.name, input);
}

export function engineFor(
  drive: PathDrive,
  provider: ProviderAdapter,
  options: Partial<EngineOptions> = {},
): AgentEngine {
  return new AgentEngine({
    provider,
    tools: [drive.tool],
    permissions: drive.gate,
    hooks: drive.hooks,
    approver: () => ({ decision: "allow" }),
    retry: { baseMs: 1, jitter: 0 },
    ...options,
  });
}

export async function run(
  drive: PathDrive,
  provider: ProviderAdapter,
  options?: Partial<EngineOptions>,
  runOptions?: RunOptions,
): Promise<void> {
  const engine = engineFor(drive, provider, options);
  const stream = engine.stream("Go.", runOptions);
  await stream.result;
  await stream.idle;
  await engine.close();
}

export const USAGE = { inputTokens: 1, outputTokens: 1 };

export async function* answer(): AsyncGenerator<ProviderEvent> {
  yield { type: "text-delta", text: "Done." };
  yield { type: "message-end", finishReason: "stop", usage: USAGE };
}

export function callEvent({ tool, input }: PathDrive): ProviderEvent {
  return { type: "tool-call-end", index: 0, call: { id: "call_1", name: tool.name, arguments: input } };
}

export function inTurns(...turns: readonly (() => AsyncIterable<ProviderEvent>)[]): ProviderAdapter {
  let turn = 0;
  return { id: "contract", model: "contract", stream: () => turns[Math.min(turn++, turns.length - 1)]!() };
}

/** The entries of a run of another process. */
export function recordedEntries(records: readonly SessionRecord[]): SessionEntry[] {
  return records.map((record, index): SessionEntry => {
    const parent = index === 0 ? null : `e${index - 1}`;
    return { v: 1, id: `e${index}`, parent, at: 1, runId: "old", turn: 1, ...record };
  });
}
