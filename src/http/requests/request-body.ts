// The JSON of a request, read positively: no larger than allowed, an object, and without keys that could reach a prototype.
import { ConfigurationError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";

export type Body = { readonly [field: string]: JsonValue };

/** A web standard `Request`, or as much of one as is read. */
export interface PromptRequest {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers?: Pick<Headers, "get"> | undefined;
}

const MAX_DEPTH = 100;

/** An error that a server answers with the status 400. */
export function badRequest(message: string, field: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", { message, details: { option: field } });
}

/** The JSON object or array of a request. @throws ConfigurationError `OPTION_INVALID` */
export async function readRequestBody(request: PromptRequest, maxBytes: number): Promise<Body | readonly JsonValue[]> {
  const text = await readText(request, maxBytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("The body of the request is not JSON. Send one JSON object.", "body");
  }
  if (typeof value !== "object" || value === null)
    throw badRequest("The body of the request is not a JSON object. Send one.", "body");
  checkKeys(value);
  return value as Body | readonly JsonValue[];
}

async function readText(request: PromptRequest, maxBytes: number): Promise<string> {
  if (typeof request !== "object" || request === null || !("body" in request))
    throw badRequest("There is no request to read. Pass the Request your server got.", "request");
  const tooLarge = () =>
    badRequest(`The body of the request is larger than ${maxBytes} bytes. Send less, or raise maxBytes.`, "body");
  if (Number(request.headers?.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) throw badRequest("The request has no body. Send one JSON object.", "body");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  const reader = bodyReader(request.body);
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.byteLength;
      if (size > maxBytes) throw tooLarge();
      text += decode(decoder, step.value);
    }
    return text + decode(decoder);
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  }
}

function bodyReader(body: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  if (body.locked) throw badRequest("The body of the request was read before. Read it once.", "body");
  return body.getReader();
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw badRequest("The body of the request is not UTF-8.", "body");
  }
}

/** Walks without recursion: a client decides how deep the value is. */
function checkKeys(root: object): void {
  const open: { readonly value: object; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > MAX_DEPTH)
      throw badRequest(`The body of the request is nested more than ${MAX_DEPTH} levels deep.`, "body");
    for (const [key, value] of Object.entries(next.value)) {
      if (key === "__proto__") throw badRequest('The body of the request has a key "__proto__". Leave it out.', "body");
      if (typeof value === "object" && value !== null) open.push({ value, depth: next.depth + 1 });
    }
  }
}
