import { isBareFailure } from "../../shared/failures/bare-failure.js";
import { isRecord } from "../../shared/is-record.js";

/**
 * What a chunk says has gone wrong; `undefined` when it does not. Servers put it under `error`, into the choice, or send
 * it in place of a chunk.
 */
export function errorInChunk(chunk: unknown): unknown {
  if (!isRecord(chunk)) return undefined;
  if (chunk.error) return chunk.error;
  const { choices, usage, object, type, detail, base_resp } = chunk;
  if (isRecord(base_resp) && Number(base_resp.status_code ?? 0) !== 0) {
    return { code: String(base_resp.status_code), message: base_resp.status_msg }; // MiniMax
  }
  if (Array.isArray(choices)) return (isRecord(choices[0]) && choices[0].error) || undefined;
  if (choices != null || usage != null) return undefined;
  const isError = object === "error" || type === "error" || detail !== undefined || isBareFailure(chunk);
  return isError ? chunk : undefined;
}
