import type { PathAccess } from "../../contracts/workspace.js";
import { claim, claimSame, within } from "../contract-case.js";
import type { WorkspaceCheck } from "./workspace-case.js";

const SETTLE_MS = 5_000;

/** The waits between calls. */
export const lockCases: Record<string, WorkspaceCheck> = {
  "readers share a file, a writer is alone, and they take turns as they came": async (_workspace, files) => {
    const log: string[] = [];
    const release = pending();
    const use = (name: string, access: PathAccess, until?: Promise<void>) =>
      files.withLock("a", access, async () => {
        log.push(`${name} begins`);
        await until;
        log.push(`${name} ends`);
      });

    const first = [use("reader 1", "read", release.promise), use("reader 2", "read", release.promise)];
    const writer = use("writer", "write");
    const late = use("late reader", "read");
    await files.withLock("b", "write", async () => {});
    claimSame(log, ["reader 1 begins", "reader 2 begins"], "what began while the readers were at work");
    release.resolve();
    await within(SETTLE_MS, Promise.all([...first, writer, late]), "four uses of one file");

    claimSame(log.slice(4), ["writer begins", "writer ends", "late reader begins", "late reader ends"], "the order");
  },

  "a lock is let go when its work fails, and passes on what the work answers": async (_workspace, files) => {
    const failed = await files.withLock("a", "write", () => Promise.reject(new Error("no"))).catch(String);

    claimSame(failed, "Error: no", "the failure");
    claimSame(
      await within(
        SETTLE_MS,
        files.withLock("a", "write", async () => 42),
        "the next lock",
      ),
      42,
      "the answer",
    );
  },

  "different spellings of one path are one lock": async (_workspace, files) => {
    let isHeld = false;
    const use = () => {
      claim(!isHeld, "two writers were at work on one file.");
      isHeld = true;
      return new Promise<void>((done) =>
        setTimeout(() => {
          isHeld = false;
          done();
        }),
      );
    };
    const absolute = await files.resolve("a", "write");

    await Promise.all(["a", "./a", "x/../a", absolute].map((path) => files.withLock(path, "write", use)));
  },
};

function pending(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
