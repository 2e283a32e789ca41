import { ConfigurationError } from "../contracts/errors.js";
import { clip } from "../text/cut.js";

/** Longest file name of a session before its suffix; locks append to it, and 255 bytes is what file systems take. */
const MAX_NAME_BYTES = 160;
const SUFFIX = ".jsonl";
/** Names Windows keeps for devices, with any suffix. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The file of a session: lower-case letters, digits, `-` and `_` represent themselves, everything else is written as
 * `%` and two, or `~` and four hexadecimal digits of its UTF-16 unit.
 *
 * So no id can name a path, and ids that differ in case or Unicode form alone have different files on every system.
 *
 * @throws ConfigurationError `OPTION_INVALID` for an id that is not a string, is empty, or too long for a file name
 */
export function fileNameOf(sessionId: string): string {
  if (typeof sessionId !== "string" || sessionId === "") throw invalidId(sessionId, "a non-empty string");
  const plain = sessionId.replace(/[^a-z0-9_-]/g, escapeUnit);
  const name = DEVICE.test(plain) ? escapeUnit(plain[0]!) + plain.slice(1) : plain;
  if (name.length > MAX_NAME_BYTES) {
    throw invalidId(
      sessionId,
      `an id whose file name has at most ${MAX_NAME_BYTES} bytes; this one has ${name.length}`,
    );
  }
  return name + SUFFIX;
}

/** The session of a file; `null` for a file that is not one. */
export function sessionIdOf(fileName: string): string | null {
  if (!fileName.endsWith(SUFFIX)) return null;
  const id = fileName
    .slice(0, -SUFFIX.length)
    .replace(/%([0-9a-f]{2})|~([0-9a-f]{4})/g, (_, short: string | undefined, long: string) =>
      String.fromCharCode(Number.parseInt(short ?? long, 16)),
    );
  return isNameOf(id, fileName) ? id : null;
}

function isNameOf(id: string, fileName: string): boolean {
  try {
    return fileNameOf(id) === fileName;
  } catch {
    return false;
  }
}

/** By UTF-16 unit, so that a lone surrogate has a name of its own. */
function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code < 256 ? `%${code.toString(16).padStart(2, "0")}` : `~${code.toString(16).padStart(4, "0")}`;
}

function invalidId(sessionId: unknown, expected: string): ConfigurationError {
  const shown = typeof sessionId === "string" ? clip(sessionId, 60) : sessionId;
  return new ConfigurationError("OPTION_INVALID", {
    message: `The file session store got the session id ${JSON.stringify(shown)}. Pass ${expected}.`,
  });
}
