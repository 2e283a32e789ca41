import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../../contracts/errors.js";
import { quoteName } from "../../text/quote-name.js";

/** What the runtime takes for a pattern. */
const SIGNS = /[*?[\]]/;

/** Paths as the runtime takes them for what they are: it has no way to write one with the signs of a pattern in its name. */
export class LiteralPaths {
  readonly #made = new Map<string, string>();

  /** @param directory holds a link for each odd path. The runtime goes by where it leads, and commands cannot change it. */
  constructor(readonly directory: string) {}

  /** A path to keep commands from. */
  denied(path: string): string {
    if (!SIGNS.test(path)) return path;
    // Seatbelt goes by names: a few more that differ in these signs alone are walled off, too.
    if (process.platform !== "linux") return path.replace(new RegExp(SIGNS, "g"), "?");
    const link = this.#made.get(path) ?? join(this.directory, String(this.#made.size));
    if (!this.#made.has(path)) symlinkSync(path, link);
    this.#made.set(path, link);
    return link;
  }

  /** @throws ConfigurationError `OPTION_INVALID` for a path with such a sign, which would not be opened, or another would be */
  allowed(path: string): string {
    if (!SIGNS.test(path)) return path;
    throw new ConfigurationError("OPTION_INVALID", {
      message: `The command was not run: the sandbox takes "*", "?", "[" and "]" for a pattern, so it cannot make ${quoteName(path)} writable. Use a directory without them in its path.`,
    });
  }
}
