import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";

/** The home directories of this process's user, by their names and by their real paths. Empty for an account without one. */
export function homeDirectories(): string[] {
  const homes = new Set<string>();
  for (const find of [homedir, () => userInfo().homedir, () => realpathSync(homedir())]) {
    try {
      homes.add(find());
    } catch {
      // An account without a home, as in some containers, has nothing there to protect.
    }
  }
  return [...homes].filter((home) => home !== "");
}
