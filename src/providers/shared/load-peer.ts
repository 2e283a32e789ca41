import { ConfigurationError } from "../../contracts/errors.js";

const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

/**
 * Loads an optional peer package when it is first needed.
 *
 * @throws ConfigurationError `PEER_MISSING` that says what to install, and why
 */
export async function loadPeer<T>(
  { name, range, neededBy }: { readonly name: string; readonly range: string; readonly neededBy: string },
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new ConfigurationError("PEER_MISSING", {
      message: `${neededBy} needs the package "${name}", which is not installed. Run: npm install "${name}@${range}".`,
      details: { package: name, range },
      cause,
    });
  }
}

/** Only the peer itself counts: a package that the peer cannot find is another failure. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = String(message);
  const isNotFound = NOT_FOUND.has(String(code)) || /cannot find (module|package)|failed to resolve/i.test(text);
  return isNotFound && [`'${name}'`, `"${name}"`].some((quoted) => text.includes(quoted));
}
