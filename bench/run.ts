// `npm run bench` measures the built package against the floors and writes docs/benchmarks.md and some figures into the README.
// `--quick`: fewer rounds, no sizes, prints only. `--only <word>`: the topics whose name has the word, prints only.
// `--peers`: other libraries on the same script, instead; writes bench/results-peers.md and the plots of it in docs/images.
import { readdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleSizes } from "./bundle-size.js";
import { readProgram } from "./child.js";
import { fill } from "./fill.js";
import { bundlePrograms, type Installation, install, installPeer, uninstall } from "./installation.js";
import { packageSizes } from "./package-size.js";
import { comparePeers } from "./peers.js";
import { drawPlots } from "./plots.js";
import { headlinesOf, publicTableOf, type Row, tableOf } from "./row.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, peers: { type: "boolean" } },
});
if (flags.quick) process.env.BENCH_QUICK = "1";
const isWhole = !flags.quick && flags.only === undefined;

async function topicNames(): Promise<string[]> {
  const names = (await readdir(join(HERE, "topics"))).map((file) => basename(file, ".ts"));
  return names.filter((name) => name.includes(flags.only ?? "")).sort();
}

/** What a topic measures the library together with. */
const BESIDE = ["@lydell/node-pty", "async-mutex", "@opentelemetry/sdk-trace-node", "quickjs-wasi"];

async function measure(installation: Installation): Promise<Row[]> {
  const sizes = isWhole ? await packageSizes(installation) : [];
  for (const name of BESIDE) {
    const problem = await installPeer(installation, name);
    if (problem) throw new Error(`${name} could not be installed: ${problem}`);
  }
  await bundlePrograms(installation, ["topics", "programs", "peers"]);
  const rows: Row[] = [];
  for (const name of await topicNames()) {
    const startedAt = performance.now();
    rows.push(
      ...(await readProgram<Row[]>(join(installation.directory, "topics", `${name}.mjs`), [], ["--expose-gc"])),
    );
    process.stderr.write(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
  if ("bundle-size".includes(flags.only ?? "")) rows.push(...(await bundleSizes(installation)));
  return [...rows, ...sizes];
}

function machine(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${processor}, load ${load.join(" / ")}.`;
}

/** The rows a user feels, as a user would name them. */
const HEADLINES: Readonly<Record<string, string>> = {
  "import of the root entry (floor: an empty module)": "loading the library, before its first run",
  "first text of a model in a fresh process, import included (floor: bare fetch)":
    "loading it and the first text of a model over HTTP",
  "smallest useful agent, min + gzip, before its first run":
    "the smallest useful agent in a web page, before its first run",
  "smallest useful agent, min + gzip, with its first answer": "the same with its first answer",
  "a turn, run(), 200 turns, warm": "the engine's own work per turn, warm",
  "a turn, run(), 200 turns, fresh process": "the same in a fresh process, over 200 turns",
  "abort to settled, a tool that does not": "from abort to a settled run, even if a tool ignores it",
  "a page in the middle": "a page in the middle of a 500 MB file",
  "decide on one, with rules: 99 of 100 within": "a permission decision on a shell command, warm (99 of 100)",
};

const installation = await install({ declarations: isWhole && !flags.peers });
try {
  if (flags.peers) {
    const report = await comparePeers(installation);
    process.stdout.write(`${report}\n`);
    if (isWhole) {
      await writeFile(join(HERE, "results-peers.md"), `# Peers\n\n${machine()}\n\n${report}`);
      await drawPlots(report);
    }
  } else {
    const rows = await measure(installation);
    const table = tableOf(rows);
    process.stdout.write(`${table}\n`);
    if (isWhole) {
      await fill("docs/benchmarks.md", "bench", `${machine()}\n\n${publicTableOf(rows)}`);
      await fill("README.md", "bench", headlinesOf(rows, HEADLINES));
    }
  }
} finally {
  await uninstall(installation);
}
