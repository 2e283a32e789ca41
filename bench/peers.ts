// Other libraries on the same script: a model that calls one tool in each turn, a tool that answers "ok".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readProgram } from "./child.js";
import { bundlePrograms, type Installation, installPeer } from "./installation.js";
import { median } from "./measure.js";
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

const WAYS = ["run", "stream"] as const;

type Way = (typeof WAYS)[number];
type State = "warm" | "cold";

const COLUMNS: readonly (readonly [Way, State])[] = [
  ["run", "warm"],
  ["stream", "warm"],
  ["run", "cold"],
  ["stream", "cold"],
];

/** Installs the peers into the installation, runs them and ours in turn, and answers a Markdown report. */
export async function comparePeers(installation: Installation): Promise<string> {
  const missing: string[] = [];
  const absent = new Set<string>();
  for (const spec of new Set(Object.values(PEERS))) {
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
  const costs = await agentsOf(join(programs, "peer-agents.mjs"), libraries);
  const lines = await Promise.all(
    libraries.map(async (library) => [
      `${library} ${await versionOf(installation, library)}`,
      ...COLUMNS.map(([way, state]) => cell(times, library, way, state)),
      ...(["cpuUsPerTurn", "peakMb"] as const).map((key) => agentsCell(costs, library, key)),
    ]),
  );
  return `${[markdown(HEADER, lines), NOTE, ...missing].join("\n\n")}\n`;
}

const HEADER = [
  "library",
  "run(), warm",
  "stream(), warm",
  "run(), fresh process",
  "stream(), fresh process",
  "500 agents × 5 calls",
  "their peak RSS",
];

const NOTE = `Processor time of a turn: over 200 turns, and of 500 agents at once in a fresh process. In brackets loopwright's share of it,
which may be at most 0.25 for run() warm, 0.4 in a fresh process, 0.6 for stream(), 0.5 for the agents and 0.75 for their
memory. \`pi\` is the agent its manual begins with; \`pi-loop\` the loop below it, without a state of its own.`;

interface Cost {
  readonly cpuUsPerTurn: number;
  readonly peakMb: number;
}

/** Interleaved processes, each with the agents of one library. */
async function agentsOf(program: string, libraries: readonly string[]): Promise<ReadonlyMap<string, Cost>> {
  const measured = new Map(libraries.map((library) => [library, [] as Cost[]]));
  for (let i = 0; i < PROCESSES; i++) {
    for (const library of libraries) measured.get(library)!.push(await readProgram<Cost>(program, [library]));
  }
  const medianOf = (costs: readonly Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return new Map(
    [...measured].map(([library, costs]) => [
      library,
      { cpuUsPerTurn: medianOf(costs, "cpuUsPerTurn"), peakMb: medianOf(costs, "peakMb") },
    ]),
  );
}

function agentsCell(costs: ReadonlyMap<string, Cost>, library: string, key: keyof Cost): string {
  const theirs = costs.get(library)![key];
  const share = costs.get("loopwright")![key] / theirs;
  return `${figure(theirs, key === "peakMb" ? "MB" : "µs")} (${share.toPrecision(2)})`;
}

type Times = ReadonlyMap<string, Readonly<Record<State, number>>>;

/** Interleaved processes, each with one library loaded. */
async function timesOf(program: string, libraries: readonly string[]): Promise<Times> {
  const names = libraries.flatMap((library) => WAYS.map((way) => `${library} ${way}`));
  const measured = new Map(names.map((name) => [name, { warm: [] as number[], cold: [] as number[] }]));
  for (let i = 0; i < PROCESSES; i++) {
    for (const name of names) {
      const { warm, cold } = await readProgram<Record<State, number>>(program, [...name.split(" "), TURNS]);
      measured.get(name)!.warm.push(warm);
      measured.get(name)!.cold.push(cold);
    }
  }
  return new Map([...measured].map(([name, { warm, cold }]) => [name, { warm: median(warm), cold: median(cold) }]));
}

function cell(times: Times, library: string, way: Way, state: State): string {
  const theirs = times.get(`${library} ${way}`)![state];
  const share = times.get(`loopwright ${way}`)![state] / theirs;
  return `${figure(theirs, "µs")} (${share.toPrecision(2)})`;
}

async function versionOf({ directory }: Installation, library: string): Promise<string> {
  const name = (PEERS[library] ?? library).replace(/(.)@.*$/, "$1");
  const manifest = await readFile(join(directory, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
