// One process that works at the session "s": `node approval-program.mjs <json>`. It asks, or answers and goes on.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentEngine, type Answer, type EventType, isHarnessError, type RunResult } from "../../../../src/index.js";
import { scripted, text, toolCall } from "../../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../../src/sessions/index.js";
import { tool } from "../../kit.js";

export interface Work {
  readonly dir: string;
  /** Where each call that is executed writes its number. */
  readonly log: string;
  readonly calls: number;
  /** Absent: a new run. */
  readonly answers?: readonly Answer[];
  /** The event, counted from 0, at which this process is killed. */
  readonly killAt?: number;
  /** What this process's rule and tool are: an answer to what another one asked is void. */
  readonly variant?: number;
  /** Answers count only when signed with it. */
  readonly key?: string;
}

const { dir, log, calls, answers, killAt = Infinity, variant = 0, key }: Work = JSON.parse(process.argv[2]!);
const turn = ({ lastToolResults }: { lastToolResults: readonly unknown[] }) =>
  lastToolResults.length > 0 ? text("done") : Array.from({ length: calls }, (_, n) => toolCall("act", { n }));
const engine = new AgentEngine({
  provider: scripted([turn, turn]),
  sessions: createFileSessionStore({ dir, durability: "process" }),
  permissions: { decide: () => ({ behavior: "ask", reason: `Sure? ${variant}` }) },
  ...(key !== undefined && { approvals: { key } }),
  tools: [
    tool(
      "act",
      async ({ n }: { n: number }) => {
        appendFileSync(log, `${n} ${variant}\n`);
        return "acted";
      },
      { definition: () => ({ name: "act", description: `Version ${variant}.`, inputSchema: { type: "object" } }) },
    ),
  ],
});

let events = 0;
const EVENTS: readonly EventType[] = [
  "run-start",
  "model-call-start",
  "model-call-end",
  "tool-call-start",
  "permission-decision",
  "approval-requested",
  "tool-call-end",
  "turn-end",
  "run-end",
];
for (const type of EVENTS) {
  engine.on(type, () => {
    if (events++ === killAt) process.kill(process.pid, "SIGKILL");
  });
}

/** Whoever else has the session lets go of it soon. */
async function whenFree(): Promise<RunResult> {
  try {
    return await (answers ? engine.resume("s", { answers }).result : engine.run("go", { sessionId: "s" }));
  } catch (error) {
    if (!isHarnessError(error, "SESSION_BUSY")) throw error;
    await sleep(2);
    return whenFree();
  }
}

console.log((await whenFree()).status);
