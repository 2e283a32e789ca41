import { type Fields, isObject } from "../../../json/is-object.js";
import { joinedBytes } from "../../../text/joined-bytes.js";

/** The length of a list from which on its entries are written one by one. */
const MANY = 32;
/** The text that is encoded at once. Unit: characters. */
const PIECE = 32_768;

const encoder = new TextEncoder();

/**
 * A body as JSON: text, or the bytes of a long one. A whole conversation as one string is garbage that only a full collection
 * frees, with twice the size where a single character is beyond Latin-1: so the entries of its lists are encoded a few at a time.
 */
export function jsonBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (!isObject(body) || !Object.values(body).some(isLong)) return JSON.stringify(body);
  const done: Uint8Array[] = [];
  let text = "";
  for (const piece of piecesOf(body)) {
    text += piece;
    if (text.length < PIECE) continue;
    done.push(encoder.encode(text));
    text = "";
  }
  return done.length === 0 ? text : joinedBytes([...done, encoder.encode(text)]);
}

/** The output of `JSON.stringify`, in pieces. */
function* piecesOf(body: Fields): Iterable<string> {
  let mark = "{";
  for (const [name, value] of Object.entries(body)) {
    const first = isLong(value) ? "" : JSON.stringify(value);
    if (first === undefined) continue;
    yield `${mark}${JSON.stringify(name)}:${first}`;
    mark = ",";
    if (!isLong(value)) continue;
    let before = "[";
    for (const entry of value) {
      yield before + (JSON.stringify(entry) ?? "null");
      before = ",";
    }
    yield "]";
  }
  yield "}";
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= MANY;
}
