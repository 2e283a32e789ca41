import type { ByteReader, ResponseBody } from "../http/transport.js";

/** Longest refusal that is read. Unit: bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** The time limit for reading it once the status is known. Unit: milliseconds. */
const MAX_REFUSAL_MS = 1_000;

/**
 * The text of a refusal. It cannot fill the memory or hang: the first 64 KiB are read,
 * for a second at most, and the rest is closed. Never throws.
 */
export function readRefusal(response: ResponseBody): Promise<string> {
  return response.body ? readStart(response.body.getReader()) : wholeBody(response);
}

async function readStart(reader: ByteReader): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const close = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(close, MAX_REFUSAL_MS);
  try {
    for (let bytes = 0; bytes < MAX_REFUSAL_BYTES; ) {
      const { value, done } = await reader.read();
      if (done || !value) break;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status says what matters.
  } finally {
    clearTimeout(timer);
    close();
  }
  return text + decoder.decode();
}

/** Platforms without streams (React Native) have the text only. */
async function wholeBody(response: ResponseBody): Promise<string> {
  try {
    return ((await response.text?.()) ?? "").slice(0, MAX_REFUSAL_BYTES);
  } catch {
    return "";
  }
}
