// The words and figures of a trace. What comes from a model, a tool or a human is cleaned of secrets as in an audit trail, then
// cut.
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import { clip } from "../../text/cut.js";
import { shortened } from "../audit-content.js";

/** Unit: characters. */
const MAX_TEXT_CHARS = 200;
const MAX_NAME_CHARS = 64;

/** Texts from elsewhere, as a trace may show them. */
export class TraceText {
  constructor(private readonly redact: readonly RegExp[]) {}

  because(reason: string | undefined): string {
    return reason === undefined ? "" : `: ${this.text(reason)}`;
  }

  call(tool: string, id: string): string {
    return `${this.name(tool)} ${this.name(id)}`;
  }

  name(text: string): string {
    return clip(this.#clean(text, MAX_NAME_CHARS), MAX_NAME_CHARS);
  }

  text(text: string): string {
    return this.#clean(text, MAX_TEXT_CHARS);
  }

  /** A text field, which may be no string in a session written by another program. */
  #clean(text: unknown, maxChars: number): string {
    const whole = typeof text === "string" ? text : (JSON.stringify(text) ?? String(text));
    return String(shortened(whole, whole, maxChars, this.redact));
  }

  content(value: JsonValue | undefined): string {
    const short = shortened(value ?? null, JSON.stringify(value ?? null), MAX_TEXT_CHARS, this.redact);
    return typeof short === "string" ? short : JSON.stringify(short);
  }
}

export function contentText(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}, ${part.mediaType}]`)).join(" ");
}

export function contentSize(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return quantity(content.length, "character");
  const texts = content.filter((part) => part.type === "text");
  const others = content.length - texts.length;
  const chars = quantity(
    texts.reduce((sum, part) => sum + part.text.length, 0),
    "character",
  );
  return others === 0 ? chars : `${chars}, ${quantity(others, "picture or file", "pictures or files")}`;
}

export const number = (value: number): string => value.toLocaleString("en-US");

export const quantity = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

export const ms = (value: number): string => `${number(Math.round(value))} ms`;

export const money = (costUsd: number | null): string => (costUsd ? `, $${costUsd.toFixed(4)}` : "");

export function tokens({
  inputTokens,
  outputTokens,
}: {
  readonly inputTokens: number;
  readonly outputTokens: number;
}): string {
  return `${number(inputTokens)} tokens in, ${number(outputTokens)} out`;
}
