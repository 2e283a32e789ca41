// Sessions of other programs, recognised by how their files begin.
import { fieldsOf, isObject } from "../../json/is-object.js";
import { parseJson } from "../../json/parse-json.js";
import { isClaudeCode, readClaudeCode } from "./claude-code.js";
import { isCodex, readCodex } from "./codex.js";
import type { ForeignPast } from "./foreign-past.js";
import { isOpencode, readOpencode } from "./opencode.js";
import { isPi, readPi } from "./pi.js";

/** Lines that may come before one that says whose file it is. */
const LOOKED_AT = 50;
/** Lines that begin further on are not looked at. Unit: characters. */
const MAX_LOOKED_AT_CHARS = 1_000_000;

/** The session of another program; `null` for a text that is not one. Never throws. */
export function readForeign(text: string): ForeignPast | null {
  // The first prompt may have a picture.
  const end = text.indexOf("\n", MAX_LOOKED_AT_CHARS);
  const begin = (end < 0 ? text : text.slice(0, end)).replace(/^\ufeff/, "");
  const first = begin
    .split(/\r?\n/, LOOKED_AT)
    .map((line) => parseJson(line.trim()))
    .filter(isObject);
  if (first[0] && isCodex(first[0])) return readCodex(text);
  if (first[0] && isPi(first[0])) return readPi(text);
  if (first.some(isClaudeCode)) return readClaudeCode(text);
  if (!begin.trimStart().startsWith("{")) return null;
  const whole = fieldsOf(parseJson(text.replace(/^\ufeff/, "")));
  return isOpencode(whole) ? readOpencode(whole) : null;
}
