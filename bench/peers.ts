// Other libraries on the same 200-turn script: a model that calls one tool in each turn, a tool that answers "ok".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readProgram } from "./child.js";
import { bundlePrograms, type Installation, installPeer } from "./installation.js";
import { median } from "./measure.js";
import { figure, isQuick, markdown } from "./row.js";

const TURNS = "200";
const COLD_PROCESSES = isQuick ? 3 : 15;
const WARM_ROUNDS = isQuick ? "7" : "31";

/** Beside the library: its file in `peers/`, its package. npm takes the newest version that runs on this Node. */
const PEERS: { readonly [library: string]: string } = {
  pi: "@earendil-works/pi-agent-core",
  ai: "ai@7",
  "openai-agents": "@openai/agents",
};

const WAYS = ["run", "stream"] as const;

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
  const names = libraries.flatMap((library) => WAYS.map((way) => `${library}.${way}`));
  const warm = await readProgram<Record<string, number>>(program, [TURNS, WARM_ROUNDS, "15", ...names]);
  const cold = await coldTimes(program, names);
  const lines = await Promise.all(
    libraries.map(async (library) => [
      `${library} ${await versionOf(installation, library)}`,
      ...[warm, cold].flatMap((times) => WAYS.map((way) => cell(times, library, way))),
    ]),
  );
  const header = ["library", "run(), warm", "stream(), warm", "run(), fresh process", "stream(), fresh process"];
  const note =
    "Processor time of a turn, over 200 turns; in brackets loopwright's share of it, which may be at most 0.25 for run() warm, 0.4 in a fresh process, 0.6 for stream().";
  return `${[markdown(header, lines), note, ...missing].join("\n\n")}\n`;
}

/** Interleaved fresh processes, each with one library loaded. */
async function coldTimes(program: string, names: readonly string[]): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let i = 0; i < COLD_PROCESSES; i++) {
    for (const name of names) {
      const measured = await readProgram<Record<string, number>>(program, [TURNS, "1", "0", name]);
      times.get(name)!.push(measured[name]!);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)]));
}

function cell(times: Record<string, number>, library: string, way: string): string {
  const theirs = times[`${library}.${way}`]!;
  const share = times[`loopwright.${way}`]! / theirs;
  return `${figure(theirs, "µs")} (${share.toPrecision(2)})`;
}

async function versionOf({ folder }: Installation, library: string): Promise<string> {
  const name = (PEERS[library] ?? library).replace(/(.)@.*$/, "$1");
  const manifest = await readFile(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
