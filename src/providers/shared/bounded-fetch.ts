/** Longest text of a refusal that is read. Unit: bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** How long that text may take once the status is known. Unit: milliseconds. */
const MAX_REFUSAL_MS = 1_000;

/** What the SDKs take as their `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` whose refusals cannot fill the memory or hang: they are read up to 64 KiB, for a second. What breaks off keeps
 * its status. A refusal in JSON without an `error` field is put into one, where the SDKs look for it.
 */
export const boundedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.ok || !response.body) return response;
  return new Response(asRefusal(await readStart(response.body)), withoutEncoding(response));
};

async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const close = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(close, MAX_REFUSAL_MS);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < MAX_REFUSAL_BYTES; ) {
      const { value, done } = await reader.read();
      if (done) break;
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

function asRefusal(text: string): string {
  try {
    const said: unknown = JSON.parse(text);
    const hasError = typeof said === "object" && said !== null && "error" in said && said.error;
    return hasError ? text : JSON.stringify({ error: said });
  } catch {
    return text;
  }
}

/** What was compressed is plain by now. */
function withoutEncoding({ status, statusText, headers }: Response): ResponseInit {
  const kept = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) kept.delete(name);
  return { status, statusText, headers: kept };
}
