// The form in which a trail writes content of the model or the world: as a digest, or cleaned of secrets.
import { createHmac } from "node:crypto";
import type { JsonValue } from "../contracts/json.js";
import { sha256 } from "../files/sha256.js";
import { clip } from "../text/cut.js";
import { redact } from "./redact.js";
import { redactJson } from "./redact-json.js";

/** The longest text of a record. Unit: characters. */
const MAX_TEXT_CHARS = 2_000;
/** Longer than what a token can be and not yet look like one. */
const EDGE_CHARS = 64;
const MAX_REMEMBERED = 256;
const MAX_REMEMBERED_CHARS = 512;

/** The writer of content as JSON. */
export interface ContentWriter {
  /** The fields that represent a content under this name: its digest and length, and the content itself without secrets where it is wanted. */
  describe(name: string, content: JsonValue | undefined): string;
  /** A short text of the engine's, rules' or host's, without secrets. */
  clean(text: string): string;
}

interface ContentOptions {
  readonly content: "digest" | "redacted";
  readonly maxContentChars: number;
  readonly key?: string | undefined;
  readonly redact: readonly RegExp[];
}

/** `clean` and `describe` of a trail with these options. */
export function contentWriter({ content, maxContentChars, key, redact: more }: ContentOptions): ContentWriter {
  // Content is the model's or the world's. Under a key it is distinguished from lines, so that no digest of it signs a line.
  const digest = remembered((text) => {
    return key === undefined ? sha256(text) : createHmac("sha256", key).update("content\n").update(text).digest("hex");
  });
  const cleaned = remembered((text) => {
    return JSON.stringify(clip(redact(text.slice(0, 4 * MAX_TEXT_CHARS), more), MAX_TEXT_CHARS));
  });
  return {
    clean: (text) => cleaned(asText(text)),
    describe(name, value = null) {
      const json = typeof value === "string" ? value : JSON.stringify(value);
      const about = `,"${name}Digest":"${digest(json)}","${name}Chars":${json.length}`;
      if (content === "digest") return about;
      return `${about},"${name}":${JSON.stringify(shortened(value, json, maxContentChars, more))}`;
    },
  };
}

/** The same names, reasons and inputs come again and again: what was made of the newest ones is kept. */
function remembered(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > MAX_REMEMBERED_CHARS) return make(text);
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(text, made);
    }
    return made;
  };
}

/** A text field, which may be no string in a session written by another program: no record is lost because of it. */
function asText(text: unknown): string {
  return typeof text === "string" ? text : (JSON.stringify(text) ?? String(text));
}

/**
 * Content that is too long is cut as text; what is cut is cleaned first, so that no half of a secret stays. Cleaning makes
 * text shorter: its end, where the raw text was cut, may be half a secret and goes.
 */
export function shortened(value: JsonValue, json: string, maxChars: number, more: readonly RegExp[]): JsonValue {
  if (json.length <= maxChars) return redactJson(value, more);
  const window = 2 * maxChars + EDGE_CHARS;
  const clean = redact(json.slice(0, window), more);
  return clip(json.length > window ? `${clean.slice(0, -EDGE_CHARS)}…` : clean, maxChars);
}
