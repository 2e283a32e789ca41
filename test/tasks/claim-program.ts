// Works off a directory of tasks: `node claim-program.mjs <dir> <owner> <leaseMs> <hold>`. Prints "claimed <id>" and, once
// the store has taken the result, "done <id>"; a result that came too late is "late <id>". With hold, "yes", it keeps the
// first task it gets until it is killed. Ends when no task is open.
import { setTimeout as sleep } from "node:timers/promises";
import { isHarnessError } from "../../src/contracts/errors.js";
import { createFileTaskStore } from "../../src/tasks/index.js";

const [dir, owner, leaseMs, hold] = process.argv.slice(2) as [string, string, string, string];
const store = createFileTaskStore({ dir });

console.log("ready");
for (;;) {
  const task = await store.claim({ owner, leaseMs: Number(leaseMs) });
  if (!task) {
    const open = await store.list({ status: ["pending", "in_progress"] });
    if (open.length === 0) break;
    await sleep(5);
    continue;
  }
  console.log(`claimed ${task.id}`);
  if (hold === "yes") await sleep(600_000);
  try {
    await store.update(task.id, { status: "completed", result: owner }, { ifVersion: task.version });
    console.log(`done ${task.id}`);
  } catch (error) {
    if (!isHarnessError(error, "TASK_CONFLICT")) throw error;
    console.log(`late ${task.id}`);
  }
}
