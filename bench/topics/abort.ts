// From abort() to a settled result, with every call answered.
import { AgentEngine, type BaseTool, validateTranscript } from "loopwright";
import { noop, repeatingModel } from "../floors.js";
import { median } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

const RUNS = isQuick ? 30 : 100;

const cooperative: BaseTool["execute"] = (_input, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
const deaf: BaseTool["execute"] = () => new Promise(() => {});

/** Milliseconds from `abort()` to the result of a run whose one call is under way. */
async function abortOnce(execute: BaseTool["execute"]): Promise<number> {
  let entered = () => {};
  const running = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const tool: BaseTool = {
    ...noop,
    execute: (input, context) => {
      entered();
      return execute(input, context);
    },
  };
  const engine = new AgentEngine({ provider: repeatingModel(1), tools: [tool], limits: { abandonMs: 20 } });
  const run = engine.stream("go");
  await running;
  const startedAt = performance.now();
  run.abort();
  const result = await run.result;
  const tookMs = performance.now() - startedAt;
  const problems = validateTranscript(result.messages());
  if (result.status !== "aborted" || problems.length > 0)
    throw new Error(`Not aborted cleanly: ${problems[0]?.message}`);
  await run.idle;
  return tookMs;
}

async function rowOf(what: string, execute: BaseTool["execute"], maxMs: number): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) times.push(await abortOnce(execute));
  return { what: `abort to settled, ${what}`, unit: "ms", ours: median(times), budgets: [{ max: maxMs }] };
}

report([await rowOf("a tool that listens", cooperative, 1.5), await rowOf("a tool that does not", deaf, 2)]);
