import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_DIRECTORIES } from "./agent-directories.js";
import { isInside } from "./inside.js";

/** Whether a directory is the user's own and not a project's: really inside one of the agents' directories of `home`. */
export async function isUsersOwn(dir: string, home: string | null): Promise<boolean> {
  if (home === null) return false;
  try {
    const [real, realHome] = [await realpath(dir), await realpath(home)];
    return AGENT_DIRECTORIES.some((own) => isInside(real, join(realHome, own)));
  } catch {
    return false;
  }
}
