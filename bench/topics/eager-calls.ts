// Calls that are complete at 100, 200 and 300 ms of a 600 ms stream, and take 300 ms each: nobody needs to wait.
import { setTimeout as delay } from "node:timers/promises";
import type { BaseTool, ProviderEvent } from "loopwright";
import { noop, streamingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { engineFor, mustComplete } from "../ours.js";
import { isQuick, report } from "../row.js";

const CALL_MS = 300;
const STREAM_MS = 600;
const COMPLETE_AT_MS = [100, 200, 300];

const slow: BaseTool = {
  ...noop,
  execute: async () => {
    await delay(CALL_MS);
    return "ok";
  },
};

async function* stream(): AsyncGenerator<ProviderEvent> {
  const startedAt = performance.now();
  const until = (ms: number) => delay(Math.max(0, ms - (performance.now() - startedAt)));
  for (const [index, at] of COMPLETE_AT_MS.entries()) {
    await until(at);
    yield { type: "tool-call-end", index, call: { id: `call_${index}`, name: noop.name, arguments: { index } } };
  }
  await until(STREAM_MS);
}

/** By hand: each call starts as it arrives. */
async function floor(): Promise<void> {
  const results: Promise<unknown>[] = [];
  for await (const event of stream()) if (event.type === "tool-call-end") results.push(delay(CALL_MS));
  await Promise.all(results);
}

const times = await interleave(
  { floor, ours: async () => mustComplete(await engineFor(streamingModel(stream), slow).run("go")) },
  { rounds: isQuick ? 2 : 7, warmups: 1, clock: "wall" },
);
report([
  {
    what: "calls complete at 100/200/300 ms in a 600 ms stream, 300 ms each",
    unit: "ms",
    floor: times.floor,
    ours: times.ours,
    budgets: [{ max: 1.02, times: "floor" }],
  },
]);
