import { ConfigurationError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { AssistantMediaPart } from "../../contracts/message.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { ScriptedContent, ScriptedPiece, ScriptedToolCall, ScriptedTurn, TurnSettings } from "./scripted-turn.js";

/** A piece of the message a script plays. */
export type ScriptPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: JsonValue }
  | AssistantMediaPart
  | {
      readonly type: "tool-call";
      readonly id: string | undefined;
      readonly name: string;
      readonly arguments: JsonValue;
      readonly malformed: string | undefined;
      /** The text that is streamed as the arguments. */
      readonly json: string;
    };

/** A turn in the one form that is played: parts in order, or events word for word. */
export interface Script {
  readonly parts: readonly ScriptPart[];
  readonly events: readonly ProviderEvent[] | undefined;
  readonly settings: TurnSettings;
  readonly voided: readonly ScriptPart[] | undefined;
}

/** The longest wait a timer can keep; a longer one would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** Brings a turn into the form that is played. @throws ConfigurationError `OPTION_INVALID` naming the turn */
export function toScript(content: ScriptedContent | Error, turnNumber: number): Script {
  if (content instanceof Error)
    return { parts: [], events: undefined, settings: { error: content }, voided: undefined };

  const pieces: readonly ScriptedPiece[] = isArray(content) ? content : [content];
  const parts = pieces.flatMap((piece) => partsOf(piece, turnNumber));
  const settings: ScriptedTurn = Object.assign({}, ...pieces.filter(isTurn));
  checkSettings(settings, turnNumber);
  if (settings.events !== undefined && parts.length > 0) {
    throw invalid(turnNumber, `has both "events" and content. Pass one of them`);
  }
  return {
    parts,
    events: settings.events,
    settings,
    voided: settings.restartAfter === undefined ? undefined : toScript(settings.restartAfter, turnNumber).parts,
  };
}

function partsOf(piece: ScriptedPiece, turnNumber: number): ScriptPart[] {
  if (typeof piece === "string") return [{ type: "text", text: piece }];
  if (typeof piece !== "object" || piece === null) {
    throw invalid(turnNumber, `holds ${piece === null ? "null" : `a ${typeof piece}`}. ${EXPECTED}`);
  }
  if ("type" in piece && (piece.type === "reasoning" || piece.type === "image" || piece.type === "file"))
    return [piece];
  if ("name" in piece) return [toCall(piece, turnNumber)];

  const turn = piece as ScriptedTurn;
  const unknown = Object.keys(turn).find((key) => !TURN_KEYS.has(key));
  if (unknown !== undefined) throw invalid(turnNumber, `has an unknown field "${unknown}". ${EXPECTED}`);
  const parts: ScriptPart[] = [];
  if (turn.reasoning !== undefined) parts.push({ type: "reasoning", text: turn.reasoning });
  if (turn.text !== undefined) parts.push({ type: "text", text: turn.text });
  for (const call of turn.toolCalls ?? []) parts.push(toCall(call, turnNumber));
  return parts;
}

function toCall(call: ScriptedToolCall, turnNumber: number): ScriptPart {
  const { id, name, arguments: args = {}, malformed } = call;
  if (typeof name !== "string") throw invalid(turnNumber, `has a tool call without a name. Use toolCall(name, args)`);
  const json = malformed ?? toJson(args);
  if (json === undefined) throw invalid(turnNumber, `calls "${name}" with arguments that are not JSON`);
  return { type: "tool-call", id, name, arguments: args, malformed, json };
}

/** `undefined` for what JSON cannot hold: functions, big integers, cycles. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const EXPECTED = `Expected a string, text(…), toolCall(…), an image, a file, { text, toolCalls, … }, an array of these, an Error or a function`;

/** The least each numeric setting may be. */
const LEAST = { chunkSize: 1, argumentChunkSize: 1, errorAfterChunks: 0, delayMs: 0, chunkDelayMs: 0 } as const;

const TURN_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys(LEAST),
  ...["type", "reasoning", "text", "toolCalls", "events", "finishReason", "usage", "error", "restartAfter"],
]);

function checkSettings(settings: TurnSettings, turnNumber: number): void {
  for (const name of Object.keys(LEAST) as (keyof typeof LEAST)[]) {
    const value = settings[name];
    if (value === undefined) continue;
    const isWhole = Number.isInteger(value) || name.endsWith("Ms");
    if (isWhole && value >= LEAST[name] && value <= MAX_DELAY_MS) continue;
    throw invalid(turnNumber, `has ${name}: ${value}. Expected a number from ${LEAST[name]} to ${MAX_DELAY_MS}`);
  }
}

function isArray(content: ScriptedContent): content is readonly ScriptedPiece[] {
  return Array.isArray(content);
}

/** Only turns carry settings; a call's own fields are not. */
function isTurn(piece: ScriptedPiece): boolean {
  if (typeof piece !== "object" || "name" in piece) return false;
  return !("type" in piece) || piece.type === "text";
}

function invalid(turnNumber: number, problem: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Turn ${turnNumber} of the scripted provider ${problem}.`,
  });
}
