// Serves: MiniMax (`base_resp`), OpenRouter (in the choice), vLLM (in place of a chunk).
import { isObject } from "../../../json/is-object.js";
import { isBareFailure } from "../../shared/failures/bare-failure.js";

/**
 * The error that a chunk reports, with the fields beside it; `undefined` when it reports none. Servers put it under `error`,
 * into the choice, or send it in place of a chunk.
 */
export function errorInChunk(chunk: unknown): unknown {
  if (!isObject(chunk)) return undefined;
  if (saysSomething(chunk.error)) return chunk;
  const { choices, usage, object, type, detail, base_resp } = chunk;
  if (isObject(base_resp) && Number(base_resp.status_code ?? 0) !== 0) {
    return { code: String(base_resp.status_code), message: base_resp.status_msg };
  }
  if (Array.isArray(choices)) {
    const [choice] = choices as unknown[];
    return isObject(choice) && saysSomething(choice.error) ? choice.error : undefined;
  }
  if (choices != null || usage != null) return undefined;
  const isError = object === "error" || type === "error" || detail !== undefined || isBareFailure(chunk);
  return isError ? chunk : undefined;
}

/** Some send the fields of an error with each chunk, empty. */
function saysSomething(error: unknown): boolean {
  return isObject(error) ? Object.values(error).some(Boolean) : Boolean(error);
}
