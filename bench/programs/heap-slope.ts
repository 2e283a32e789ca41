// How the heap grows with the turns of one long run: `node --expose-gc heap-slope.mjs <contender> <turns>`, in bytes a turn.
// A tenth of the turns has a fault: a tool that fails, a call of the model that does. The session goes to a file, so all
// that has to grow is the transcript; `floor` is an array of just these messages.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type BaseTool, type ProviderAdapter, ProviderError, type ProviderEvent } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { createFileSessionStore } from "loopwright/sessions";
import { mustComplete } from "../ours.js";

const TURNS = Number(process.argv[3]);
/** The heap is looked at this often. What is warmed up and allocated once comes before the first look that counts. */
const LOOKS = 10;
const SKIPPED = 2;
const WINDOW = 32_000;
const isFaulty = (turn: number) => turn % 10 === 3;

const heaps: { readonly turn: number; readonly bytes: number }[] = [];
function look(turn: number): void {
  globalThis.gc!();
  globalThis.gc!();
  heaps.push({ turn, bytes: process.memoryUsage().heapUsed });
}

/** Flat strings of one byte a character, each different. */
const outputOf = (turn: number) => Buffer.alloc(600, `line ${turn} of the list, nothing unusual\n`).toString("latin1");
const callOf = (turn: number) => ({
  id: `call_${turn}`,
  name: turn % 20 === 7 ? "broken" : "work",
  arguments: { turn },
});

function model(): ProviderAdapter {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    contextWindow: WINDOW,
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      if (isFaulty(turn) && turn % 20 === 3) {
        turn += 0.5; // The next try is not a fault.
        throw new ProviderError("OVERLOADED", { message: "busy", retryable: true });
      }
      turn = Math.floor(turn);
      if (turn % (TURNS / LOOKS) === 0) look(turn);
      yield { type: "message-start" };
      if (turn < TURNS) yield { type: "tool-call-end", index: 0, call: callOf(turn) };
      else yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
}

function tool(name: string, execute: BaseTool["execute"]): BaseTool {
  const definition = { name, description: name, inputSchema: { type: "object" } };
  return { name, permission: "none", definition: () => definition, execute };
}

async function ours(): Promise<unknown> {
  const dir = await mkdtemp(join(tmpdir(), "loopwright-bench-heap-"));
  try {
    const engine = new AgentEngine({
      provider: model(),
      tools: [
        tool("work", async ({ turn }) => outputOf(turn)),
        tool("broken", () => Promise.reject(new Error("It is broken."))),
      ],
      limits: { maxTurns: 2 * TURNS },
      retry: { baseMs: 0 },
      sessions: createFileSessionStore({ dir, durability: "process" }),
      compaction: createCompactionPipeline(),
    });
    return { engine, result: mustComplete(await engine.run("Work through the list.")) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The same messages, as plain objects in an array. */
async function floor(): Promise<unknown> {
  const messages: unknown[] = [];
  for (let turn = 1; turn < TURNS; turn++) {
    const call = callOf(turn);
    messages.push({
      role: "assistant",
      content: [{ type: "tool-call", ...call }],
      finishReason: "stop",
      provider: "bench",
      model: "bench",
    });
    const output = call.name === "work" ? outputOf(turn) : `The tool "broken" failed: It is broken.${turn}`;
    messages.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: call.id, name: call.name, output, isError: call.name !== "work" }],
    });
    if (turn % (TURNS / LOOKS) === 0) look(turn);
  }
  look(TURNS);
  return messages;
}

const kept = await (process.argv[2] === "floor" ? floor() : ours());
if (!kept) throw new Error("Nothing was kept.");
const points = heaps.slice(SKIPPED);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const [meanTurn, meanBytes] = [mean(points.map(({ turn }) => turn)), mean(points.map(({ bytes }) => bytes))];
const slope =
  mean(points.map(({ turn, bytes }) => (turn - meanTurn) * (bytes - meanBytes))) /
  mean(points.map(({ turn }) => (turn - meanTurn) ** 2));
process.stdout.write(JSON.stringify({ slope }));
