// Other libraries on the same 200-turn script: a model that calls one tool in each turn, a tool that answers "ok".
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
  const libraries = ["loopwright"];
  for (const [library, spec] of Object.entries(PEERS)) {
    process.stderr.write(`installing ${spec} …\n`);
    const problem = await installPeer(installation, spec);
    if (problem === null) libraries.push(library);
    else missing.push(`- \`${spec}\` could not be installed: ${problem}`);
  }
  await bundlePrograms(installation, ["peers", "programs"]);
  const program = join(installation.folder, "programs", "peer-turns.mjs");
  const times = await timesOf(program, libraries);
  const lines = await Promise.all(
    libraries.map(async (library) => [
      `${library} ${await versionOf(installation, library)}`,
      ...COLUMNS.map(([way, state]) => cell(times, library, way, state)),
    ]),
  );
  const header = ["library", "run(), warm", "stream(), warm", "run(), fresh process", "stream(), fresh process"];
  const note =
    "Processor time of a turn, over 200 turns; in brackets loopwright's share of it, which may be at most 0.25 for run() warm, 0.4 in a fresh process, 0.6 for stream().";
  return `${[markdown(header, lines), note, ...missing].join("\n\n")}\n`;
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

async function versionOf({ folder }: Installation, library: string): Promise<string> {
  const name = (PEERS[library] ?? library).replace(/(.)@.*$/, "$1");
  const manifest = await readFile(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
