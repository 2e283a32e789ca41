import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import type { ArtifactStore } from "../contracts/workspace.js";
import { isInside } from "../paths/inside.js";
import type { PathSandbox } from "./paths/path-sandbox.js";

/** The directories for temporary files that sessions have used. The artifact store names them, and removes them with its sessions. */
export class TemporaryDirectories {
  readonly #used = new Map<string, string>();

  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly sandbox: PathSandbox,
  ) {
    const holds = (path: string) => [...this.#used.values()].some((directory) => isInside(path, directory));
    for (const access of ["read", "write"] as const) sandbox.rules.allowOutside("temporary directories", access, holds);
  }

  /** The directory of a session; made again if a command has removed it, or put a link or a file in its place. */
  of(sessionId: string): string {
    const directory = this.artifacts.directoryOf!(sessionId);
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!this.#used.has(sessionId)) {
      // A command of an earlier run may have opened it to others.
      chmodSync(directory, 0o700);
      this.#used.set(sessionId, directory);
      this.sandbox.addDirectories(sessionId, [directory]);
    }
    return directory;
  }

  has(directory: string): boolean {
    return [...this.#used.values()].includes(directory);
  }

  endSession(sessionId?: string): void {
    if (sessionId === undefined) this.#used.clear();
    else this.#used.delete(sessionId);
  }
}
