import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "./inside.js";

/** Where people keep what their agents may use, below their home directory. */
const OWN = [".claude", ".agents", ".loopwright"];

/** Whether a directory is the user's own and not a project's: really inside one of the agents' directories of `home`. */
export async function isUsersOwn(dir: string, home: string | null): Promise<boolean> {
  if (home === null) return false;
  try {
    const [real, realHome] = [await realpath(dir), await realpath(home)];
    return OWN.some((own) => isInside(real, join(realHome, own)));
  } catch {
    return false;
  }
}
