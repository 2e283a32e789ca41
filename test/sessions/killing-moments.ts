import { join } from "node:path";
import type { SessionStore } from "../../src/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";

/** A function that kills the process, as `kill -9` does, at its `killAt`-th call. */
export function killingMoment(killAt: number): () => void {
  let moments = 0;
  return () => {
    if (++moments === killAt) process.kill(process.pid, "SIGKILL");
  };
}

/** The sessions in `<dir>/sessions`, with a moment before and after each write. */
export function sessionsWithMoments(dir: string, moment: () => void): SessionStore {
  const files = createFileSessionStore({ dir: join(dir, "sessions"), durability: "process" });
  return {
    read: (id) => files.read(id),
    lock: (id) => files.lock(id),
    list: (filter) => files.list(filter),
    delete: (id) => files.delete(id),
    async append(id, entries) {
      moment();
      await files.append(id, entries);
      moment();
    },
  };
}
