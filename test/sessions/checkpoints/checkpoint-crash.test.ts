// Rewinds of a process that is ended by kill -9 at any moment.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { runs } from "../../runs.js";
import { openAgent, place, SESSION, treeOf } from "../checkpoint-kit.js";
import { bundled, startChild } from "../kit.js";

/** Some kills are at each of so many changes of a file, in the middle of one rewind or between two; as many come by a timer. */
const KILLS = runs(4, 8, 500);
const CHANGES = 80;
/** One that is in the middle of the first rewind. */
const MIDDLE = 12;
const TIMEOUT_MS = process.env.PROVE ? 3_600_000 : 60_000;
/** From the opening to the kill. A rewind takes about half as long. */
const MAX_DELAY_MS = 60;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./checkpoint-program.ts", import.meta.url));
});

test(
  "a rewind ended by kill -9 leaves old or new once it is opened again, never a mixture, and no other file",
  async () => {
    const { base, root, dir } = place();
    const sessions = createFileSessionStore({ dir: join(base, "sessions"), durability: "process" });
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "mine"), "uncommitted");
    for (let i = 0; i < 5; i++) writeFileSync(join(root, `sub/${i}`), `old ${i} `.repeat(2_000));
    const past = treeOf(root);
    const agent = await openAgent({ root, dir, sessions });
    const start = await agent.mark();
    for (let i = 0; i < 5; i++) {
      await agent.call("read", { path: `sub/${i}` });
      await agent.call("write", { path: `sub/${i}`, content: `new ${i} `.repeat(2_000) });
      await agent.call("write", { path: `made/${i}/file`, content: "made" });
    }
    const present = treeOf(root);
    await agent.close();
    let cutOff = 0;

    for (let kill = 0; kill < KILLS; kill++) {
      const isTimed = kill % 2 === 1;
      const killAt = kill === 0 ? MIDDLE : 1 + Math.floor(Math.random() * CHANGES);
      const child = startChild(program, [base, start, isTimed ? "0" : String(killAt)]);
      await child.line();
      if (isTimed) {
        await sleep(Math.random() * MAX_DELAY_MS);
        await child.kill();
      }
      await child.ended;
      if (existsSync(join(dir, "rewinding", `${SESSION}.jsonl`))) cutOff++;
      const again = await openAgent({ root, dir, sessions });
      const left = treeOf(root);

      expect([past, present]).toContainEqual(left);
      // The next rewind has something to do again.
      if (left["made/0/file"] === undefined) await again.rewinder.undoRewind(SESSION);
      expect(treeOf(root)).toEqual(present);
      await again.close();
    }
    expect(cutOff).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
