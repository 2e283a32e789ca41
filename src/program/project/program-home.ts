import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The directory in which the program keeps what is the user's, on this machine and in no project. */
export function programHome(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.LOOPWRIGHT_HOME || join(homedir(), ".loopwright"));
}
