// The names that the user has given to sessions, one `["id", "name"]` a line. The last line about a session counts.
import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface SessionNames {
  /** By the id of the session. */
  read(): Promise<ReadonlyMap<string, string>>;
  /** The present title of one session. */
  titleOf(sessionId: string): string | undefined;
  /** An empty name takes the name away. */
  rename(sessionId: string, name: string): Promise<void>;
}

/** Names in a file that its owner alone can read. Lines that are no names are passed over. */
export function sessionNames(file: string): SessionNames {
  return {
    read: async () => namesIn(await readFile(file, "utf8").catch(() => "")),
    titleOf: (sessionId) => (existsSync(file) ? namesIn(readFileSync(file, "utf8")).get(sessionId) : undefined),
    async rename(sessionId, name) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${JSON.stringify([sessionId, name])}\n`, { mode: 0o600 });
    },
  };
}

function namesIn(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [id, name] of text.split("\n").flatMap(namedIn)) {
    if (name === "") names.delete(id);
    else names.set(id, name);
  }
  return names;
}

function namedIn(line: string): (readonly [id: string, name: string])[] {
  try {
    const [id, name]: readonly unknown[] = JSON.parse(line);
    return typeof id === "string" && typeof name === "string" ? [[id, name]] : [];
  } catch {
    return [];
  }
}
