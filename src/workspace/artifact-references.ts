// Which sessions name which artifacts, on disk: one small file for each session, so that any process can end a session
// that another one began.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const SUFFIX = ".session";
const ENDINGS = [".txt", ".bin"];

export class ArtifactReferences {
  constructor(private readonly dir: string) {}

  /** Notes that a session names an artifact. */
  add(sessionId: string, path: string): void {
    appendFileSync(this.#fileOf(sessionId), `${basename(path)}\n`, { mode: 0o600 });
  }

  /** Where an artifact is that another process has put; `undefined` for one that does not exist. */
  find(id: string): string | undefined {
    if (!/^[\w-]+$/.test(id)) return undefined;
    return ENDINGS.map((ending) => join(this.dir, `${id}${ending}`)).find((path) => existsSync(path));
  }

  /** Removes what no other session names. */
  endSession(sessionId: string): void {
    const file = this.#fileOf(sessionId);
    const own = namesIn(file);
    rmSync(file, { force: true });
    if (own.size === 0) return;
    const others = readdirSync(this.dir).filter((name) => name.endsWith(SUFFIX));
    const named = new Set(others.flatMap((name) => [...namesIn(join(this.dir, name))]));
    for (const name of own) if (!named.has(name)) rmSync(join(this.dir, name), { force: true });
  }

  #fileOf(sessionId: string): string {
    return join(this.dir, `${createHash("sha256").update(sessionId).digest("hex")}${SUFFIX}`);
  }
}

function namesIn(file: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return new Set(); // A session without artifacts.
  }
  // A line that was cut off by a crash names nothing, and nothing outside the directory is ever named.
  return new Set(text.split("\n").filter((name) => /^[\w-]+\.(?:txt|bin)$/.test(name)));
}
