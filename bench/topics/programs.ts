// What a program costs, and what it saves, beside the same calls by the model.
import { Worker } from "node:worker_threads";
import { AgentEngine, type BaseTool, defineTool, type ProviderRequest, ToolRegistry } from "loopwright";
import { estimateTokens } from "loopwright/compaction";
import { deferTools } from "loopwright/mcp";
import { nodeWorker, type RunningProgram, withPrograms } from "loopwright/programs";
import { type ScriptedProvider, scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { programPath, readProgram } from "../child.js";
import { interleave, median, now } from "../measure.js";
import { mustComplete } from "../ours.js";
import { isQuick, report } from "../row.js";

const WAVES = 200;
const PROCESSES = isQuick ? 3 : 9;

const tool = (name: string, execute: BaseTool["execute"]): BaseTool =>
  defineTool({ name, description: `The tool ${name}.`, permission: "none", execute });

// ── three calls of 2 KB ───────────────────────────────────────────────────────────────────────────────────────────────

const page = tool("page", async () => "A line of the page.\n".repeat(100));
const pages = withPrograms(new ToolRegistry([page]));
const THREE = "const pages = await Promise.all([1, 2, 3].map(() => tools.page())); return pages.join('').length";

async function played(turns: Parameters<typeof scripted>[0]): Promise<ScriptedProvider> {
  const provider = scripted(turns);
  const engine = new AgentEngine({ provider, tools: pages });
  mustComplete(await engine.run("How long are the pages?"));
  await engine.close();
  return provider;
}

const byProgram = () => played([toolCall("run_program", { program: THREE }), text("6,000 characters.")]);
const byCalls = () => played([...[1, 2, 3].map(() => toolCall("page", {})), text("6,000 characters.")]);

const tokensOf = ({ requests }: ScriptedProvider) =>
  requests.reduce((sum, { tools, messages }) => sum + estimateTokens(JSON.stringify([tools, messages])), 0);

const [program, calls] = [await byProgram(), await byCalls()];
const three = await interleave(
  { program: byProgram, calls: byCalls },
  { rounds: isQuick ? 5 : 21, warmups: 3, clock: "wall" },
);

// ── the first program of a process ────────────────────────────────────────────────────────────────────────────────────

const first = { ours: [] as { cpuMs: number; ms: number }[], floor: [] as { cpuMs: number; ms: number }[] };
for (let n = 0; n < PROCESSES; n++) {
  for (const name of ["ours", "floor"] as const) {
    first[name].push(await readProgram(programPath("first-program"), [name]));
  }
}
const cpuOf = (name: "ours" | "floor") => median(first[name].map(({ cpuMs }) => cpuMs));

// ── a wave ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const limits = {
  cpuMs: 60_000,
  memoryBytes: 64 * 1024 * 1024,
  callsAtOnce: 32,
  inputChars: 1_000,
  valueChars: 1_000,
  logChars: 1_000,
};

async function startLoop(): Promise<RunningProgram> {
  const { signal } = new AbortController();
  const source = "for (;;) await tools.look({ n: 1 })";
  const running = await nodeWorker().start({ source, tools: { look: "look" }, at: 0, seed: 1, limits, signal });
  await running.next();
  return running;
}

const ECHO = `const { parentPort } = require("node:worker_threads"); parentPort.on("message", (m) => parentPort.postMessage(m));`;
const looping = await startLoop();
const echo = new Worker(ECHO, { eval: true });

async function waves(): Promise<void> {
  for (let n = 0; n < WAVES; n++) {
    looping.answer([{ isError: false, json: "1" }], 0);
    await looping.next();
  }
}

async function roundTrips(): Promise<void> {
  for (let n = 0; n < WAVES; n++) {
    const answered = new Promise((resolve) => echo.once("message", resolve));
    echo.postMessage(null);
    await answered;
  }
}

const wave = await interleave({ waves, roundTrips }, { rounds: isQuick ? 5 : 21, warmups: 3 });
await looping.close();
await echo.terminate();

// ── replay ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A run whose program waits for an answer after 200 waves, and the time from its answer to the end of the run. */
async function replayMs(): Promise<number> {
  const sessions = createMemorySessionStore();
  const look = tool("look", async () => "seen");
  const pay: BaseTool = {
    ...tool("pay", async () => "paid"),
    checkPermission: () => ({ behavior: "ask", reason: "Pay?" }),
  };
  const source = `for (let n = 0; n < ${WAVES}; n++) await tools.look(); return tools.pay()`;
  const tools = withPrograms(new ToolRegistry([look, pay]));
  const provider = scripted([toolCall("run_program", { program: source }), text("done")]);
  const engine = new AgentEngine({ provider, tools, sessions });
  const { pending } = await engine.run("go", { sessionId: "s" });
  const answers = pending!.map(({ id }) => ({ id, decision: "allow" as const }));
  const startedAt = now("wall");
  mustComplete(await engine.resume("s", { answers }).result);
  const took = now("wall") - startedAt;
  await engine.close();
  return took;
}

const replays: number[] = [];
for (let n = 0; n < (isQuick ? 3 : 9); n++) replays.push(await replayMs());

// ── 500 tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const many = Array.from({ length: 500 }, (_, n) => ({
  ...tool(`mcp__server${n % 9}__tool_${n}`, async () => "done"),
  definition: () => ({
    name: `mcp__server${n % 9}__tool_${n}`,
    description: `Does thing ${n} of a large server. Returns what it has done, with its history.`,
    inputSchema: { type: "object", properties: { id: { type: "string", description: "The id of the thing." } } },
  }),
}));

async function promptTokens(tools: ReturnType<typeof withPrograms>): Promise<number> {
  const provider = scripted([text("Hello.")]);
  await new AgentEngine({ provider, tools }).run("Hi.");
  const { tools: shown, messages } = provider.requests[0] as ProviderRequest;
  return estimateTokens(JSON.stringify([shown, messages]));
}

const memory = async (count: number) =>
  (await readProgram<{ grownBytes: number }>(programPath("program-memory"), [String(count)], ["--expose-gc"]))
    .grownBytes;

report([
  {
    what: "three calls of 2 KB in a program: requests to the model (floor: as three calls)",
    unit: "",
    ours: program.requests.length,
    floor: calls.requests.length,
    budgets: [{ max: 0.5, times: "floor" }],
  },
  {
    what: "the same: tokens of all requests",
    unit: "tokens",
    ours: tokensOf(program),
    floor: tokensOf(calls),
    budgets: [{ max: 0.5, times: "floor" }],
  },
  { what: "the same: time of the run without its model", unit: "ms", ours: three.program, floor: three.calls },
  {
    what: "processor time of the first program of a process (floor: a worker that compiles the same wasm)",
    unit: "ms",
    ours: cpuOf("ours"),
    floor: cpuOf("floor"),
    budgets: [{ max: 3, times: "floor" }],
  },
  {
    what: "processor time of a wave of one call (floor: an empty message to a worker and back)",
    unit: "µs",
    ours: (wave.waves / WAVES) * 1_000,
    floor: (wave.roundTrips / WAVES) * 1_000,
    budgets: [{ max: 10, times: "floor" }],
  },
  {
    what: `a program that runs again after an answer, ${WAVES} waves`,
    unit: "ms",
    ours: median(replays),
    budgets: [{ max: 300 }],
  },
  {
    what: "first request with 500 tools that programs find (floor: with all of them shown)",
    unit: "tokens",
    ours: await promptTokens(withPrograms(deferTools(new ToolRegistry(many)))),
    floor: await promptTokens(new ToolRegistry(many)),
    budgets: [{ max: 5_000 }],
  },
  {
    what: "memory that 1,000 programs leave behind (floor: 10 programs)",
    unit: "MB",
    ours: (await memory(isQuick ? 100 : 1_000)) / 2 ** 20,
    floor: (await memory(10)) / 2 ** 20,
    budgets: [{ max: 64 }],
  },
]);
