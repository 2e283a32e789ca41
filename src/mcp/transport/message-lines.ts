// Bytes of a server in, messages out: one JSON value a line. What is not one is counted and kept out of the way.
// A line costs its length once, however small the pieces it arrives in.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../json/is-object.js";
import { NOT_ANSWERED } from "../client/mcp-errors.js";

/** A longer message ends the connection. Unit: bytes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** The quoted part of the first line that was not a message. Unit: characters. */
const MAX_SAMPLE_CHARS = 200;
const NEWLINE = 10;

/** Splits what a server prints into messages. */
export class MessageLines {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  /** The number of lines that were not messages. */
  strayLines = 0;
  /** The beginning of the first of them. */
  sample = "";

  /** The messages that are complete with this chunk. @throws Error for a message that is too long */
  push(chunk: Buffer): JSONRPCMessage[] {
    const messages: JSONRPCMessage[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine(messages);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return messages;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > MAX_MESSAGE_BYTES) {
      throw new Error(`it sent more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB without a line break`);
    }
    this.#pieces.push(piece);
  }

  #finishLine(messages: JSONRPCMessage[]): void {
    const line = Buffer.concat(this.#pieces.splice(0))
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .trim();
    this.#bytes = 0;
    if (line === "") return;
    const found = readMessages(line);
    if (found.length > 0) messages.push(...found);
    else this.#stray(line);
  }

  #stray(line: string): void {
    this.strayLines++;
    if (this.sample === "") this.sample = line.slice(0, MAX_SAMPLE_CHARS);
  }
}

function readMessages(line: string): JSONRPCMessage[] {
  if (!line.startsWith("{") && !line.startsWith("[")) return [];
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).flatMap((each) => readMessage(each) ?? []);
  } catch {
    return [];
  }
}

/**
 * A response that breaks the protocol becomes an error response: the caller that waits for it learns at once what is wrong,
 * instead of waiting until the time is up.
 */
function readMessage(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const message = value as { readonly [field: string]: unknown };
  if (typeof message.method === "string") return { ...message, jsonrpc: "2.0" } as JSONRPCMessage;
  const { id } = message;
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  if (!("result" in message) && !("error" in message)) return undefined;
  if (isObject(message.result) && message.error === undefined) {
    return { jsonrpc: "2.0", id, result: message.result } as JSONRPCMessage;
  }
  return { jsonrpc: "2.0", id, error: readError(message.error) };
}

function readError(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = isObject(error) ? error : {};
  const isWhole = Number.isSafeInteger(code) && typeof message === "string";
  if (isWhole) return { code: code as number, message: message as string, ...(data !== undefined && { data }) };
  if (typeof message === "string") return { code: -32603, message };
  return { code: -32603, message: "its response is neither a result nor an error", data: NOT_ANSWERED };
}
