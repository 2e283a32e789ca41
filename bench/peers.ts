// Other libraries on the same script: a model that calls one tool in each turn, a tool that answers "ok".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readProgram } from "./child.js";
import { compareFirstRequests } from "./first-requests.js";
import { bundlePrograms, type Installation, installPeer } from "./installation.js";
import { median } from "./measure.js";
import { startModelServer } from "./model-server.js";
import { figure, isQuick, markdown } from "./row.js";

const TURNS = "200";
const PROCESSES = isQuick ? 2 : 5;

/** Beside the library: its file in `peers/`, its package. npm takes the newest version that runs on this Node. */
const PEERS: { readonly [library: string]: string } = {
  pi: "@earendil-works/pi-agent-core",
  "pi-loop": "@earendil-works/pi-agent-core",
  ai: "ai@7",
  "openai-agents": "@openai/agents",
};

/** Beside the peers: what one of them needs to talk to a server. */
const COMPANIONS = ["@ai-sdk/openai-compatible"];
/** Those that are compared over HTTP, beside bare loops over `fetch` and Node's HTTP client. */
const OVER_HTTP: readonly string[] = ["loopwright", "pi", "ai", "openai-agents"];

const WAYS = ["run", "stream"] as const;

type Way = (typeof WAYS)[number];
/** `imported`: the import and the first run together. */
const STATES = ["warm", "cold", "imported"] as const;

type State = (typeof STATES)[number];

const COLUMNS: readonly (readonly [Way, State])[] = [
  ["run", "warm"],
  ["stream", "warm"],
  ["run", "cold"],
  ["stream", "cold"],
  ["run", "imported"],
];

/** Installs the peers into the installation, runs them and ours in turn, and answers a Markdown report. */
export async function comparePeers(installation: Installation): Promise<string> {
  const missing: string[] = [];
  const absent = new Set<string>();
  for (const spec of new Set([...Object.values(PEERS), ...COMPANIONS])) {
    process.stderr.write(`installing ${spec} …\n`);
    const problem = await installPeer(installation, spec);
    if (problem === null) continue;
    absent.add(spec);
    missing.push(`- \`${spec}\` could not be installed: ${problem}`);
  }
  const libraries = ["loopwright", ...Object.keys(PEERS).filter((library) => !absent.has(PEERS[library]!))];
  await bundlePrograms(installation, ["peers", "programs"]);
  const programs = join(installation.directory, "programs");
  const times = await timesOf(join(programs, "peer-turns.mjs"), libraries);
  const costs = await agentsOf(programs, libraries);
  const overHttp = await overHttpOf(programs, [
    "node-http",
    "fetch",
    ...libraries.filter((library) => OVER_HTTP.includes(library)),
  ]);
  const lines = await Promise.all(
    libraries.map(async (library) => [
      `${library} ${await versionOf(installation, library)}`,
      ...COLUMNS.map(([way, state]) => cell(times, library, way, state)),
      ...COST_KEYS.map((key) => agentsCell(costs, library, key)),
    ]),
  );
  const httpLines = [...overHttp].map(([library, cost]) => [
    library,
    ...HTTP_KEYS.map((key) => {
      const share = overHttp.get("loopwright")![key] / cost[key];
      return `${figure(cost[key], key === "wallMs" ? "ms" : "µs")} (${share.toPrecision(2)})`;
    }),
  ]);
  const sent = await compareFirstRequests(installation);
  const tables = [markdown(HEADER, lines), NOTE, markdown(HTTP_HEADER, httpLines), HTTP_NOTE, sent];
  return `${[...tables, ...missing].join("\n\n")}\n`;
}

const HTTP_KEYS = ["warmUs", "coldUs", "wallMs"] as const;
const HTTP_HEADER = ["100 agents over HTTP", "CPU per model call, warm", "in a fresh process", "wall time, warm"];
const HTTP_NOTE = `100 agents at once against a server on loopback in a process of its own: five model calls each with 40 deltas of text, every one
of them read, and four tool calls. \`node-http\` and \`fetch\` are bare loops by hand. In brackets loopwright's share. That each made the same calls
and read the same deltas is checked.`;

interface HttpCost {
  readonly coldUs: number;
  readonly warmUs: number;
  readonly wallMs: number;
}

/** Interleaved processes, each with the agents of one library. */
async function overHttpOf(programs: string, names: readonly string[]): Promise<ReadonlyMap<string, HttpCost>> {
  const server = await startModelServer(join(programs, "model-server.mjs"));
  const measured = new Map(names.map((name) => [name, [] as HttpCost[]]));
  try {
    for (let i = 0; i < PROCESSES; i++) {
      for (const name of names) {
        measured.get(name)!.push(await readProgram<HttpCost>(join(programs, "http-agents.mjs"), [name, server.url]));
      }
    }
  } finally {
    server.stop();
  }
  const medianOf = (costs: readonly HttpCost[], key: keyof HttpCost) => median(costs.map((cost) => cost[key]));
  return new Map(
    [...measured].map(([name, costs]) => [
      name,
      { coldUs: medianOf(costs, "coldUs"), warmUs: medianOf(costs, "warmUs"), wallMs: medianOf(costs, "wallMs") },
    ]),
  );
}

const HEADER = [
  "library",
  "run(), warm",
  "stream(), warm",
  "run(), fresh process",
  "stream(), fresh process",
  "import and 200 turns",
  "500 agents × 5 calls",
  "their peak RSS",
  "heap of an idle agent",
];

const NOTE = `Processor time of a turn: over 200 turns, and of 500 agents at once in a fresh process; and of the import with the first run(). In brackets loopwright's share of it,
which may be at most 0.25 for run() warm, 0.4 in a fresh process, 0.6 for stream(), 0.5 for the agents and 0.75 for their
memory. An idle agent is one of 1,000 conversations of twelve messages that wait for their next prompt: what a host keeps and
what the library keeps for it. \`ai\` and \`openai-agents\` keep the messages alone; ours is a session with its entries. \`pi\` is the agent its manual begins with; \`pi-loop\` the loop below it, without a state of its own.`;

interface Cost {
  readonly cpuUsPerTurn: number;
  readonly peakMb: number;
  readonly idleKb: number;
}

const COST_KEYS = ["cpuUsPerTurn", "peakMb", "idleKb"] as const;
const COST_UNITS = { cpuUsPerTurn: "µs", peakMb: "MB", idleKb: "KB" } as const;

/** Interleaved processes, each with the agents of one library. */
async function agentsOf(programs: string, libraries: readonly string[]): Promise<ReadonlyMap<string, Cost>> {
  const measured = new Map(libraries.map((library) => [library, [] as Cost[]]));
  for (let i = 0; i < PROCESSES; i++) {
    for (const library of libraries) {
      const work = await readProgram<Omit<Cost, "idleKb">>(join(programs, "peer-agents.mjs"), [library]);
      const idle = await readProgram<Pick<Cost, "idleKb">>(join(programs, "peer-idle.mjs"), [library], ["--expose-gc"]);
      measured.get(library)!.push({ ...work, ...idle });
    }
  }
  const medianOf = (costs: readonly Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return new Map(
    [...measured].map(([library, costs]) => [
      library,
      {
        cpuUsPerTurn: medianOf(costs, "cpuUsPerTurn"),
        peakMb: medianOf(costs, "peakMb"),
        idleKb: medianOf(costs, "idleKb"),
      },
    ]),
  );
}

function agentsCell(costs: ReadonlyMap<string, Cost>, library: string, key: keyof Cost): string {
  const theirs = costs.get(library)![key];
  const share = costs.get("loopwright")![key] / theirs;
  return `${figure(theirs, COST_UNITS[key])} (${share.toPrecision(2)})`;
}

type Times = ReadonlyMap<string, Readonly<Record<State, number>>>;

/** Interleaved processes, each with one library loaded. */
async function timesOf(program: string, libraries: readonly string[]): Promise<Times> {
  const names = libraries.flatMap((library) => WAYS.map((way) => `${library} ${way}`));
  const measured = new Map(names.map((name) => [name, new Map(STATES.map((state) => [state, [] as number[]]))]));
  for (let i = 0; i < PROCESSES; i++) {
    for (const name of names) {
      const times = await readProgram<Record<State, number>>(program, [...name.split(" "), TURNS]);
      for (const state of STATES) measured.get(name)!.get(state)!.push(times[state]);
    }
  }
  return new Map(
    [...measured].map(([name, ofStates]) => {
      const medianOf = (state: State) => median(ofStates.get(state)!);
      return [name, { warm: medianOf("warm"), cold: medianOf("cold"), imported: medianOf("imported") }];
    }),
  );
}

function cell(times: Times, library: string, way: Way, state: State): string {
  const theirs = times.get(`${library} ${way}`)![state];
  const share = times.get(`loopwright ${way}`)![state] / theirs;
  return `${figure(theirs, state === "imported" ? "ms" : "µs")} (${share.toPrecision(2)})`;
}

async function versionOf({ directory }: Installation, library: string): Promise<string> {
  const name = (PEERS[library] ?? library).replace(/(.)@.*$/, "$1");
  const manifest = await readFile(join(directory, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
