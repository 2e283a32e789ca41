import { isRecord } from "../../shared/is-record.js";

/**
 * What a chunk says has gone wrong; `undefined` when it does not. Servers put it under `error`, into the choice, or send
 * it in place of a chunk.
 */
export function errorInChunk(chunk: unknown): unknown {
  if (!isRecord(chunk)) return undefined;
  if (chunk.error) return chunk.error;
  const { choices, usage, object, type, detail, message, code, __type } = chunk;
  if (Array.isArray(choices)) return (isRecord(choices[0]) && choices[0].error) || undefined;
  if (choices !== undefined || usage !== undefined) return undefined;
  const isNamed = code !== undefined || __type !== undefined;
  const isError =
    object === "error" || type === "error" || detail !== undefined || (typeof message === "string" && isNamed);
  return isError ? chunk : undefined;
}
