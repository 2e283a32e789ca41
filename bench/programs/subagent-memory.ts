// What a sub-agent keeps in memory: `node --expose-gc subagent-memory.mjs <count>` starts so many at once and prints the
// heap of each, in bytes: while all of them wait in a tool, and after the run that had them has ended.
import { AgentEngine, type BaseTool, type ProviderAdapter, type ProviderEvent } from "loopwright";
import { createMemorySessionStore } from "loopwright/sessions";
import { noop } from "../floors.js";
import { mustComplete } from "../ours.js";

const AGENTS = Number(process.argv[2]);

function heap(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

let calls = 0;
/** Each agent's first message calls the tool; the next one is a string. */
const model: ProviderAdapter = {
  id: "bench",
  model: "bench",
  async *stream({ messages }): AsyncGenerator<ProviderEvent> {
    yield { type: "message-start" };
    const call = { id: `call_${++calls}`, name: "noop", arguments: { n: calls } };
    if (messages.at(-1)?.role === "user") yield { type: "tool-call-end", index: 0, call };
    else yield { type: "text-delta", text: "done" };
    yield { type: "message-end", finishReason: "stop" };
  },
};

/** Runs so many at once in a session of their own; resolves with the heap while all of them wait. */
async function run(engine: AgentEngine, meeting: Meeting, sessionId: string): Promise<number> {
  const before = heap();
  meeting.begin();
  mustComplete(await engine.run("go", { sessionId }));
  return meeting.heap - before;
}

/** Where all sub-agents of a run wait until the last one has come. */
class Meeting {
  heap = 0;
  #arrived = 0;
  #release = () => {};
  #all: Promise<void> = Promise.resolve();

  begin(): void {
    this.#arrived = 0;
    this.#all = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async join(): Promise<void> {
    if (++this.#arrived === AGENTS) {
      this.heap = heap();
      this.#release();
    }
    await this.#all;
  }
}

const meeting = new Meeting();
const tool: BaseTool = {
  ...noop,
  permission: "none",
  timeoutMs: null,
  async execute(_input, { spawn, agentPath }) {
    const child = (n: number) => ({ name: `child-${n}`, description: "Waits.", systemPrompt: "Wait." });
    if (agentPath.length > 0) await meeting.join();
    else await Promise.all(Array.from({ length: AGENTS }, (_, n) => spawn!(child(n), "go")));
    return "ok";
  },
};
const sessions = createMemorySessionStore({ maxSessions: 10 * AGENTS });
const engine = new AgentEngine({ provider: model, tools: [tool], sessions });
// The code is compiled and what is made once is there before the runs that count.
for (const sessionId of ["first", "second"]) await run(engine, meeting, sessionId);
const before = heap();
const atOnce = await run(engine, meeting, "third");
const kept = heap() - before;
await engine.close();
process.stdout.write(JSON.stringify({ atOnce: atOnce / AGENTS, kept: kept / AGENTS }));
